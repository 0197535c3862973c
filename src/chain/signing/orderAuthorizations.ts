// What a payer signs for an order, and the call that the signatures make: both from the order's own terms and nothing else.
import { type Address, type Hex, size } from 'viem';
import type { SignedWay } from '../../domain/checkout.ts';
import { type OrderRouter, orderData, orderStruct, type RouterOrderTerms } from '../../domain/typedData/orders.ts';
import { authorizationData, permit2WitnessData } from '../../domain/typedData/tokens.ts';
import { permitData, type TypedData } from '../../domain/typedData.ts';
import { encodePayment, orderHash } from '../routers/payment.ts';
import type { EvmChain } from '../rpc/client.ts';
import { permitOf } from './authorizations.ts';
import { tokenDomain } from './permits.ts';

/** A payment as its payer is to sign it. `validUntil` in Unix seconds; `nonce` for Permit2 and EIP-2612. */
export type SignedPayment = {
  router: OrderRouter;
  terms: RouterOrderTerms;
  payer: Address;
  way: SignedWay;
  validUntil: bigint;
  nonce: bigint;
};

export type ToSign = { name: 'authorization' | 'permit' | 'order'; data: TypedData };

/**
 * What is to be signed, in the order in which {@link encodeSigned} takes the signatures; null where the token takes none of the kind.
 * @throws AppError `provider_unavailable`
 */
export async function orderSignatures(chain: EvmChain, payment: SignedPayment): Promise<ToSign[] | null> {
  const { router, terms, payer, way, validUntil, nonce } = payment;
  const { chainId } = chain.facts;
  const spender = chain.routers[router];
  const order: ToSign = { name: 'order', data: orderData(router, { chainId, contract: spender }, terms, payer) };
  if (way === 'allowance') return [order];
  if (way === 'permit2') {
    const witness = { token: chain.usdc, amount: terms.amount, spender, nonce, deadline: validUntil };
    const at = { chainId, contract: chain.permit2 };
    return [{ name: 'permit', data: permit2WitnessData(at, witness, orderStruct(terms, payer)) }];
  }
  const domain = await tokenDomain(chain);
  if (!domain) return null;
  if (way === 'eip3009') {
    const window = { validAfter: 0n, validBefore: validUntil };
    const authorization = { from: payer, to: spender, value: terms.amount, nonce: orderHash(terms, payer), ...window };
    return [
      { name: 'authorization', data: authorizationData({ chainId, contract: chain.usdc }, domain, authorization) },
    ];
  }
  const permit = {
    chainId,
    token: chain.usdc,
    tokenDomain: domain,
    owner: payer,
    spender,
    value: terms.amount,
    nonce,
    deadline: Number(validUntil),
  };
  return [{ name: 'permit', data: permitData(permit) }, order];
}

/** The router's call with the signatures; null when their number or form is not what the way needs. */
export function encodeSigned(payment: SignedPayment, signatures: readonly Hex[]): Hex | null {
  const { terms, payer, way, validUntil, nonce } = payment;
  const [first, second] = signatures;
  if (first === undefined || signatures.length !== (way === 'eip2612' ? 2 : 1)) return null;
  switch (way) {
    case 'allowance':
      return encodePayment(terms, payer, { way, orderSignature: first });
    case 'permit2':
      return encodePayment(terms, payer, { way, permit: { nonce, deadline: validUntil, signature: first } });
    case 'eip3009': {
      const authorization = { validAfter: 0n, validBefore: validUntil, signature: first };
      return encodePayment(terms, payer, { way, authorization });
    }
    case 'eip2612': {
      if (size(first) !== 65 || second === undefined) return null;
      const permit = permitFrom({ value: terms.amount, deadline: validUntil }, first);
      return permit && encodePayment(terms, payer, { way, permit, orderSignature: second });
    }
  }
}

function permitFrom(terms: { value: bigint; deadline: bigint }, signature: Hex) {
  try {
    return permitOf(terms, signature);
  } catch {
    return null;
  }
}

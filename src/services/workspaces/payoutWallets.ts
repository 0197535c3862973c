// A handle as a business: its orders go through the business router, to its own address or to one that its wallet named and that agreed.

import type { Address, EvmChain, Hex } from '../../chain/rpc/client.ts';
import { checkedAddress, type Proof, proveSignature, typedDataHash } from '../../chain/signing/signatures.ts';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { orderFee } from '../../domain/order.ts';
import { businessWalletData } from '../../domain/typedData/workspaces.ts';
import type { TypedData } from '../../domain/typedData.ts';
import { provenOn } from '../../domain/walletReach.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { signingChain, walletOf } from '../accounts/signing.ts';
import { record } from '../audit.ts';
import { servedEvmChain } from '../chains.ts';
import { nextUse, requireSigned, type Use, useUp } from './nonces.ts';
import { findPayout } from './payouts.ts';

export type PayoutView = {
  object: 'workspace';
  handle: string;
  kind: 'personal' | 'business';
  /** Where orders are paid from now on; null without a wallet. */
  payout_address: string | null;
  /** The same, where it is another one than the handle's wallet. */
  business_address: string | null;
  /** For a contract: the only chains on which it is paid. Null for a key, which is the same on all of them. */
  payout_chains: string[] | null;
  /** Of 100, taken from the payout. */
  fee_percent: string;
};

/** Where a workspace is paid, and what of it is the fee. @throws AppError `handle_not_found` */
export async function workspaceView(ctx: Ctx, handleId: string): Promise<PayoutView> {
  const { slug, kind, wallets, businessAddress, businessChains } = await findPayout(ctx.db, { id: handleId });
  const wallet = wallets.evm;
  const isBusiness = kind === 'business';
  const other = isBusiness ? businessAddress : null;
  const otherChains = businessChains.length > 0 ? businessChains : null;
  return {
    object: 'workspace',
    handle: slug,
    kind: isBusiness ? 'business' : 'personal',
    payout_address: other ?? wallet?.address ?? null,
    business_address: other,
    payout_chains: other !== null ? otherChains : wallet && provenOn(wallet),
    fee_percent: String(Number(orderFee(isBusiness ? 'business' : 'payment', 10_000n)) / 100),
  };
}

/** `payout_address` may be the handle's own wallet. `chain` is where a contract at that address proves itself; keys are the same everywhere. */
export type BusinessChoice = { payout_address: string; chain?: string | undefined };
export type BusinessSubmit = { payout_address: string; chain: string } & Use;
export type PreparedBusiness = {
  typed_data: TypedData;
  submit: BusinessSubmit;
  /** Whose signatures are needed: the handle's wallet, and the address where it is another one. */
  signers: string[];
};

/** What the wallets are to sign. Changes nothing. @throws AppError `parameter_invalid`, `state_conflict` for a handle without a wallet */
export async function prepareBusiness(
  ctx: Ctx,
  handle: SessionHandle,
  choice: BusinessChoice,
): Promise<PreparedBusiness> {
  const wallet = walletOf(handle);
  const address = readAddress(choice.payout_address);
  const chain = choice.chain ?? signingChain(ctx, handle);
  const submit = { payout_address: address, chain, ...(await nextUse(ctx, handle.id)) };
  const signers = address === wallet ? [wallet] : [wallet, address];
  return { typed_data: dataOf(ctx, handle, submit), submit, signers };
}

/**
 * Makes a handle a business, or changes where it is paid. Orders that were made keep the address that they froze.
 * @throws AppError `signature_invalid`; `parameter_invalid` for one that came too late; `parameter_missing` for the signature of another address;
 * `state_conflict` for one that was used; `provider_unavailable`
 */
export async function submitBusiness(
  ctx: Ctx,
  handle: SessionHandle,
  submit: BusinessSubmit,
  { signature, payoutSignature }: { signature: Hex; payoutSignature?: Hex | undefined },
): Promise<PayoutView> {
  const wallet = walletOf(handle);
  const address = readAddress(submit.payout_address);
  const typedData = dataOf(ctx, handle, submit);
  await requireSigned(ctx, handle, typedData, submit, signature);
  const chain = servedEvmChain(ctx, submit.chain);
  const proof = address === wallet ? null : await proveAddress(chain, address, typedData, payoutSignature);
  await ctx.db.$transaction(async (tx) => {
    await useUp(ctx, tx, handle, submit);
    const before = await tx.handle.findUniqueOrThrow({ where: { id: handle.id } });
    // A contract that has proven itself elsewhere before is paid there too; another address starts without chains.
    const known = before.businessAddress === address ? before.businessChains : [];
    const businessChains = proof === 'contract' ? [...new Set([...known, chain.name])] : [];
    const businessAddress = proof === null ? null : address;
    await tx.handle.update({ where: { id: handle.id }, data: { kind: 'business', businessAddress, businessChains } });
    const factsOf = (kind: string, payout: string | null, chains: string[]) => ({
      ...{ kind, payout_address: payout ?? wallet, payout_chains: chains },
    });
    await record(ctx, tx, {
      ...{ workspaceId: handle.id, action: 'payout.changed', object: { kind: 'payout', id: handle.id } },
      before: factsOf(before.kind, before.businessAddress, before.businessChains),
      after: factsOf('business', businessAddress, businessChains),
    });
  });
  return workspaceView(ctx, handle.id);
}

/** No one is paid at an address without an owner: the owner of the address signs too. */
async function proveAddress(
  chain: EvmChain,
  address: Address,
  typedData: TypedData,
  signature: Hex | undefined,
): Promise<Proof> {
  if (signature === undefined) {
    const words = 'The payout address isn’t your wallet, so it must sign too.';
    throw new AppError('parameter_missing', words, { param: 'payout_signature' });
  }
  const proof = await proveSignature(chain, { address, hash: typedDataHash(typedData), signature });
  if (proof) return proof;
  throw new AppError('signature_invalid', 'The payout address’s signature doesn’t match. Sign with that wallet.');
}

function readAddress(text: string): Address {
  const address = checkedAddress(text);
  if (address) return address;
  throw new AppError('parameter_invalid', 'Invalid address. Check it and try again.', { param: 'payout_address' });
}

function dataOf(
  ctx: Ctx,
  handle: SessionHandle,
  { payout_address, chain, nonce, deadline }: BusinessSubmit,
): TypedData {
  const { chainId } = servedEvmChain(ctx, chain).facts;
  const payoutAddress = readAddress(payout_address);
  return businessWalletData({
    chainId,
    workspace: handle.slug,
    wallet: walletOf(handle),
    payoutAddress,
    nonce,
    deadline,
  });
}

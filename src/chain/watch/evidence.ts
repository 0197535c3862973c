// What a transaction's own bytes prove, whichever endpoint shows it: the hash of them, and whose keys signed them. Nothing here believes an endpoint.
import {
  type Address,
  formatTransaction,
  type Hex,
  isAddressEqual,
  keccak256,
  pad,
  type RpcTransaction,
  recoverAddress,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem';
import { serializeTransaction as serializeCelo } from 'viem/celo';
import { recoverAuthorizationAddress } from 'viem/utils';

/** Half the order of secp256k1: chains refuse signatures above it, because each would have a mirror image with a hash of its own. */
const HIGHEST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
/** An authorization may name any chain. */
const ANY_CHAIN = 0;
const MOST_AUTHORIZATIONS = 64;
const CELO_TYPE = '0x7b';

/** `hash` in lower case; `signers`: who signed the transaction, then who let code run in their name with it; `nonces`: which one each of them used. */
export type Signed = { hash: string; signers: string[]; nonces: number[] };

/** @returns null where the bytes prove nothing on this chain: another chain's, malformed, mirrored, or of a kind that no key signs */
export async function signedBy(shown: unknown, chainId: number): Promise<Signed | null> {
  try {
    const transaction = shown as RpcTransaction & { feeCurrency?: Address };
    const [r, s] = [word(transaction.r), word(transaction.s)];
    const parity = parityOf(transaction);
    if (parity === null || BigInt(s) > HIGHEST_S) return null;
    const { unsigned, serialize } = partsOf(transaction);
    if (unsigned.chainId !== undefined && unsigned.chainId !== chainId) return null;
    const signature = { r, s, yParity: parity };
    const sender = await recoverAddress({ hash: keccak256(serialize(unsigned)), signature });
    const v = unsigned.type === 'legacy' ? { v: BigInt(transaction.v) } : {};
    const hash = keccak256(serialize(unsigned, { ...signature, ...v }));
    const authorities = await authoritiesOf(transaction, chainId);
    const signers = [sender, ...authorities.map(({ address }) => address)].map((one) => one.toLowerCase());
    return { hash, signers, nonces: [Number(transaction.nonce), ...authorities.map(({ nonce }) => nonce)] };
  } catch {
    return null;
  }
}

type Serialize = (transaction: TransactionSerializable, signature?: { r: Hex; s: Hex; yParity: number }) => Hex;

function partsOf(transaction: RpcTransaction & { feeCurrency?: Address }): {
  unsigned: TransactionSerializable;
  serialize: Serialize;
} {
  const formatted = formatTransaction(transaction);
  const {
    input: data,
    r: _r,
    s: _s,
    v: _v,
    yParity: _y,
    ...rest
  } = formatted as typeof formatted & { yParity?: number };
  if ((transaction.type as string) === CELO_TYPE) {
    const { gasPrice: _, ...celo } = rest as { gasPrice?: bigint };
    const unsigned = { ...celo, data, type: 'cip64', feeCurrency: transaction.feeCurrency } as never;
    return { unsigned, serialize: serializeCelo as unknown as Serialize };
  }
  if (rest.type === 'legacy') {
    // The oldest kind names no chain, and its chain is not among what was signed.
    const v = BigInt(transaction.v);
    const chainId = v >= 35n ? Number((v - 35n) / 2n) : undefined;
    const { to, nonce, gas, gasPrice, value } = rest;
    const unsigned = {
      to,
      nonce,
      gas,
      gasPrice,
      value,
      data,
      type: 'legacy',
      ...(chainId === undefined ? {} : { chainId }),
    };
    return { unsigned: unsigned as TransactionSerializable, serialize: serializeTransaction as Serialize };
  }
  if (!rest.type) throw new Error('a kind of transaction that is not known here');
  // A node shows what the transaction paid as its gas price, which was not signed.
  const { gasPrice, ...others } = rest as { gasPrice?: bigint };
  const unsigned = { ...others, ...(rest.type === 'eip2930' ? { gasPrice } : {}), data };
  return { unsigned: unsigned as TransactionSerializable, serialize: serializeTransaction as Serialize };
}

function word(value: unknown): Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value)) throw new Error('not a part of a signature');
  return pad(value as Hex, { size: 32 });
}

function parityOf({ v, yParity, type }: RpcTransaction): 0 | 1 | null {
  if (type === '0x0') {
    const old = BigInt(v);
    return old === 27n || old === 28n
      ? (Number(old - 27n) as 0 | 1)
      : old >= 35n
        ? (Number((old - 35n) % 2n) as 0 | 1)
        : null;
  }
  const given = Number(yParity ?? v);
  return given === 0 || given === 1 ? given : null;
}

type Authority = { address: Address; nonce: number };

/** Whose accounts run foreign code by this transaction. */
async function authoritiesOf(transaction: RpcTransaction, chainId: number): Promise<Authority[]> {
  const list = formatTransaction(transaction).authorizationList ?? [];
  const found: Authority[] = [];
  for (const authorization of list.slice(0, MOST_AUTHORIZATIONS)) {
    if (authorization.chainId !== chainId && authorization.chainId !== ANY_CHAIN) continue;
    if (BigInt(authorization.s) > HIGHEST_S) continue;
    const signed = { ...authorization, r: word(authorization.r), s: word(authorization.s) };
    const authority = await recoverAuthorizationAddress({ authorization: signed }).catch(() => null);
    if (authority && !isAddressEqual(authority, ZERO))
      found.push({ address: authority, nonce: Number(authorization.nonce) });
  }
  return found;
}

const ZERO = '0x0000000000000000000000000000000000000000';

// Which way an account can pay USDC without a transaction of its own. Tokens and Permit2 check the signature of an account with code by ERC-1271,
// also when that code is an EIP-7702 delegation: then the account's own key may be worth nothing there.
import { encodeFunctionData, erc20Abi, isAddressEqual, keccak256, parseAbi, size, slice, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { authorizationData, permit2AllowanceData } from '../../domain/typedData/tokens.ts';
import type { TypedData } from '../../domain/typedData.ts';
import type { RouterName } from '../routers/code.ts';
import { type RevertReason, simulateCall } from '../routers/reverts.ts';
import { type Address, type EvmChain, type Hex, reading } from '../rpc/client.ts';
import { type TokenDomain, tokenDomain } from './permits.ts';
import { askCode, isOwnKey, typedDataHash } from './signatures.ts';

/** `allowance`: a signature for the router, over an allowance that it has. `direct`: the account's own transaction. */
export type Way = 'eip3009' | 'permit2' | 'eip2612' | 'allowance' | 'direct';

/** Why a way is closed. */
export type Closed =
  | { why: 'not_offered' }
  /** The token's EIP-712 domain is not the registry's: a signature would be worthless. */
  | { why: 'domain_mismatch' }
  | { why: 'permit2_missing' }
  /** The spender is Permit2, or the router. */
  | { why: 'allowance_missing'; spender: Address; allowance: bigint }
  /** The account is delegated (EIP-7702) to code that does not know its own key. */
  | { why: 'delegation_legacy'; delegate: Address }
  /** A contract that cannot sign. */
  | { why: 'no_erc1271' };

export type GaslessWays = {
  /** In order of preference. Where it is not `sure`, only a signature in hand tells (see `checkSigned`). */
  ways: { way: Way; sure: boolean }[];
  closed: Partial<Record<Way, Closed>>;
  /** To which code the account is delegated. */
  delegate: Address | null;
};

/** "sure": an account of this code, or of none, has signed for the real contract. "unsure": it answers, but only its key could tell more. */
type Signing = 'sure' | 'unsure' | 'never';

/**
 * What can be known before anything is signed.
 * @param use the router that shall draw, and how much, in smallest units
 * @throws AppError `provider_unavailable`
 */
export async function gaslessWays(
  chain: EvmChain,
  account: Address,
  use: { router: RouterName; amount: bigint },
): Promise<GaslessWays> {
  const router = chain.routers[use.router];
  const [code, domain, permit2Code, permit2Allowance, routerAllowance] = await Promise.all([
    codeOf(chain, account),
    tokenDomain(chain),
    codeOf(chain, chain.permit2),
    allowanceOf(chain, account, chain.permit2),
    allowanceOf(chain, account, router),
  ]);
  const delegate = delegateIn(code);
  const signing = code === '0x' ? 'sure' : await signingOf(chain, account, { code, domain });
  const cannotSign: Closed | null =
    signing !== 'never' ? null : delegate ? { why: 'delegation_legacy', delegate } : { why: 'no_erc1271' };

  const offers = (kind: 'eip2612' | 'eip3009' | 'permit2') => chain.facts.permits.includes(kind);
  const tokenCloses = (kind: 'eip2612' | 'eip3009'): Closed | null => {
    if (!offers(kind)) return { why: 'not_offered' };
    return domain ? cannotSign : { why: 'domain_mismatch' };
  };
  const permit2Closes = (): Closed | null => {
    if (!offers('permit2')) return { why: 'not_offered' };
    if (permit2Code === '0x') return { why: 'permit2_missing' };
    if (cannotSign) return cannotSign;
    if (permit2Allowance >= use.amount) return null;
    return { why: 'allowance_missing', spender: chain.permit2, allowance: permit2Allowance };
  };
  // The routers try the key itself first, so a delegation closes nothing there.
  const ownKey = code === '0x' || delegate !== null;
  const allowanceCloses = (): Closed | null => {
    if (!ownKey && cannotSign) return cannotSign;
    if (routerAllowance >= use.amount) return null;
    return { why: 'allowance_missing', spender: router, allowance: routerAllowance };
  };

  const found: [Way, Closed | null, boolean][] = [
    ['eip3009', tokenCloses('eip3009'), signing === 'sure'],
    ['permit2', permit2Closes(), signing === 'sure'],
    ['eip2612', tokenCloses('eip2612'), signing === 'sure'],
    ['allowance', allowanceCloses(), ownKey],
    ['direct', null, true],
  ];
  return {
    ways: found.flatMap(([way, closed, sure]) => (closed ? [] : [{ way, sure }])),
    closed: Object.fromEntries(found.flatMap(([way, closed]) => (closed ? [[way, closed]] : []))),
    delegate,
  };
}

export type SignedRefusal =
  | { code: 'delegation_legacy'; delegate: Address }
  | { code: 'refused'; reason: RevertReason };

/**
 * Simulates the real call that carries a signature. A legacy delegation is distinct from a signature that is simply wrong: the account's own key
 * signed for the token or for Permit2, and the account's code does not know it.
 * @returns null when the call would go through, else why not
 * @throws AppError `provider_unavailable`
 */
export async function checkSigned(
  chain: EvmChain,
  signed: { account: Address; data: TypedData; signature: Hex },
  call: { account?: Address; to: Address; data: Hex },
): Promise<SignedRefusal | null> {
  const reason = await simulateCall(chain, call);
  if (!reason) return null;
  const { account: address, data, signature } = signed;
  const delegate = delegateIn(await codeOf(chain, address));
  const verifier = data.domain['verifyingContract'] as Address;
  const asksCode = isAddressEqual(verifier, chain.usdc) || isAddressEqual(verifier, chain.permit2);
  const proof = { address, hash: typedDataHash(data), signature };
  if (delegate && asksCode && (await isOwnKey(proof))) {
    const answer = await reading(chain, () => askCode(chain.client, proof));
    if (answer !== 'valid') return { code: 'delegation_legacy', delegate };
  }
  return { code: 'refused', reason };
}

/** Whose code a delegated account runs (EIP-7702: 0xef0100 and the address), or null. */
export function delegateIn(code: Hex): Address | null {
  return size(code) === 23 && code.toLowerCase().startsWith('0xef0100') ? slice(code, 3) : null;
}

async function signingOf(
  chain: EvmChain,
  account: Address,
  { code, domain }: { code: Hex; domain: TokenDomain | null },
): Promise<Signing> {
  if (delegateIn(code) && (await acceptsOwnKey(chain, code, domain))) return 'sure';
  const hash = keccak256(toHex('who signed this?'));
  const signature = await STAND_IN.sign({ hash });
  const answer = await reading(chain, () => askCode(chain.client, { address: account, hash, signature }));
  return answer === 'mute' ? 'never' : 'unsure';
}

/** A fresh key, so that its address has never been used. */
const STAND_IN = privateKeyToAccount(generatePrivateKey());

const probeAbi = parseAbi([
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'struct PermitDetails { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
  'struct PermitSingle { PermitDetails details; address spender; uint256 sigDeadline; }',
  'function permit(address owner, PermitSingle permitSingle, bytes signature)',
]);
const FAR = 2n ** 40n;

/**
 * Whether a delegate accepts the key of the account that it stands in for: the same delegation is put, for one call, on an account whose key
 * we have, and that key signs for the real contract. False also where the delegate wants to be set up first, or the node has no overrides.
 */
async function acceptsOwnKey(chain: EvmChain, code: Hex, domain: TokenDomain | null): Promise<boolean> {
  const call = domain ? await authorizationProbe(chain, domain) : await permit2Probe(chain);
  try {
    await chain.client.call({
      account: chain.routers.payment,
      ...call,
      stateOverride: [{ address: STAND_IN.address, code }],
    });
    return true;
  } catch {
    // Whatever it was, the account itself is called next; a node that is away shows then.
    return false;
  }
}

async function authorizationProbe(chain: EvmChain, domain: TokenDomain): Promise<{ to: Address; data: Hex }> {
  const nonce = keccak256(toHex('stand-in'));
  const terms = {
    from: STAND_IN.address,
    to: chain.routers.payment,
    value: 0n,
    validAfter: 0n,
    validBefore: FAR,
    nonce,
  };
  const typed = authorizationData({ chainId: chain.facts.chainId, contract: chain.usdc }, domain, terms);
  const signature = await STAND_IN.signTypedData(typed as never);
  const args = [terms.from, terms.to, 0n, 0n, FAR, nonce, signature] as const;
  return {
    to: chain.usdc,
    data: encodeFunctionData({ abi: probeAbi, functionName: 'receiveWithAuthorization', args }),
  };
}

async function permit2Probe(chain: EvmChain): Promise<{ to: Address; data: Hex }> {
  const details = { token: chain.usdc, amount: 0n, expiration: 0, nonce: 0 };
  const terms = { ...details, spender: chain.routers.payment, deadline: FAR };
  const typed = permit2AllowanceData({ chainId: chain.facts.chainId, contract: chain.permit2 }, terms);
  const signature = await STAND_IN.signTypedData(typed as never);
  const single = { details, spender: terms.spender, sigDeadline: FAR };
  const args = [STAND_IN.address, single, signature] as const;
  return { to: chain.permit2, data: encodeFunctionData({ abi: probeAbi, functionName: 'permit', args }) };
}

/** `0x` for an account without code. @throws AppError `provider_unavailable` */
export async function codeOf(chain: EvmChain, address: Address): Promise<Hex> {
  return (await reading(chain, () => chain.client.getCode({ address }))) ?? '0x';
}

/** What a spender may draw of an account's USDC. @throws AppError `provider_unavailable` */
export async function allowanceOf(chain: EvmChain, owner: Address, spender: Address): Promise<bigint> {
  return reading(chain, () =>
    chain.client.readContract({
      address: chain.usdc,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [owner, spender],
    }),
  );
}

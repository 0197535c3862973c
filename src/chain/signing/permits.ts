// Calls that a wallet signed and anyone may send: a token's allowance (EIP-2612), and the bot router's limits and resume.
import {
  type Address,
  domainSeparator,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  parseAbi,
  size,
  slice,
} from 'viem';
import type { LimitsTerms, PermitTerms, UnpauseTerms } from '../../domain/typedData.ts';
import { botRouterAbi } from '../routers/abis/BotRouter.ts';
import { type EvmChain, reading } from '../rpc/client.ts';

/** What `max` means: more than any balance. A token may count it down all the same. */
export const UNLIMITED = maxUint256;

const permitAbi = parseAbi([
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)',
  'function nonces(address owner) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
]);

/** The number that the owner's next permit must carry. @throws AppError `provider_unavailable` */
export async function permitNonce(chain: EvmChain, owner: Address): Promise<bigint> {
  return reading(chain, () =>
    chain.client.readContract({ address: chain.usdc, abi: permitAbi, functionName: 'nonces', args: [owner] }),
  );
}

/** The number that the sender's next signature to the bot router must carry. @throws AppError `provider_unavailable` */
export async function routerNonce(chain: EvmChain, sender: Address): Promise<bigint> {
  return reading(chain, () =>
    chain.client.readContract({
      address: chain.routers.bot,
      abi: botRouterAbi,
      functionName: 'nonces',
      args: [sender],
    }),
  );
}

/**
 * The EIP-712 domain under which USDC takes permits on a chain, or null where it takes none.
 * @throws AppError `provider_unavailable`
 */
export async function permitDomain(chain: EvmChain): Promise<TokenDomain | null> {
  return chain.facts.permits.includes('eip2612') ? tokenDomain(chain) : null;
}

export type TokenDomain = { name: string; version: string };

/**
 * USDC's EIP-712 domain on a chain, or null where it has none or another than the registry says. The token's own word counts: with another
 * name or version in its domain every signature would be worthless.
 * @throws AppError `provider_unavailable`
 */
export async function tokenDomain(chain: EvmChain): Promise<TokenDomain | null> {
  const { usdcDomain, chainId } = chain.facts;
  if (!usdcDomain) return null;
  const ours = domainSeparator({ domain: { ...usdcDomain, chainId, verifyingContract: chain.usdc } });
  const theirs = await reading(chain, () =>
    chain.client.readContract({ address: chain.usdc, abi: permitAbi, functionName: 'DOMAIN_SEPARATOR' }),
  );
  return theirs === ours ? usdcDomain : null;
}

/** Some wallets end a signature with 0 or 1 where contracts want 27 or 28. What is no key's signature stays as it is. */
export function normalSignature(signature: Hex): Hex {
  if (size(signature) !== 65) return signature;
  const last = Number.parseInt(signature.slice(130), 16);
  return last > 1 ? signature : `${signature.slice(0, 130) as Hex}${(27 + last).toString(16)}`;
}

/** A key's signature goes as three numbers, which every EIP-2612 token takes; what only a contract wallet understands goes as bytes. */
export function encodePermit({ owner, spender, value, deadline }: PermitTerms, signature: Hex): Hex {
  const terms = [owner as Address, spender as Address, value, BigInt(deadline)] as const;
  const v = Number.parseInt(signature.slice(130), 16);
  if (size(signature) !== 65 || (v !== 27 && v !== 28))
    return encodeFunctionData({ abi: permitAbi, functionName: 'permit', args: [...terms, signature] });
  const [r, s] = [slice(signature, 0, 32), slice(signature, 32, 64)];
  return encodeFunctionData({ abi: permitAbi, functionName: 'permit', args: [...terms, v, r, s] });
}

export function encodeSetLimits(terms: LimitsTerms, signature: Hex): Hex {
  const { sender, token, perTip, perDay, maxFee, nonce, deadline } = terms;
  return encodeFunctionData({
    abi: botRouterAbi,
    functionName: 'setLimitsBySig',
    args: [sender as Address, token as Address, perTip, perDay, maxFee, nonce, BigInt(deadline), signature],
  });
}

export function encodeUnpause({ sender, nonce, deadline }: UnpauseTerms, signature: Hex): Hex {
  return encodeFunctionData({
    abi: botRouterAbi,
    functionName: 'unpauseSenderBySig',
    args: [sender as Address, nonce, BigInt(deadline), signature],
  });
}

/** For wallets that approve by themselves. */
export function encodeApprove(spender: Address, value: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, value] });
}

// Calls that are played without being sent, and what a refusal means in our words: the routers' errors, Permit2's, and a token's own text.
import {
  type Abi,
  type Address,
  BaseError,
  decodeErrorResult,
  type Hex,
  isHex,
  parseAbi,
  toFunctionSelector,
} from 'viem';
import { type EvmChain, isRevert, reading } from '../rpc/client.ts';
import { botRouterAbi } from './abis/BotRouter.ts';
import { businessRouterAbi } from './abis/BusinessRouter.ts';
import { escrowRouterAbi } from './abis/EscrowRouter.ts';
import { paymentRouterAbi } from './abis/PaymentRouter.ts';
import { subscriptionRouterAbi } from './abis/SubscriptionRouter.ts';

/**
 * A revert in our words: the error's name, its arguments where it has any (a `bigint` for a number), and a text where a token refused.
 * `TransferFailed` carries the token's text; `NoReason` is a revert without data, `Unknown` one that our contracts do not declare. `at` is the number of
 * the instruction that failed, where a transaction has several.
 */
export type RevertReason = { name: string; args?: readonly unknown[]; text?: string; at?: number };

/** Permit2 (ISignatureTransfer, IAllowanceTransfer, SignatureVerification), whose words the routers pass on. */
const permit2Errors = parseAbi([
  'error InvalidSigner()',
  'error InvalidSignatureLength()',
  'error InvalidContractSignature()',
  'error SignatureExpired(uint256 signatureDeadline)',
  'error AllowanceExpired(uint256 deadline)',
  'error InsufficientAllowance(uint256 amount)',
  'error InvalidAmount(uint256 maxAmount)',
  'error InvalidNonce()',
]);

/** By selector, so that what several routers declare stands there once. */
const errorsBySelector = new Map<Hex, Abi[number]>();
for (const item of [
  ...botRouterAbi,
  ...escrowRouterAbi,
  ...paymentRouterAbi,
  ...businessRouterAbi,
  ...subscriptionRouterAbi,
  ...permit2Errors,
  ...parseAbi(['error Error(string text)']),
]) {
  if (item.type !== 'error') continue;
  errorsBySelector.set(toFunctionSelector(`${item.name}(${item.inputs.map(({ type }) => type).join(',')})`), item);
}
const revertAbi: Abi = [...errorsBySelector.values()];

/**
 * Plays a call against the newest block without sending it; too little `gas` is a refusal, too.
 * @returns null when it would go through, else why not
 * @throws AppError `provider_unavailable`
 */
export async function simulateCall(
  chain: EvmChain,
  call: { account?: Address; to: Address; data: Hex; gas?: bigint; value?: bigint },
): Promise<RevertReason | null> {
  return reading(chain, async () => {
    try {
      await chain.client.call(call);
      return null;
    } catch (error) {
      const revert = revertData(error);
      if (revert === null) throw error;
      return decodeRevert(revert);
    }
  });
}

/** The revert data of a failed call; null when it did not fail by a revert. Providers put texts into `data` when they refuse to answer. */
export function revertData(error: unknown): Hex | null {
  // Nodes differ: some give a code, some only the words "execution reverted", some no data.
  if (!(error instanceof BaseError) || !isRevert(error)) return null;
  const withData = error.walk((inner) => isHex((inner as { data?: unknown }).data)) as { data: Hex } | null;
  return withData?.data ?? '0x';
}

/** What revert data says: one of ours by its name, with a token's text where the token refused. */
export function decodeRevert(data: Hex): RevertReason {
  if (data === '0x') return { name: 'NoReason' };
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: revertAbi, data });
    if (errorName === 'Error') return { name: 'TokenRefused', text: args[0] as string };
    if (errorName !== 'TransferFailed') return args.length > 0 ? { name: errorName, args } : { name: errorName };
    return { name: 'TransferFailed', text: decodeRevert(args[0] as Hex).text ?? 'no reason given' };
  } catch {
    return { name: 'Unknown' };
  }
}

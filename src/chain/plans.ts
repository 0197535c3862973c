// Plans and subscriptions on a chain of any family: their keys, what the chain says of one, and what wallets sign about them.
import type { Hex } from 'viem';
import type { PlanState, SubscriptionState } from '../domain/typedData/subscriptions.ts';
import { type SignedCall, signedCallOf, type TransactionToSign } from './calls.ts';
import type { Chain } from './chain.ts';
import { confirmationsOf, newestBlock } from './heads.ts';
import { readAllowances, readSubscriberFunds } from './routers/charges.ts';
import { encodeCreatePlan, planKeyOf as evmPlanKeyOf, readPlan, readSubscription } from './routers/subscription.ts';
import type { Address } from './rpc/client.ts';
import type { SolanaChain } from './solana/client.ts';
import { treasuryOf } from './solana/orders.ts';
import {
  planMoveSigner,
  type SolanaPlanMove,
  solanaFunds,
  solanaPlanCall,
  solanaPlanKey,
  solanaPlanState,
  solanaSubscriptions,
} from './solana/subscriptions.ts';
import { hasTokenAccount } from './solana/tabs.ts';
import { buildPaidMessage, readSignedCall, unsignedTransaction } from './solana/walletCalls.ts';

/** A plan's terms: they never change, so other terms are another plan. `amount` in smallest units of USDC, `period` in seconds. */
export type PlanTerms = { creator: string; planIdHash: string; amount: bigint; period: number };
/** A subscription: a wallet has one to a plan at a time. */
export type Pair = { planKey: string; subscriber: string };
/** As a wallet of EVM takes it. */
export type WalletCall = { to: string; data: string; value: '0x0'; chainId: number };

export function planKeyOf(chain: Chain, { creator, planIdHash, amount, period }: PlanTerms): Hex {
  const terms = { planIdHash: planIdHash as Hex, amount, period };
  if (chain.family === 'solana') return solanaPlanKey(chain, { creator, ...terms });
  return evmPlanKeyOf(chain, { creator: creator as Address, token: chain.usdc, ...terms });
}

/** Where plans are made: a router, or the program. */
export function planContract(chain: Chain): string {
  return chain.family === 'solana' ? chain.program.id : chain.routers.subscription;
}

/** The creator's own call that makes a plan; null where an executor sends what the creator signs. */
export function ownCreate(chain: Chain, { planIdHash, amount, period }: PlanTerms): WalletCall | null {
  if (chain.family === 'solana') return null;
  const data = encodeCreatePlan({ planIdHash: planIdHash as Hex, token: chain.usdc, amount, period });
  return { to: chain.routers.subscription, data, value: '0x0', chainId: chain.facts.chainId };
}

/** The state of a plan in the newest block; `unknown` when there is none. @throws AppError `provider_unavailable` */
export async function planState(chain: Chain, planKey: string): Promise<PlanState> {
  if (chain.family === 'solana') return solanaPlanState(chain, planKey as Hex, 'confirmed');
  return (await readPlan(chain, planKey as Hex)).state;
}

/** The same in blocks that are final for us. @throws AppError `provider_unavailable` */
export async function finalPlanState(chain: Chain, planKey: string): Promise<PlanState> {
  if (chain.family === 'solana') return solanaPlanState(chain, planKey as Hex, 'finalized');
  const block = (await newestBlock(chain)) - BigInt(confirmationsOf(chain)) + 1n;
  return block < 0n ? 'unknown' : (await readPlan(chain, planKey as Hex, block)).state;
}

/** Times are Unix seconds, 0 for never. */
export type SubscriptionOnChain = { state: SubscriptionState; lastChargedAt: bigint; nextChargeAt: bigint };

/** @throws AppError `provider_unavailable` */
export async function subscriptionOnChain(chain: Chain, { planKey, subscriber }: Pair): Promise<SubscriptionOnChain> {
  if (chain.family === 'evm')
    return readSubscription(chain, { planKey: planKey as Hex, subscriber: subscriber as Address });
  const [found] = await solanaSubscriptions(chain, [{ planKey: planKey as Hex, subscriber }]);
  if (!found) throw new Error('every pair has an answer');
  return found;
}

/** What a wallet has of USDC, and what may be drawn of it for subscriptions; Permit2 aside. @throws AppError `provider_unavailable` */
export async function subscriberFunds(chain: Chain, wallet: string): Promise<{ balance: bigint; allowance: bigint }> {
  if (chain.family === 'evm') return readSubscriberFunds(chain, wallet as Address);
  const [funds] = await solanaFunds(chain, [wallet]);
  if (!funds) throw new Error('every wallet has an answer');
  return funds;
}

/** What may be drawn of each wallet. @throws AppError `provider_unavailable` */
export async function allowancesOf(chain: Chain, wallets: readonly string[]): Promise<Map<string, bigint>> {
  if (chain.family === 'evm') return readAllowances(chain, wallets as readonly Address[]);
  const funds = await solanaFunds(chain, wallets);
  return new Map(wallets.map((wallet, index) => [wallet, funds[index]?.allowance ?? 0n]));
}

/** Whether what may be drawn for subscriptions is the same that tips draw on. */
export function sharesAllowance(chain: Chain): boolean {
  return chain.family === 'solana';
}

/** Whether a signature can be kept to be sent weeks later: what trials and changes of price need. */
export function keepsSignatures(chain: Chain): boolean {
  return chain.family === 'evm';
}

/** What a wallet does with plans and subscriptions. `allowance` is what may be drawn of it from then on, null leaves that as it is. */
export type PlanMove =
  | { name: 'create'; plan: PlanTerms }
  | { name: 'set_plan'; creator: string; planKey: string; state: 'active' | 'inactive' }
  | ({ name: 'subscribe'; creator: string; amount: bigint; period: number; allowance: bigint | null } & Pair)
  | ({ name: 'cancel'; by: string } & Pair)
  | { name: 'allow'; owner: string; allowance: bigint };

/** Whether what a wallet signs about plans is a transaction, which an executor pays for and sends; else it is typed data, or a call of its own. */
export function signsWhole(chain: Chain): boolean {
  return chain.family === 'solana';
}

/**
 * A move as a transaction that its wallet signs and an executor sends.
 * @param payer the key of ours that pays the network fee, and the rent of what is opened
 * @returns null where wallets sign something else
 * @throws AppError `provider_unavailable`
 */
export async function preparePlanMove(
  chain: Chain,
  move: PlanMove,
  payer: string | null,
): Promise<TransactionToSign | null> {
  if (chain.family === 'evm') return null;
  if (payer === null) throw new Error('a transaction on Solana names who pays for it');
  const treasury = await treasuryOf(chain);
  const opensAccount = move.name === 'create' && !(await hasTokenAccount(chain, move.plan.creator, chain.usdc));
  const solanaMove = onSolana(move, opensAccount);
  const paid = await buildPaidMessage(chain, payer, solanaPlanCall(chain, solanaMove, { treasury, payer }));
  return { signed_by: planMoveSigner(solanaMove), solana_transaction: unsignedTransaction(paid) };
}

/** @param opensAccount it creates a token account at our cost */
export type SignedPlanMove = SignedCall & { opensAccount: boolean };

/**
 * A move in a transaction that its wallet has signed.
 * @param text in base64
 * @returns null for any other transaction than {@link preparePlanMove} gives, and for another signature
 * @throws AppError `provider_unavailable`
 */
export async function readPlanMove(chain: Chain, move: PlanMove, text: string): Promise<SignedPlanMove | null> {
  if (chain.family === 'evm') return null;
  const treasury = await treasuryOf(chain);
  // The creator's token account may have come to be since it was built.
  for (const opensAccount of move.name === 'create' ? [false, true] : [false]) {
    const signed = await readOne(chain, onSolana(move, opensAccount), treasury, text);
    if (signed) return { ...signed, opensAccount };
  }
  return null;
}

async function readOne(
  chain: SolanaChain,
  move: SolanaPlanMove,
  treasury: string,
  text: string,
): Promise<SignedCall | null> {
  const build = (payer: string) => solanaPlanCall(chain, move, { treasury, payer });
  const signed = await readSignedCall(chain, text, planMoveSigner(move), build);
  return signed && signedCallOf(chain, signed);
}

function onSolana(move: PlanMove, opensAccount: boolean): SolanaPlanMove {
  switch (move.name) {
    case 'create':
      return { ...move, plan: { ...move.plan, planIdHash: move.plan.planIdHash as Hex }, opensAccount };
    case 'allow':
      return move;
    default:
      return { ...move, planKey: move.planKey as Hex };
  }
}

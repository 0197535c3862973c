// Due charges: simulated one after the other before any is sent, with what each subscriber has and allows.
import { type Abi, ContractFunctionExecutionError, ContractFunctionZeroDataError, erc20Abi, parseAbi } from 'viem';
import type { ChargeFailure } from '../../domain/subscription.ts';
import { type Address, type EvmChain, type Hex, isRevert, reading } from '../rpc/client.ts';
import { subscriptionRouterAbi as abi } from './abis/SubscriptionRouter.ts';
import { decodeRevert, type RevertReason } from './reverts.ts';
import type { Charge } from './subscription.ts';

/** Reads of one call: far below what nodes take as the code of a call. */
const READS_BYTES = 4_096;
/** Of one simulated call: with 200 a run of 400 charged nothing on a local chain. */
const CHARGES_AT_ONCE = 50;
const permit2Abi = parseAbi([
  'function allowance(address owner, address token, address spender) view returns (uint160 amount, uint48 expiration, uint48 nonce)',
]);

/** `early`: the router says that it is not due, or no longer active. */
export type Verdict =
  | { kind: 'payable' }
  | { kind: 'early' }
  | { kind: 'paused' }
  | { kind: 'failed'; code: ChargeFailure };
export type DueCharge = Charge & { amount: bigint };

/**
 * What each charge would do now, in the same order: those before it count, so that hardly any balance is promised twice.
 * @throws AppError `provider_unavailable`
 */
export async function simulateCharges(chain: EvmChain, charges: readonly DueCharge[]): Promise<Verdict[]> {
  const groups: DueCharge[][] = [];
  for (let at = 0; at < charges.length; at += CHARGES_AT_ONCE) groups.push(charges.slice(at, at + CHARGES_AT_ONCE));
  return (await Promise.all(groups.map((group) => simulateSome(chain, group)))).flat();
}

async function simulateSome(chain: EvmChain, charges: readonly DueCharge[]): Promise<Verdict[]> {
  const contracts = charges.map(({ planKey, subscriber }) => ({
    address: chain.routers.subscription,
    abi: abi as Abi,
    functionName: 'charge',
    args: [planKey, subscriber],
  }));
  // One call, so that each sees what those before it took.
  const answers = await reading(chain, async () =>
    answered(await chain.client.multicall({ contracts, deployless: true, batchSize: 0, allowFailure: true })),
  );
  const reasons = answers.map((answer) => (answer.status === 'success' ? null : revertOf(answer.error)));
  const unpaid = charges.filter((_, index) => reasons[index] && isTransfer(reasons[index]));
  const funds = await readFunds(chain, unpaid);
  return charges.map((charge, index) => {
    const reason = reasons[index];
    return reason ? verdictOf(reason, charge, funds.get(charge)) : { kind: 'payable' };
  });
}

/** Why a charge failed within a batch that a block has. @throws AppError `provider_unavailable` */
export async function failureOf(chain: EvmChain, charge: DueCharge, reason: Hex): Promise<Verdict> {
  const revert = decodeRevert(reason);
  const funds = isTransfer(revert) ? await readFunds(chain, [charge]) : new Map();
  return verdictOf(revert, charge, funds.get(charge));
}

/** A node that does not answer is given as a failure of each call: that is no word of a contract. @throws the node's error */
function answered<Answer extends { status: string; error?: unknown }>(answers: readonly Answer[]): Answer[] {
  for (const { error } of answers) if (error !== undefined && !isOwnWord(error)) throw error;
  return [...answers];
}

/** Of the one call, not of the call that carried all. */
function isOwnWord(error: unknown): boolean {
  if (!(error instanceof ContractFunctionExecutionError) || error.functionName === 'aggregate3') return false;
  return isRevert(error) || error.walk((inner) => inner instanceof ContractFunctionZeroDataError) !== null;
}

function revertOf(error: unknown): RevertReason {
  const { cause } = error as { cause?: { raw?: Hex } };
  const raw = cause?.raw ?? (error as { raw?: Hex }).raw;
  if (raw) return decodeRevert(raw);
  return { name: 'NoReason' };
}

type Funds = { balance: bigint; allowance: bigint };

/** What the router could draw of each now. */
async function readFunds(chain: EvmChain, charges: readonly DueCharge[]): Promise<Map<DueCharge, Funds>> {
  if (charges.length === 0) return new Map();
  const usdc = { address: chain.usdc, abi: erc20Abi } as const;
  const router = chain.routers.subscription;
  const contracts = charges.flatMap(({ planKey, subscriber }) => [
    { ...usdc, functionName: 'balanceOf', args: [subscriber] },
    { ...usdc, functionName: 'allowance', args: [subscriber, router] },
    { ...usdc, functionName: 'allowance', args: [subscriber, chain.permit2] },
    { address: chain.permit2, abi: permit2Abi, functionName: 'allowance', args: [subscriber, chain.usdc, router] },
    { address: router, abi, functionName: 'subscriptionOf', args: [planKey, subscriber] },
  ]);
  const [answers, block] = await reading(chain, () =>
    Promise.all([
      chain.client
        .multicall({
          contracts: contracts as never[],
          deployless: true,
          batchSize: READS_BYTES,
          allowFailure: true,
        })
        .then((found) => answered<{ status: string; result?: unknown; error?: unknown }>(found)),
      chain.client.getBlock(),
    ]),
  );
  return new Map(
    charges.map((charge, index) => {
      const read = answers.slice(index * 5, index * 5 + 5).map(({ result }) => result);
      const [balance = 0n, ofRouter = 0n, ofPermit2 = 0n] = read as (bigint | undefined)[];
      const [amount = 0n, expiration = 0] = (read[3] as [bigint, number] | undefined) ?? [];
      const { viaPermit2 = false } = (read[4] as { viaPermit2?: boolean } | undefined) ?? {};
      const inPermit2 = BigInt(expiration) < block.timestamp ? 0n : amount;
      const allowance = viaPermit2 ? (inPermit2 < ofPermit2 ? inPermit2 : ofPermit2) : ofRouter;
      return [charge, { balance, allowance }] as const;
    }),
  );
}

const TRANSFER_ERRORS = new Set([
  'TransferFailed',
  'TokenRefused',
  'NoReason',
  'Unknown',
  'AllowanceExpired',
  'InsufficientAllowance',
]);

function isTransfer({ name }: RevertReason): boolean {
  return TRANSFER_ERRORS.has(name);
}

function verdictOf({ name }: RevertReason, { amount }: DueCharge, funds: Funds | undefined): Verdict {
  if (name === 'TooSoon' || name === 'NotActive') return { kind: 'early' };
  if (name === 'PlanInactive' || name === 'UnknownPlan') return { kind: 'failed', code: 'plan_inactive' };
  if (name === 'Paused') return { kind: 'paused' };
  if (!funds) return { kind: 'failed', code: 'token_refused' };
  if (funds.balance < amount) return { kind: 'failed', code: 'insufficient_balance' };
  return { kind: 'failed', code: funds.allowance < amount ? 'insufficient_allowance' : 'token_refused' };
}

/** The router wants so much left before each charge. Measured at 36,000 a charge in a batch, and twice that by Permit2 with cold storage. */
const GAS_BASE = 480_000n;
const GAS_PER_CHARGE = 100_000n;

/** The gas limit of a batch: what is not used is not paid, and an estimate would execute it a dozen times. */
export function gasForCharges(count: number): bigint {
  return GAS_BASE + GAS_PER_CHARGE * BigInt(count);
}

/** `state` is the router’s number, `nextChargeAt` Unix seconds. */
export type ReadState = { state: number; nextChargeAt: bigint; viaPermit2: boolean };

/** How the router reads subscriptions now, in the same order. @throws AppError `provider_unavailable` */
export async function readStates(chain: EvmChain, subscriptions: readonly Charge[]): Promise<ReadState[]> {
  if (subscriptions.length === 0) return [];
  const contracts = subscriptions.map(({ planKey, subscriber }) => ({
    address: chain.routers.subscription,
    abi: abi as Abi,
    functionName: 'subscriptionOf',
    args: [planKey, subscriber],
  }));
  const answers = await reading(chain, () =>
    chain.client.multicall({ contracts, deployless: true, batchSize: READS_BYTES, allowFailure: false }),
  );
  return answers as ReadState[];
}

/** Everything that a wallet has given the subscription router: its balance of USDC, and what may be drawn of it. */
export type SubscriberFunds = Funds & { permit2: { amount: bigint; expiration: number; nonce: number } };

/** @throws AppError `provider_unavailable` */
export async function readSubscriberFunds(chain: EvmChain, subscriber: Address): Promise<SubscriberFunds> {
  const usdc = { address: chain.usdc, abi: erc20Abi } as const;
  const router = chain.routers.subscription;
  return reading(chain, async () => {
    const [balance, allowance, permit2] = await Promise.all([
      chain.client.readContract({ ...usdc, functionName: 'balanceOf', args: [subscriber] }),
      chain.client.readContract({ ...usdc, functionName: 'allowance', args: [subscriber, router] }),
      chain.client
        .readContract({
          address: chain.permit2,
          abi: permit2Abi,
          functionName: 'allowance',
          args: [subscriber, chain.usdc, router],
        })
        .catch((error: unknown) => {
          if (isRevert(error)) return [0n, 0, 0] as const;
          throw error;
        }),
    ]);
    const [amount, expiration, nonce] = permit2;
    return { balance, allowance, permit2: { amount, expiration, nonce } };
  });
}

/** What the router may draw of each wallet's USDC, Permit2 aside. @throws AppError `provider_unavailable` */
export async function readAllowances(chain: EvmChain, owners: readonly Address[]): Promise<Map<Address, bigint>> {
  const contracts = owners.map((owner) => ({
    address: chain.usdc,
    abi: erc20Abi as Abi,
    functionName: 'allowance',
    args: [owner, chain.routers.subscription],
  }));
  const answers = await reading(chain, () =>
    chain.client.multicall({ contracts, deployless: true, batchSize: READS_BYTES, allowFailure: false }),
  );
  return new Map(owners.map((owner, index) => [owner, answers[index] as bigint]));
}

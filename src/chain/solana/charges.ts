// Charges on Solana: what each would do now, by the accounts that the program looks at; the transactions that make several, and the calls that halt
// and close.
import type { ChargeFailure } from '../../domain/subscription.ts';
import type { RentReturn } from '../rent.ts';
import type { RevertReason } from '../routers/reverts.ts';
import { decodeConfig, decodePlan, decodeSubscription } from './accounts.ts';
import { tokenAccount } from './addresses.ts';
import { fitsTransaction, type SolanaCall, type SolanaChain } from './client.ts';
import { CLOCK_SYSVAR, timeOfClock } from './clock.ts';
import type { SolanaAddress } from './codec.ts';
import { buildInstruction } from './instructions.ts';
import { type Accounts, readAccounts } from './manyAccounts.ts';
import { decodePayload, EXECUTOR, encodeInstructions } from './payload.ts';
import { pairAddress, planAddress, type SolanaPair, stateOf } from './subscriptions.ts';
import { readTokenAccount, type TokenAccount } from './tokens.ts';

/** Measured at 12,900, see docs/computeUnits.json. */
const CHARGE_UNITS = 30_000;
const BASE_UNITS = 10_000;
/** Measured at 2,100. */
const HALT_UNITS = 20_000;
const CLOSE_UNITS = 20_000;
/** Instructions of every transaction that come before its own: the limit and the price of compute units. */
const BEFORE = 2;

export type SolanaCharge = SolanaPair & { creator: SolanaAddress; amount: bigint };
export type SolanaVerdict =
  | { kind: 'payable' }
  | { kind: 'early' }
  | { kind: 'paused' }
  | { kind: 'failed'; code: ChargeFailure };

const failed = (code: ChargeFailure): SolanaVerdict => ({ kind: 'failed', code });

/**
 * What each charge would do now, in the same order: those before it count, so that no balance is promised twice.
 * @throws AppError `provider_unavailable`
 */
export async function judgeSolanaCharges(
  chain: SolanaChain,
  charges: readonly SolanaCharge[],
): Promise<SolanaVerdict[]> {
  const place = (owner: SolanaAddress) => tokenAccount(owner, chain.usdc).address;
  const { config: configAddress } = chain.program.fixed;
  const accounts = await readAccounts(chain, [
    configAddress,
    CLOCK_SYSVAR,
    ...charges.map(({ planKey }) => planAddress(chain, planKey)),
    ...charges.map((charge) => pairAddress(chain, charge)),
    ...charges.flatMap(({ subscriber, creator }) => [place(subscriber), place(creator)]),
  ]);
  const config = own(chain, accounts, configAddress, decodeConfig);
  if (!config) throw new Error('the program is not initialized');
  const now = timeOfClock(accounts.get(CLOCK_SYSVAR));
  if (now < config.pausedUntil) return charges.map(() => ({ kind: 'paused' }));
  const fees = place(config.treasury);
  const receiver = (address: SolanaAddress, known: Accounts) =>
    canReceive(readTokenAccount(known.get(address) ?? null));
  const canTakeFees = receiver(fees, await readAccounts(chain, [fees]));
  const left = new Map<SolanaAddress, { balance: bigint; allowance: bigint }>();
  return charges.map((charge): SolanaVerdict => {
    const { planKey, creator, subscriber, amount } = charge;
    if (own(chain, accounts, planAddress(chain, planKey), decodePlan)?.state !== ACTIVE) return failed('plan_inactive');
    const subscription = own(chain, accounts, pairAddress(chain, charge), decodeSubscription);
    const isDue = subscription && stateOf(subscription, now) === 'active' && now >= subscription.nextChargeAt;
    if (!isDue) return { kind: 'early' };
    const source = readTokenAccount(accounts.get(place(subscriber)) ?? null);
    const delegated = source?.delegate === chain.program.fixed.spender ? source.delegated : 0n;
    const funds = left.get(subscriber) ?? { balance: source?.amount ?? 0n, allowance: delegated };
    if (funds.balance < amount) return failed('insufficient_balance');
    if (funds.allowance < amount) return failed('insufficient_allowance');
    if (source?.isFrozen || !receiver(place(creator), accounts) || !canTakeFees || subscriber === creator)
      return failed('token_refused');
    left.set(subscriber, { balance: funds.balance - amount, allowance: funds.allowance - amount });
    return { kind: 'payable' };
  });
}

const ACTIVE = 1;
const canReceive = (account: TokenAccount | null) => account !== null && !account.isFrozen;

function own<T>(
  chain: SolanaChain,
  accounts: Accounts,
  address: SolanaAddress,
  decode: (data: Uint8Array) => T | null,
): T | null {
  const account = accounts.get(address);
  return account?.owner.toBase58() === chain.program.id ? decode(account.data) : null;
}

/** Charges in one transaction: when one fails, none is made. */
export function solanaChargeCall(
  chain: SolanaChain,
  charges: readonly SolanaCharge[],
  treasury: SolanaAddress,
): SolanaCall {
  const place = (owner: SolanaAddress) => tokenAccount(owner, chain.usdc).address;
  const instructions = charges.map((charge) =>
    buildInstruction(chain.program, 'charge', {
      args: {},
      accounts: {
        caller: EXECUTOR,
        plan: planAddress(chain, charge.planKey),
        subscription: pairAddress(chain, charge),
        source: place(charge.subscriber),
        creator: place(charge.creator),
        treasury: place(treasury),
      },
    }),
  );
  return { units: BASE_UNITS + CHARGE_UNITS * charges.length, instructions };
}

/** Splits charges into transactions of as many as fit; those of one plan share accounts, so they go together. One that may fail goes alone. */
export function packSolanaCharges<Charge extends SolanaCharge & { isDoubtful: boolean }>(
  chain: SolanaChain,
  charges: readonly Charge[],
  treasury: SolanaAddress,
): Charge[][] {
  const packs: Charge[][] = charges.flatMap((charge) => (charge.isDoubtful ? [[charge]] : []));
  const certain = charges.filter(({ isDoubtful }) => !isDoubtful);
  const planKeys = [...new Set(certain.map(({ planKey }) => planKey))];
  const places = new Map(planKeys.map((planKey, index) => [planKey, index]));
  const placeOf = ({ planKey }: Charge) => places.get(planKey) ?? 0;
  let pack: Charge[] = [];
  for (const charge of [...certain].sort((a, b) => placeOf(a) - placeOf(b))) {
    const more = [...pack, charge];
    if (pack.length > 0 && !fitsTransaction(EXECUTOR, solanaChargeCall(chain, more, treasury))) {
      packs.push(pack);
      pack = [charge];
    } else pack = more;
  }
  if (pack.length > 0) packs.push(pack);
  return packs;
}

/** Which of the charges of a stored call is the instruction that failed. @param data what {@link encodeInstructions} wrote of a call that makes them */
export function failedCharge<Charge extends SolanaPair>(
  chain: SolanaChain,
  charges: readonly Charge[],
  data: string,
  { at }: RevertReason,
): Charge | null {
  const payload = decodePayload(data, EXECUTOR);
  const instruction = at === undefined || !('instructions' in payload) ? undefined : payload.instructions[at - BEFORE];
  const named = new Set(instruction?.keys.map(({ pubkey }) => pubkey.toBase58()));
  return charges.find((charge) => named.has(pairAddress(chain, charge))) ?? null;
}

/** What the program's error says of a charge; null for one that is of all charges alike. */
export function verdictOfError({ name }: RevertReason): SolanaVerdict | null {
  switch (name) {
    case 'Paused':
      return null;
    case 'TooSoon':
    case 'NotActive':
      return { kind: 'early' };
    case 'PlanInactive':
      return failed('plan_inactive');
    case 'BalanceTooLow':
      return failed('insufficient_balance');
    case 'AllowanceTooLow':
    case 'NotApproved':
      return failed('insufficient_allowance');
    default:
      return failed('token_refused');
  }
}

export function solanaHaltCall(chain: SolanaChain, pair: SolanaPair): SolanaCall {
  const accounts = { executor: EXECUTOR, subscription: pairAddress(chain, pair) };
  return { units: HALT_UNITS, instructions: [buildInstruction(chain.program, 'halt', { args: {}, accounts })] };
}

/**
 * Those of ended subscriptions whose accounts can be closed now, with the calls, and those that are closed already.
 * @throws AppError `provider_unavailable`
 */
export async function closableSubscriptions(
  chain: SolanaChain,
  pairs: readonly SolanaPair[],
): Promise<(RentReturn | 'closed' | 'open')[]> {
  const addresses = pairs.map((pair) => pairAddress(chain, pair));
  const accounts = await readAccounts(chain, [CLOCK_SYSVAR, ...addresses], 'finalized');
  const now = timeOfClock(accounts.get(CLOCK_SYSVAR));
  return addresses.map((address) => {
    const found = own(chain, accounts, address, decodeSubscription);
    if (!found) return 'closed';
    const half = (BigInt(found.period) + 1n) / 2n;
    if (stateOf(found, now) === 'active' || now < found.lastChargedAt + half) return 'open';
    const close = buildInstruction(chain.program, 'closeSubscription', {
      args: {},
      accounts: { caller: EXECUTOR, subscription: address, rentTo: found.rentTo },
    });
    const data = encodeInstructions([close]);
    return { address, call: { to: chain.program.id, data, gas: BigInt(CLOSE_UNITS) } };
  });
}

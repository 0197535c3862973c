// What the senders of a batch have: the money that is under way by our rows, and what is left on the chains. It reads and changes nothing.
import type { Chain } from '../../chain/chain.ts';
import { type SenderState, senderStates } from '../../chain/senders.ts';
import { type Ctx, chainOf } from '../../context.ts';
import { formatUnits } from '../../domain/money.ts';
import { drawnUnits, type PlannedLeg, type Refusal } from '../../domain/plan.ts';
import { pauseStands } from './pauses.ts';

export type Sender = { handleId: string };
/** What one sender pays by one command. */
type Payment = { sender: Sender; legs: PlannedLeg[] };

/** What our rows say of the senders of a batch, with what the batch itself adds to it. */
export type Ledger = {
  pendingOf(sender: Sender, leg: PlannedLeg): bigint;
  /** The status of the sender's pause on a chain; null for none. */
  pauseOf(sender: Sender, chain: string): string | null;
  /** Counts a leg of this batch as on its way. */
  reserve(sender: Sender, leg: PlannedLeg): void;
};
type PendingRow = { handle: string; chain: string; token: string; units: string };

/** Read it before any chain is queried: what is mined in between is then counted twice rather than not at all. */
export async function readLedger(ctx: Ctx, handleIds: string[]): Promise<Ledger> {
  const pending = new Map<string, bigint>();
  const pausesByKey = new Map<string, string>();
  if (handleIds.length > 0) {
    const rows = await ctx.db.$queryRaw<PendingRow[]>`
      select sender_handle_id as handle, chain, token, sum(units + fee_units + bridge_units)::text as units from tip
      where sender_handle_id = any(${handleIds}) and status in ('ready', 'submitted') group by 1, 2, 3`;
    for (const row of rows) pending.set([row.handle, row.chain, row.token].join(' '), BigInt(row.units));
    const pauses = await ctx.db.pause.findMany({ where: { handleId: { in: handleIds } } });
    for (const { handleId, chain, status } of pauses) pausesByKey.set(`${handleId} ${chain}`, status);
  }
  return {
    pendingOf: (sender, leg) => pending.get(balanceKey(sender, leg)) ?? 0n,
    pauseOf: ({ handleId }, chain) => pausesByKey.get(`${handleId} ${chain}`) ?? null,
    reserve(sender, leg) {
      const key = balanceKey(sender, leg);
      pending.set(key, (pending.get(key) ?? 0n) + drawnUnits(leg));
    },
  };
}

/** A sender's balance and allowance on the chain of a leg. @throws AppError `provider_unavailable` when that chain did not answer */
export type States = (sender: Sender, leg: PlannedLeg) => Promise<SenderState>;

/** Asks every chain of these payments once, and comes back when all have answered or failed. */
export async function readChainStates(ctx: Ctx, payments: Payment[]): Promise<States> {
  const wanted = new Map<string, Map<string, { sender: Sender; leg: PlannedLeg }>>();
  for (const { sender, legs } of payments) {
    for (const leg of legs) {
      const ofChain = wanted.get(leg.chain) ?? new Map();
      wanted.set(leg.chain, ofChain.set(balanceKey(sender, leg), { sender, leg }));
    }
  }
  const states = new Map<string, Promise<Map<string, SenderState>>>();
  for (const [name, balances] of wanted) states.set(name, readChain(ctx, chainOf(ctx, name), balances));
  // A chain that is away is met by those that need it.
  await Promise.allSettled(states.values());
  return async (sender, leg) => {
    const state = (await states.get(leg.chain))?.get(balanceKey(sender, leg));
    if (!state) throw new Error('every balance of the batch was read');
    return state;
  };
}

function balanceKey(sender: Sender, leg: PlannedLeg): string {
  return [sender.handleId, leg.chain, leg.token].join(' ');
}

async function readChain(
  ctx: Ctx,
  chain: Chain,
  balances: Map<string, { sender: Sender; leg: PlannedLeg }>,
): Promise<Map<string, SenderState>> {
  const keys = [...balances.keys()];
  const states = await senderStates(
    chain,
    [...balances.values()].map(({ leg }) => ({ sender: leg.senderAddress, token: leg.token })),
    ctx.clock.now(),
  );
  return new Map(states.map((state, index) => [keys[index] ?? '', state]));
}

/** A refusal, and the legs that are paid from the balance that it is about. `isShort`: there is too little, whatever else is refused. */
export type BalanceRefusal = { refusal: Refusal; legs: PlannedLeg[]; isShort: boolean };

/** What the router or the token would refuse, told before anything is signed; money of legs that are under way counts as spent. */
export async function chainRefusal(
  ctx: Ctx,
  { sender, legs }: Payment,
  ledger: Ledger,
  states: States,
): Promise<BalanceRefusal | null> {
  for (const assetKey of new Set(legs.map(assetKeyOf))) {
    const group = legs.filter((leg) => assetKeyOf(leg) === assetKey);
    const refused = await balanceRefusal(ctx, sender, group, ledger, states);
    if (refused) return refused;
  }
  return null;
}

/** @param group legs that are paid from one balance */
async function balanceRefusal(
  ctx: Ctx,
  sender: Sender,
  group: PlannedLeg[],
  ledger: Ledger,
  states: States,
): Promise<BalanceRefusal | null> {
  const [first] = group;
  if (!first) return null;
  const chain = chainOf(ctx, first.chain);
  const state = await states(sender, first);
  const pending = ledger.pendingOf(sender, first);
  const sum = group.reduce((total, leg) => total + drawnUnits(leg), 0n);
  const money = (units: bigint) => formatUnits(units < 0n ? 0n : units, first.decimals);
  const where = { asset: assetName(first, chain), chain: chain.facts.label };
  const largest = group.reduce((most, leg) => (drawnUnits(leg) > most ? drawnUnits(leg) : most), 0n);
  const largestFee = group.reduce((most, leg) => (leg.feeUnits > most ? leg.feeUnits : most), 0n);
  const refused = (refusal: Refusal): BalanceRefusal => ({
    refusal,
    legs: group,
    isShort: pending + sum > state.balance,
  });
  if (state.routerPaused) return { ...refused({ code: 'router_paused' }), isShort: false };
  if (pauseStands(ledger.pauseOf(sender, chain.name), state.paused))
    return { ...refused({ code: 'sender_paused' }), isShort: false };
  // A wallet that has allowed nothing yet has set no limits either.
  if (state.allowance === 0n && state.perTip === 0n)
    return refused({ code: 'allowance_low', have: '0', need: money(sum), ...where });
  if (largest > state.perTip)
    return refused({ code: 'limit_per_tip', limit: money(state.perTip), need: money(largest), ...where });
  if (largestFee > state.maxFee)
    return refused({ code: 'limit_fee', limit: money(state.maxFee), need: money(largestFee), ...where });
  if (state.spent24h + pending + sum > state.perDay) {
    const limit = money(state.perDay - state.spent24h - pending);
    return refused({ code: 'limit_per_day', limit, need: money(sum), ...where });
  }
  if (pending + sum > state.balance)
    return refused({ code: 'balance_low', have: money(state.balance - pending), need: money(sum), ...where });
  if (pending + sum > state.allowance)
    return refused({ code: 'allowance_low', have: money(state.allowance - pending), need: money(sum), ...where });
  return null;
}

/** Legs that are paid from the same balance. */
function assetKeyOf(leg: PlannedLeg): string {
  return `${leg.chain} ${leg.token}`;
}

/** A native tip is paid from the wrapped asset, so that is what a balance message speaks of. */
function assetName(leg: PlannedLeg, chain: Chain): string {
  return leg.token === chain.wrappedNative ? `wrapped ${leg.asset}` : leg.asset;
}

// Planning intents: finds sender and recipients, picks the chain, prices the fee, and checks everything that would make the router refuse.
// It reads and changes nothing.
import { type SenderState, senderStates } from '../chain/botRouter.ts';
import type { Address, EvmChain } from '../chain/evm.ts';
import { nativePrice } from '../chain/prices.ts';
import type { Ctx } from '../context.ts';
import type { Row } from '../db.ts';
import { CHAINS, type ChainName } from '../domain/chains.ts';
import type { TransferCommand } from '../domain/command.ts';
import { relayFeeUnits, relayFeeUsd } from '../domain/fees.ts';
import { MIN_TIP } from '../domain/limits.ts';
import { formatUnits, formatUsd, type MicroUsd, parseUnits, USDC_PRICE, usdForUnits } from '../domain/money.ts';
import {
  type Doubt,
  type PlannedLeg,
  planDoubts,
  planFingerprint,
  planTotalUsd,
  type Refusal,
  type RefusedLeg,
} from '../domain/plan.ts';
import { type Connection, findConnections } from './connections.ts';
import { isPaused } from './pauses.ts';
import { type Payee, provenOn, type Resolution, resolveRecipients } from './recipients.ts';

export type Sender = { handleId: string; address: string };
export type Plan = { sender: Sender; legs: PlannedLeg[]; refused: RefusedLeg[]; doubts: Doubt[] };
export type PlanAnswer = { plan: Plan } | { refusal: Refusal };
/** `failed` is an AppError `provider_unavailable` when a chain that is needed does not answer: try again, nothing was done. */
export type PlanOutcome = PlanAnswer | { failed: unknown };

/** A plan before the chains were asked. */
type Draft = { sender: Sender; connection: Connection; legs: PlannedLeg[]; refused: RefusedLeg[]; doubts: Doubt[] };
/** Who pays, and the only chains on which their wallet may be spent from; null for all. */
type Payer = { connection: Connection; spendsOn: string[] | null };
type Prices = (chain: EvmChain) => Promise<MicroUsd | null>;

/**
 * Plans a batch: what the rows and the chains say is read once for all of them. An earlier one is planned first, and its money is counted
 * as spent for the later ones of the same sender.
 * @returns the outcome of each by id
 */
export async function planIntents(ctx: Ctx, intents: Row<'Intent'>[]): Promise<Map<string, PlanOutcome>> {
  const people = await readPeople(ctx, intents);
  const prices = memoPrices();
  const drafts = new Map<string, Draft | PlanOutcome>();
  for (const intent of intents) drafts.set(intent.id, await orFailed(draftPlan(ctx, intent, people, prices)));
  const purses = await readPurses(
    ctx,
    [...drafts.values()].flatMap((draft) => ('legs' in draft ? [draft] : [])),
  );
  const outcomes = new Map<string, PlanOutcome>();
  for (const intent of intents) {
    const draft = drafts.get(intent.id);
    if (!draft) continue;
    outcomes.set(intent.id, 'legs' in draft ? await orFailed(checkDraft(ctx, intent, draft, purses)) : draft);
  }
  return outcomes;
}

async function orFailed<T>(work: Promise<T>): Promise<T | { failed: unknown }> {
  return work.catch((failed: unknown) => ({ failed }));
}

/** Who sends and who is meant, read together. */
type People = {
  senders: (intent: Row<'Intent'>) => Connection | undefined;
  resolutions: Map<string, Resolution[]>;
};

async function readPeople(ctx: Ctx, intents: Row<'Intent'>[]): Promise<People> {
  const connections = new Map<string, Map<string, Connection>>();
  const resolutions = new Map<string, Resolution[]>();
  for (const platform of new Set(intents.map((intent) => intent.platform))) {
    const group = intents.filter((intent) => intent.platform === platform);
    const recipients = group.map((intent) => commandOf(intent).recipients);
    const [senders, resolved] = await Promise.all([
      findConnections(ctx, platform, [...new Set(group.map((intent) => intent.senderId))]),
      resolveRecipients(ctx, platform, recipients.flat()),
    ]);
    connections.set(platform, senders);
    let next = 0;
    for (const [index, intent] of group.entries()) {
      const count = recipients[index]?.length ?? 0;
      resolutions.set(intent.id, resolved.slice(next, next + count));
      next += count;
    }
  }
  return { senders: (intent) => connections.get(intent.platform)?.get(intent.senderId), resolutions };
}

function commandOf(intent: Row<'Intent'>): TransferCommand {
  return intent.command as unknown as TransferCommand;
}

async function draftPlan(
  ctx: Ctx,
  intent: Row<'Intent'>,
  people: People,
  prices: Prices,
): Promise<Draft | { refusal: Refusal }> {
  const command = commandOf(intent);
  const connection = people.senders(intent);
  const blocked = senderRefusal(connection);
  if (blocked || !connection) return { refusal: blocked ?? { code: 'sender_not_connected' } };
  const wallet = connection.handle.wallets.find((one) => one.family === 'evm');
  if (!wallet) return { refusal: { code: 'sender_no_wallet' } };
  const { address } = wallet;
  const sender: Sender = { handleId: connection.handleId, address };
  const payer: Payer = { connection, spendsOn: provenOn(wallet) };

  const legs: PlannedLeg[] = [];
  const refused: RefusedLeg[] = [];
  const doubts: Doubt[] = [];
  for (const [index, resolution] of (people.resolutions.get(intent.id) ?? []).entries()) {
    if ('code' in resolution) {
      refused.push({ label: resolution.label, refusal: { code: resolution.code, label: resolution.label } });
      continue;
    }
    const { payee } = resolution;
    if (payee.address.toLowerCase() === address.toLowerCase() || payee.handleId === sender.handleId) {
      refused.push({ label: payee.label, refusal: { code: 'recipient_self', label: payee.label } });
      continue;
    }
    if (legs.some((one) => one.recipientAddress.toLowerCase() === payee.address.toLowerCase())) {
      refused.push({ label: payee.label, refusal: { code: 'recipient_twice', label: payee.label } });
      continue;
    }
    const leg = await planLeg(ctx, command, payer, payee, index, prices);
    if ('refusal' in leg) return leg;
    doubts.push(...payee.doubts);
    legs.push(leg);
  }
  const [onlyRefused] = refused;
  if (legs.length === 0) return { refusal: onlyRefused?.refusal ?? { code: 'recipient_unknown', label: '' } };
  const tooMuch = capRefusal(connection, legs);
  return tooMuch ? { refusal: tooMuch } : { sender, connection, legs, refused, doubts };
}

async function checkDraft(ctx: Ctx, intent: Row<'Intent'>, draft: Draft, purses: Purses): Promise<PlanAnswer> {
  const { sender, legs, refused } = draft;
  const tooMuch = await chainRefusal(ctx, sender, legs, purses);
  if (tooMuch) return { refusal: tooMuch };
  const plan: Plan = { sender, legs, refused, doubts: planDoubts(legs, draft.doubts) };
  if (!mustAsk(intent, plan)) for (const leg of legs) purses.reserve(sender, leg);
  return { plan };
}

/** Whether the sender has to be asked: there is a doubt, and what was shown and confirmed before is not this very plan. */
export function mustAsk(intent: Row<'Intent'>, plan: Plan): boolean {
  if (plan.doubts.length === 0) return false;
  const shown = (intent.detail as { fingerprint?: string } | null)?.fingerprint;
  return intent.confirmedAt === null || shown !== planFingerprint(plan.legs);
}

function senderRefusal(connection: Connection | undefined): Refusal | null {
  if (!connection) return { code: 'sender_not_connected' };
  return connection.canSpend ? null : { code: 'sender_receive_only' };
}

async function planLeg(
  ctx: Ctx,
  command: TransferCommand,
  payer: Payer,
  payee: Payee,
  leg: number,
  prices: Prices,
): Promise<PlannedLeg | { refusal: Refusal }> {
  const { unit } = command;
  const native = unit !== 'USDC' && unit !== 'USD';
  const name = pickChain(ctx, command, payer, payee, native ? unit : null);
  const chain = ctx.chains[name];
  if (!chain) return { refusal: { code: 'chain_not_served', chain: CHAINS[name].label, asset: unit } };
  if (native && chain.facts.native !== unit) {
    return { refusal: { code: 'asset_not_on_chain', chain: chain.facts.label, asset: unit } };
  }
  if (ourContracts(chain).includes(payee.address.toLowerCase()))
    return { refusal: { code: 'recipient_contract', label: payee.label } };
  if (payer.spendsOn && !payer.spendsOn.includes(name)) {
    return { refusal: { code: 'sender_not_on_chain', chain: chain.facts.label, where: labelsOf(payer.spendsOn) } };
  }
  if (payee.payableOn && !payee.payableOn.includes(name)) {
    const where = labelsOf(payee.payableOn);
    return { refusal: { code: 'recipient_not_on_chain', label: payee.label, chain: chain.facts.label, where } };
  }
  const decimals = native ? chain.facts.nativeDecimals : chain.facts.usdcDecimals;
  const units = parseUnits(command.amount, decimals);
  if (units === null || units === 0n) return { refusal: { code: 'amount_too_small', least: '0.01', asset: 'USDC' } };
  const price = native ? await prices(chain) : USDC_PRICE;
  if (price === null) return { refusal: { code: 'price_stale' } };
  const usd = usdForUnits(units, price, decimals);
  if (usd < MIN_TIP) return { refusal: { code: 'amount_too_small', least: formatUsd(MIN_TIP), asset: 'USD' } };
  return {
    leg,
    chain: name,
    chainLabel: chain.facts.label,
    asset: native ? unit : 'USDC',
    token: native ? chain.wrappedNative : chain.usdc,
    decimals,
    units,
    feeUnits: relayFeeUnits(usd, false, price, decimals),
    usd,
    feeUsd: relayFeeUsd(usd, false),
    recipientHandleId: payee.handleId,
    recipientAddress: payee.address,
    recipientLabel: payee.label,
  };
}

/** Addresses that could never give the money back out. */
function ourContracts(chain: EvmChain): string[] {
  return [chain.usdc, chain.wrappedNative, chain.botRouter, chain.escrowRouter ?? ''].map((address) =>
    address.toLowerCase(),
  );
}

function labelsOf(chains: string[]): string {
  return chains.map((one) => CHAINS[one as ChainName]?.label ?? one).join(', ');
}

/**
 * The chain that was typed; else the one that the recipient prefers, or for a native asset one that has it, never a test chain unasked. Where
 * the sender's wallet may not spend there, another on which it may and the recipient can be paid.
 */
function pickChain(ctx: Ctx, command: TransferCommand, payer: Payer, payee: Payee, native: string | null): ChainName {
  if (command.chain) return command.chain as ChainName;
  const preferred = (payee.preferredChain ?? payer.connection.handle.preferredChain) as ChainName;
  const wanted = !native || CHAINS[preferred]?.native === native ? preferred : nativeChain(ctx, native);
  if (!payer.spendsOn || payer.spendsOn.includes(wanted)) return wanted;
  const instead = Object.values(ctx.chains).find(
    ({ name, facts }) =>
      payer.spendsOn?.includes(name) &&
      (payee.payableOn?.includes(name) ?? true) &&
      (!native || facts.native === native) &&
      // Play money for real money, or the other way round, is nobody's wish.
      facts.testnet === CHAINS[wanted]?.testnet,
  );
  return instead?.name ?? wanted;
}

function nativeChain(ctx: Ctx, native: string): ChainName {
  const served = Object.values(ctx.chains).find((chain) => chain.facts.native === native && !chain.facts.testnet);
  return (
    served?.name ?? Object.values(CHAINS).find((facts) => facts.native === native && !facts.testnet)?.name ?? 'base'
  );
}

/** The price of a chain's native asset, asked for once a batch. */
function memoPrices(): Prices {
  const asked = new Map<string, Promise<MicroUsd | null>>();
  return (chain) => {
    const price =
      asked.get(chain.name) ?? nativePrice(chain).then((answer) => ('price' in answer ? answer.price : null));
    asked.set(chain.name, price);
    return price;
  };
}

function capRefusal(connection: Connection, legs: PlannedLeg[]): Refusal | null {
  const total = planTotalUsd(legs);
  const cap = connection.handle.commandCapMicros;
  return total > cap ? { code: 'command_cap', cap: formatUsd(cap), total: formatUsd(total) } : null;
}

/** What the senders of a batch have on the chains, and what is on its way out of it. */
type Purses = {
  /** @throws AppError `provider_unavailable` */
  stateOf(sender: Sender, leg: PlannedLeg): Promise<SenderState>;
  pendingOf(sender: Sender, leg: PlannedLeg): bigint;
  mayBePaused(sender: Sender): boolean;
  /** Counts a leg of this batch as on its way. */
  reserve(sender: Sender, leg: PlannedLeg): void;
};
type PendingRow = { handle: string; chain: string; token: string; units: string };

async function readPurses(ctx: Ctx, drafts: Draft[]): Promise<Purses> {
  const wanted = new Map<string, Map<string, { sender: Sender; leg: PlannedLeg }>>();
  for (const { sender, legs } of drafts) {
    for (const leg of legs) {
      const ofChain = wanted.get(leg.chain) ?? new Map();
      wanted.set(leg.chain, ofChain.set(purseKey(sender, leg), { sender, leg }));
    }
  }
  const states = new Map<string, Promise<Map<string, SenderState>>>();
  for (const [name, purses] of wanted) states.set(name, readStates(ctx.chains[name as ChainName] as EvmChain, purses));
  // The chains first: what is mined in between is counted twice rather than not at all. A chain that is away is met by those that need it.
  await Promise.allSettled(states.values());

  const handleIds = [...new Set(drafts.map((draft) => draft.sender.handleId))];
  const pending = new Map<string, bigint>();
  const paused = new Set<string>();
  if (handleIds.length > 0) {
    const rows = await ctx.db.$queryRaw<PendingRow[]>`
      select sender_handle_id as handle, chain, token, sum(units + fee_units)::text as units from tip
      where sender_handle_id = any(${handleIds}) and status in ('ready', 'submitted') group by 1, 2, 3`;
    for (const row of rows) pending.set([row.handle, row.chain, row.token].join(' '), BigInt(row.units));
    const pauses = await ctx.db.pause.findMany({ where: { handleId: { in: handleIds } }, select: { handleId: true } });
    for (const { handleId } of pauses) paused.add(handleId);
  }
  return {
    async stateOf(sender, leg) {
      const state = (await states.get(leg.chain))?.get(purseKey(sender, leg));
      if (!state) throw new Error('every purse of the batch was read');
      return state;
    },
    pendingOf: (sender, leg) => pending.get(purseKey(sender, leg)) ?? 0n,
    mayBePaused: (sender) => paused.has(sender.handleId),
    reserve(sender, leg) {
      const key = purseKey(sender, leg);
      pending.set(key, (pending.get(key) ?? 0n) + leg.units + leg.feeUnits);
    },
  };
}

function purseKey(sender: Sender, leg: PlannedLeg): string {
  return [sender.handleId, leg.chain, leg.token].join(' ');
}

async function readStates(
  chain: EvmChain,
  purses: Map<string, { sender: Sender; leg: PlannedLeg }>,
): Promise<Map<string, SenderState>> {
  const keys = [...purses.keys()];
  const states = await senderStates(
    chain,
    [...purses.values()].map(({ sender, leg }) => ({ sender: sender.address as Address, token: leg.token as Address })),
  );
  return new Map(states.map((state, index) => [keys[index] ?? '', state]));
}

/** What the router or the token would refuse, told before anything is signed; money of legs that are under way counts as spent. */
async function chainRefusal(ctx: Ctx, sender: Sender, legs: PlannedLeg[], purses: Purses): Promise<Refusal | null> {
  for (const purse of new Set(legs.map(purseOf))) {
    const group = legs.filter((leg) => purseOf(leg) === purse);
    const [first] = group;
    if (!first) continue;
    const chain = ctx.chains[first.chain as ChainName] as EvmChain;
    const state = await purses.stateOf(sender, first);
    const pending = purses.pendingOf(sender, first);
    const sum = group.reduce((total, leg) => total + leg.units + leg.feeUnits, 0n);
    const money = (units: bigint) => formatUnits(units < 0n ? 0n : units, first.decimals);
    const where = { asset: assetName(first, chain), chain: chain.facts.label };
    const largest = group.reduce(
      (most, leg) => (leg.units + leg.feeUnits > most ? leg.units + leg.feeUnits : most),
      0n,
    );
    const largestFee = group.reduce((most, leg) => (leg.feeUnits > most ? leg.feeUnits : most), 0n);
    if (state.routerPaused) return { code: 'router_paused' };
    const held = state.paused || (purses.mayBePaused(sender) && (await isPaused(ctx, sender.handleId, chain, false)));
    if (held) return { code: 'sender_paused' };
    if (largest > state.perTip)
      return { code: 'limit_per_tip', limit: money(state.perTip), need: money(largest), ...where };
    if (largestFee > state.maxFee)
      return { code: 'limit_fee', limit: money(state.maxFee), need: money(largestFee), ...where };
    if (state.spent24h + pending + sum > state.perDay) {
      return {
        code: 'limit_per_day',
        limit: money(state.perDay - state.spent24h - pending),
        need: money(sum),
        ...where,
      };
    }
    if (pending + sum > state.balance)
      return { code: 'balance_low', have: money(state.balance - pending), need: money(sum), ...where };
    if (pending + sum > state.allowance)
      return { code: 'allowance_low', have: money(state.allowance - pending), need: money(sum), ...where };
  }
  return null;
}

/** Legs that are paid from the same balance. */
function purseOf(leg: PlannedLeg): string {
  return `${leg.chain} ${leg.token}`;
}

/** A native tip is paid from the wrapped asset, so that is what a balance message speaks of. */
function assetName(leg: PlannedLeg, chain: EvmChain): string {
  return leg.token === chain.wrappedNative ? `wrapped ${leg.asset}` : leg.asset;
}

// Planning an intent: finds sender and recipients, picks the chain, prices the fee, and checks everything that would make the router refuse.
// It reads and changes nothing.
import { senderState } from '../chain/botRouter.ts';
import type { EvmChain } from '../chain/evm.ts';
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
  planTotalUsd,
  type Refusal,
  type RefusedLeg,
} from '../domain/plan.ts';
import { findConnection, type Payee, resolveRecipient } from './connections.ts';
import { isPaused } from './pauses.ts';

export type Sender = { handleId: string; address: string };
export type Plan = { sender: Sender; legs: PlannedLeg[]; refused: RefusedLeg[]; doubts: Doubt[] };
export type PlanAnswer = { plan: Plan } | { refusal: Refusal };

type Connection = NonNullable<Awaited<ReturnType<typeof findConnection>>>;

/** @throws AppError `provider_unavailable` when a chain that is needed does not answer: try again, nothing was done */
export async function planIntent(ctx: Ctx, intent: Row<'Intent'>): Promise<PlanAnswer> {
  const command = intent.command as unknown as TransferCommand;
  const connection = await findConnection(ctx, intent.platform, intent.senderId);
  const blocked = senderRefusal(connection);
  if (blocked || !connection) return { refusal: blocked ?? { code: 'sender_not_connected' } };
  const address = connection.handle.wallets.find((wallet) => wallet.family === 'evm')?.address;
  if (!address) return { refusal: { code: 'sender_no_wallet' } };
  const sender: Sender = { handleId: connection.handleId, address };

  const legs: PlannedLeg[] = [];
  const refused: RefusedLeg[] = [];
  const doubts: Doubt[] = [];
  for (const [index, recipient] of command.recipients.entries()) {
    const resolution = await resolveRecipient(ctx, intent.platform, recipient);
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
    const leg = await planLeg(ctx, command, connection, payee, index);
    if ('refusal' in leg) return leg;
    doubts.push(...payee.doubts);
    legs.push(leg);
  }
  const [onlyRefused] = refused;
  if (legs.length === 0) return { refusal: onlyRefused?.refusal ?? { code: 'recipient_unknown', label: '' } };
  const tooMuch = capRefusal(connection, legs) ?? (await chainRefusal(ctx, sender, legs));
  if (tooMuch) return { refusal: tooMuch };
  return { plan: { sender, legs, refused, doubts: planDoubts(legs, doubts) } };
}

function senderRefusal(connection: Connection | null): Refusal | null {
  if (!connection) return { code: 'sender_not_connected' };
  return connection.canSpend ? null : { code: 'sender_receive_only' };
}

async function planLeg(
  ctx: Ctx,
  command: TransferCommand,
  connection: Connection,
  payee: Payee,
  leg: number,
): Promise<PlannedLeg | { refusal: Refusal }> {
  const { unit } = command;
  const native = unit !== 'USDC' && unit !== 'USD';
  const name = pickChain(ctx, command, payee.preferredChain ?? connection.handle.preferredChain, native ? unit : null);
  const chain = ctx.chains[name];
  if (!chain) return { refusal: { code: 'chain_not_served', chain: CHAINS[name].label, asset: unit } };
  if (native && chain.facts.native !== unit) {
    return { refusal: { code: 'asset_not_on_chain', chain: chain.facts.label, asset: unit } };
  }
  if (ourContracts(chain).includes(payee.address.toLowerCase()))
    return { refusal: { code: 'recipient_contract', label: payee.label } };
  if (payee.payableOn && !payee.payableOn.includes(name)) {
    const where = payee.payableOn.map((one) => CHAINS[one as ChainName]?.label ?? one).join(', ');
    return { refusal: { code: 'recipient_not_on_chain', label: payee.label, chain: chain.facts.label, where } };
  }
  const decimals = native ? chain.facts.nativeDecimals : chain.facts.usdcDecimals;
  const units = parseUnits(command.amount, decimals);
  if (units === null || units === 0n) return { refusal: { code: 'amount_too_small', least: '0.01', asset: 'USDC' } };
  const price = native ? await freshPrice(chain) : USDC_PRICE;
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

/** The chain that was typed; else the one that the recipient prefers; for a native asset one that has it, never a test chain unasked. */
function pickChain(ctx: Ctx, command: TransferCommand, preferred: string, native: string | null): ChainName {
  if (command.chain) return command.chain as ChainName;
  if (!native || CHAINS[preferred as ChainName]?.native === native) return preferred as ChainName;
  const served = Object.values(ctx.chains).find((chain) => chain.facts.native === native && !chain.facts.testnet);
  return (
    served?.name ?? Object.values(CHAINS).find((facts) => facts.native === native && !facts.testnet)?.name ?? 'base'
  );
}

async function freshPrice(chain: EvmChain): Promise<MicroUsd | null> {
  const answer = await nativePrice(chain);
  return 'price' in answer ? answer.price : null;
}

function capRefusal(connection: Connection, legs: PlannedLeg[]): Refusal | null {
  const total = planTotalUsd(legs);
  const cap = connection.handle.commandCapMicros;
  return total > cap ? { code: 'command_cap', cap: formatUsd(cap), total: formatUsd(total) } : null;
}

/** What the router or the token would refuse, told before anything is signed; money of legs that are under way counts as spent. */
async function chainRefusal(ctx: Ctx, sender: Sender, legs: PlannedLeg[]): Promise<Refusal | null> {
  for (const purse of new Set(legs.map(purseOf))) {
    const group = legs.filter((leg) => purseOf(leg) === purse);
    const [first] = group;
    if (!first) continue;
    const chain = ctx.chains[first.chain as ChainName] as EvmChain;
    const state = await senderState(chain, sender.address as `0x${string}`, first.token as `0x${string}`);
    const pending = await pendingUnits(ctx, sender, first);
    const sum = group.reduce((total, leg) => total + leg.units + leg.feeUnits, 0n);
    const money = (units: bigint) => formatUnits(units < 0n ? 0n : units, first.decimals);
    const where = { asset: assetName(first, chain), chain: chain.facts.label };
    const largest = group.reduce(
      (most, leg) => (leg.units + leg.feeUnits > most ? leg.units + leg.feeUnits : most),
      0n,
    );
    const largestFee = group.reduce((most, leg) => (leg.feeUnits > most ? leg.feeUnits : most), 0n);
    if (state.routerPaused) return { code: 'router_paused' };
    if (await isPaused(ctx, sender.handleId, chain, state.paused)) return { code: 'sender_paused' };
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

async function pendingUnits(ctx: Ctx, sender: Sender, leg: PlannedLeg): Promise<bigint> {
  const rows = await ctx.db.tip.findMany({
    where: {
      senderHandleId: sender.handleId,
      chain: leg.chain,
      token: leg.token,
      status: { in: ['ready', 'submitted'] },
    },
    select: { units: true, feeUnits: true },
  });
  return rows.reduce((sum, row) => sum + BigInt(row.units.toFixed(0)) + BigInt(row.feeUnits.toFixed(0)), 0n);
}

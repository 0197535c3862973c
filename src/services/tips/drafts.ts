// An intent as a draft: sender and recipients, the chain of each leg and its fee. Nothing but prices is read from a chain.
import type { Chain } from '../../chain/chain.ts';
import { spotPrice } from '../../chain/prices.ts';
import { ownAddresses, tabHolder } from '../../chain/tips.ts';
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { CHAINS, type ChainName, chainLabel } from '../../domain/chains.ts';
import { relayFeeUnits, relayFeeUsd } from '../../domain/fees.ts';
import { MIN_ESCROW_TIP, MIN_TIP } from '../../domain/limits.ts';
import { formatUsd, type MicroUsd, parseUnits, USDC_PRICE, usdForUnits } from '../../domain/money.ts';
import { type PaymentCommand, shareOf } from '../../domain/payment.ts';
import { type Doubt, type PlannedLeg, planTotalUsd, type Refusal, type RefusedLeg } from '../../domain/plan.ts';
import { comparable, isSameAddress } from '../../domain/walletFamily.ts';
import { placeOn } from '../../domain/walletReach.ts';
import type { Connection } from '../accounts/connections.ts';
import type { Sender } from '../spending/balances.ts';
import { nativeIn, type Payer, payerOf, pickChain, servedAssets, servedChains } from './chainChoice.ts';
import type { Payee, Resolution } from './recipients.ts';

/** A plan before the chains are queried. */
export type Draft = {
  sender: Sender;
  connection: Connection;
  legs: PlannedLeg[];
  refused: RefusedLeg[];
  doubts: Doubt[];
};
export type Prices = (chain: Chain) => Promise<MicroUsd | null>;

/** Who sends and who is meant, read together. */
export type People = {
  senders: (intent: Row<'Intent'>) => Connection | undefined;
  resolutions: Map<string, Resolution[]>;
};

/** The price of a chain's native asset, asked for once a batch. */
export function memoPrices(ctx: Ctx): Prices {
  const asked = new Map<string, Promise<MicroUsd | null>>();
  return (chain) => {
    const price =
      asked.get(chain.name) ?? spotPrice(chain, ctx.chains).then((answer) => ('price' in answer ? answer.price : null));
    asked.set(chain.name, price);
    return price;
  };
}

export function commandOf(intent: Row<'Intent'>): PaymentCommand {
  return intent.command as unknown as PaymentCommand;
}

/** @param not chains that are not to be used */
export async function draftPlan(
  ctx: Ctx,
  intent: Row<'Intent'>,
  people: People,
  prices: Prices,
  not: string[] = [],
): Promise<Draft | { refusal: Refusal }> {
  const command = commandOf(intent);
  const connection = people.senders(intent);
  const blocked = senderRefusal(connection);
  if (blocked || !connection) return { refusal: blocked ?? { code: 'sender_not_connected' } };
  const payer = payerOf(connection);
  if (!payer) return { refusal: { code: 'sender_no_wallet' } };
  const sender: Sender = { handleId: connection.handleId };

  const legs: PlannedLeg[] = [];
  const refused: RefusedLeg[] = [];
  const doubts: Doubt[] = [];
  for (const [index, resolution] of (people.resolutions.get(intent.id) ?? []).entries()) {
    if ('code' in resolution) {
      refused.push({ label: resolution.label, refusal: refusalOf(command, resolution, index) });
      continue;
    }
    const { payee } = resolution;
    if (payee.tabSlug === null && isSelf(payee, sender, payer)) {
      refused.push({ label: payee.label, refusal: { code: 'recipient_self', label: payee.label } });
      continue;
    }
    if (legs.some((one) => isSamePayee(one, payee))) {
      refused.push({ label: payee.label, refusal: { code: 'recipient_twice', label: payee.label } });
      continue;
    }
    const leg = await planLeg(ctx, { command, payer, payee, index, prices, not });
    // A refusal for one recipient does not stop the payments of the others.
    if ('refusal' in leg) {
      refused.push({ label: payee.label, refusal: leg.refusal });
      continue;
    }
    doubts.push(...payee.doubts);
    legs.push(leg);
  }
  const [onlyRefused] = refused;
  if (legs.length === 0) return { refusal: onlyRefused?.refusal ?? { code: 'recipient_unknown', label: '' } };
  // Of a split the others would get their parts all the same: its sender decides.
  if (command.kind === 'split' && refused.length > 0) doubts.push('left_out');
  const tooMuch = capRefusal(connection, legs) ?? serverCapRefusal(intent, legs);
  return tooMuch ? { refusal: tooMuch } : { sender, connection, legs, refused, doubts };
}

function senderRefusal(connection: Connection | undefined): Refusal | null {
  if (!connection) return { code: 'sender_not_connected' };
  return connection.canSpend ? null : { code: 'sender_receive_only' };
}

export function capRefusal(connection: Connection, legs: PlannedLeg[]): Refusal | null {
  const total = planTotalUsd(legs);
  const cap = connection.handle.commandCapMicros;
  return total > cap ? { code: 'command_cap', cap: formatUsd(cap), total: formatUsd(total) } : null;
}

/** The admins of a server may allow less than the sender does. */
export function serverCapRefusal({ serverCapMicros: cap }: Row<'Intent'>, legs: PlannedLeg[]): Refusal | null {
  const total = planTotalUsd(legs);
  if (cap === null || total <= cap) return null;
  return { code: 'server_cap', cap: formatUsd(cap), total: formatUsd(total) };
}

/** The owner of that name is unknown: a page can open an escrow for it, and receives what was typed. */
function refusalOf(
  command: PaymentCommand,
  { code, label, to }: Exclude<Resolution, { payee: Payee }>,
  place: number,
): Refusal {
  if (code !== 'recipient_unknown') return { code, label };
  if (to === undefined || nativeIn(command) !== null) return { code, label };
  const query = new URLSearchParams({ to, amount: shareOf(command, place) });
  if (command.chain) query.set('chain', command.chain);
  return { code, label, create: query.toString() };
}

/** The sender has no wallet of the address's family, or named a chain of another one. */
function otherFamily(ctx: Ctx, { label, places }: Payee, isTyped: boolean): { refusal: Refusal } {
  const itsOwn = Object.values(ctx.chains).filter(({ family }) => places[family]);
  if (itsOwn.length > 0 && !isTyped) return { refusal: { code: 'sender_no_wallet' } };
  const labels = itsOwn.map(({ facts }) => facts.label);
  return { refusal: { code: 'address_other_family', label, chains: labels.length > 0 ? labels : servedChains(ctx) } };
}

function isSelf(payee: Payee, sender: Sender, payer: Payer): boolean {
  const own = Object.values(payer.places);
  const theirs = Object.values(payee.places);
  return (
    payee.handleId === sender.handleId ||
    theirs.some(({ address }) => own.some((place) => isSameAddress(place.address, address)))
  );
}

function isSamePayee(leg: PlannedLeg, payee: Payee): boolean {
  if (payee.tabSlug !== null || leg.tabSlug !== null) return leg.tabSlug === payee.tabSlug;
  const isSameHandle = payee.handleId !== null && payee.handleId === leg.recipientHandleId;
  return (
    isSameHandle || Object.values(payee.places).some(({ address }) => isSameAddress(address, leg.recipientAddress))
  );
}

/** One recipient of a command, and who pays. `index` is their place in the command, `not` are chains that were tried. */
type LegWish = { command: PaymentCommand; payer: Payer; payee: Payee; index: number; prices: Prices; not: string[] };

async function planLeg(ctx: Ctx, wish: LegWish): Promise<PlannedLeg | { refusal: Refusal }> {
  const { command, payer, payee, index, prices, not } = wish;
  const { unit } = command;
  const native = nativeIn(command) !== null;
  const name = pickChain(ctx, command, payer, payee, not);
  const placed = placesFor(ctx, wish, name);
  if ('refusal' in placed) return placed;
  const { chain, from, to } = placed;
  const decimals = native ? chain.facts.nativeDecimals : chain.facts.usdcDecimals;
  const units = parseUnits(shareOf(command, index), decimals);
  if (units === null || units === 0n) return { refusal: { code: 'amount_too_small', least: '0.01', asset: 'USDC' } };
  const price = native ? await prices(chain) : USDC_PRICE;
  if (price === null) return { refusal: { code: 'price_stale' } };
  const usd = usdForUnits(units, price, decimals);
  if (usd < MIN_TIP) return { refusal: { code: 'amount_too_small', least: formatUsd(MIN_TIP), asset: 'USD' } };
  const inEscrow = payee.tabSlug !== null;
  if (inEscrow && usd < MIN_ESCROW_TIP)
    return { refusal: { code: 'tab_too_small', label: payee.label, least: formatUsd(MIN_ESCROW_TIP) } };
  return {
    leg: index,
    chain: name,
    chainLabel: chain.facts.label,
    asset: native ? unit : 'USDC',
    token: native ? chain.wrappedNative : chain.usdc,
    decimals,
    units,
    // An escrow carries no relay fee.
    feeUnits: inEscrow ? 0n : relayFeeUnits(usd, false, price, decimals),
    usd,
    feeUsd: inEscrow ? 0n : relayFeeUsd(usd, false),
    senderAddress: from,
    recipientHandleId: payee.handleId,
    recipientAddress: to,
    recipientLabel: payee.label,
    tabSlug: payee.tabSlug,
    keptFor: payee.keptFor,
    opensAccount: false,
    crossing: null,
  };
}

/** The chain, and the two wallets on it, or why a leg cannot be paid there. */
function placesFor(
  ctx: Ctx,
  { command, payer, payee }: LegWish,
  name: ChainName,
): { chain: Chain; from: string; to: string } | { refusal: Refusal } {
  const { label } = payee;
  const native = nativeIn(command);
  const to = placeOn(payee.places, name);
  // Before anything else: an address of another family cannot even be written into a transaction.
  if (payee.isAddress && !to) return otherFamily(ctx, payee, command.chain !== undefined);
  const chain = ctx.chains[name];
  if (!chain && native !== null && !command.chain)
    return { refusal: { code: 'asset_not_served', asset: native, assets: servedAssets(ctx) } };
  if (!chain) return { refusal: { code: 'chain_not_served', chain: CHAINS[name].label, chains: servedChains(ctx) } };
  const where = chain.facts.label;
  if (native !== null && chain.facts.native !== native)
    return { refusal: { code: 'asset_not_on_chain', chain: where, asset: native, assets: servedAssets(ctx) } };
  if (to && ownAddresses(chain).includes(comparable(to.address)))
    return { refusal: { code: 'recipient_contract', label } };
  const from = placeOn(payer.places, name);
  if (!from) return { refusal: { code: 'sender_no_wallet' } };
  if (from.on && !from.on.includes(name))
    return { refusal: { code: 'sender_not_on_chain', chain: where, where: labelsOf(from.on) } };
  if (payee.tabSlug !== null) return { chain, from: from.address, to: tabHolder(chain) };
  if (!to) return { refusal: { code: 'recipient_no_wallet', label } };
  if (to.on && !to.on.includes(name))
    return { refusal: { code: 'recipient_not_on_chain', label, chain: where, where: labelsOf(to.on) } };
  return { chain, from: from.address, to: to.address };
}

function labelsOf(chains: string[]): string {
  return chains.map(chainLabel).join(', ');
}

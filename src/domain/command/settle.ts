/**
 * Settles what a sequence of words means: who gets how much. Only sequences with one reading are settled; people are
 * counted once, the sender is left out of a tip, and every amount is checked against its unit and chain.
 */
import { type Amount, checkValue, type Decimal, formatDecimal, fromMicro, isMicroExact, toMicro } from './amounts.ts';
import { addressHolds, chainHolds, chainReaches } from './chains.ts';
import type { Sequence } from './grammar.ts';
import { memoOf } from './memo.ts';
import { type ParsedPayee, readReplyAuthor } from './recipients.ts';
import {
  isRefusal,
  type MoneyVerb,
  type ParseRefusal,
  type Platform,
  type Recipient,
  refuse,
  type SplitCommand,
  type TransferCommand,
  type Unit,
} from './result.ts';
import { isSamePerson, type Scene } from './scene.ts';
import { divide } from './shares.ts';

export const MAX_RECIPIENTS: Record<Platform, number> = { telegram: 20, discord: 20, x: 10 };
const HUNDRED_PERCENT: Decimal = { mantissa: 100n, scale: 0 };
const MAX_PERCENT_DECIMALS = 6;

type Extras = { chain?: string; memo?: string };

function extrasOf(sequence: Sequence): Extras {
  const memo = memoOf(sequence.note);
  return {
    ...(sequence.chain === undefined ? {} : { chain: sequence.chain }),
    ...(memo === undefined ? {} : { memo }),
  };
}

/** The order of a sequence as letters: recipient, amount, percentage. */
function shapeOf(sequence: Sequence): string {
  return sequence.items.map(({ amount }) => (amount === undefined ? 'r' : amount.isPercent ? 'p' : 'a')).join('');
}

function amountsOf(sequence: Sequence): Amount[] {
  return sequence.items.flatMap(({ amount }) => (amount === undefined ? [] : [amount]));
}

function payeesOf(sequence: Sequence): ParsedPayee[] {
  return sequence.items.flatMap(({ payee }) => (payee === undefined ? [] : [payee]));
}

/** Each person once, under the better of the names: a platform id says more than a username. */
function collapse(payees: ParsedPayee[]): ParsedPayee[] {
  const people: ParsedPayee[] = [];
  for (const payee of payees) {
    const at = people.findIndex((one) => isSamePerson(one.identity, payee.identity));
    if (at === -1) people.push(payee);
    else if (people[at]?.recipient.by === 'handle') people[at] = payee;
  }
  return people;
}

function refuseNetwork(sequence: Sequence, payees: ParsedPayee[], unit: Unit): ParseRefusal | undefined {
  const { chain } = sequence;
  const addresses = payees.filter(({ recipient }) => recipient.by === 'address').map(({ recipient }) => recipient);
  if (chain !== undefined && !chainHolds(chain, unit)) return refuse('unsupported_token', unit, chain);
  if (addresses.some((address) => !addressHolds(address, unit))) return refuse('unsupported_token', unit);
  const lost = addresses.find(({ value }) => chain !== undefined && !chainReaches(chain, value));
  return lost === undefined ? undefined : refuse('address_other_family', lost.value);
}

function recipientsOf(payees: ParsedPayee[]): Recipient[] {
  return payees.map(({ recipient }) => recipient);
}

function settleTransfer(scene: Scene, verb: 'tip' | 'send', sequence: Sequence): TransferCommand | ParseRefusal {
  const [amount, ...others] = amountsOf(sequence);
  if (amount === undefined) return refuse('amount_missing');
  if (amount.isPercent) return refuse('amount_invalid');
  if (others.length > 0 || !/^(?:ar*|r+a)$/.test(shapeOf(sequence))) return refuse('amount_ambiguous');
  const named = payeesOf(sequence);
  const replied = named.length === 0 && verb === 'tip' ? readReplyAuthor(scene) : undefined;
  if (replied !== undefined && isRefusal(replied)) return replied;
  const all = collapse(replied === undefined ? named : [replied]);
  if (all.length === 0) return refuse('recipient_missing');
  const sender = all.filter(({ identity }) => isSamePerson(identity, scene.message.sender));
  const payees = all.filter((payee) => !sender.includes(payee));
  if (payees.length === 0) return refuse('recipient_self');
  if (verb === 'send' && all.length > 1) return refuse('too_many_recipients');
  if (payees.length > MAX_RECIPIENTS[scene.message.platform]) return refuse('too_many_recipients');
  const unit = amount.unit ?? 'USDC';
  const { mantissa, scale } = amount.value;
  const wrong =
    checkValue(amount.value, unit) ?? checkValue({ mantissa: mantissa * BigInt(payees.length), scale }, unit);
  if (wrong !== undefined) return refuse(wrong);
  const unreachable = refuseNetwork(sequence, payees, unit);
  if (unreachable !== undefined) return unreachable;
  const skipped = sender.length === 0 ? {} : { skipped: recipientsOf(sender) };
  const [recipients, figure] = [recipientsOf(payees), formatDecimal(amount.value)];
  return { kind: verb, recipients, amount: figure, unit, mode: 'each', ...extrasOf(sequence), ...skipped };
}

/** One unit for all amounts. A figure without a unit takes the total's; beside a foreign unit it could mean either. */
function commonUnit(amounts: Amount[], total: Amount | undefined): Unit | ParseRefusal {
  const typed = new Set(amounts.flatMap(({ unit }) => unit ?? []));
  const [unit = 'USDC'] = typed;
  const isShared = unit === 'USDC' || total?.unit !== undefined || amounts.every((amount) => amount.unit !== undefined);
  return typed.size > 1 || !isShared ? refuse('amount_ambiguous') : unit;
}

function finishSplit(
  scene: Scene,
  sequence: Sequence,
  plan: { mode: 'even' | 'custom'; unit: Unit; total: Decimal; shares: bigint[]; payees: ParsedPayee[] },
): SplitCommand | ParseRefusal {
  const { mode, unit, total, shares, payees } = plan;
  if (payees.some(({ identity }) => isSamePerson(identity, scene.message.sender))) return refuse('recipient_self');
  if (payees.length > MAX_RECIPIENTS[scene.message.platform]) return refuse('too_many_recipients');
  const wrong = checkValue(total, unit);
  if (wrong !== undefined) return refuse(wrong);
  for (const share of shares) {
    const tooSmall = share === 0n ? 'amount_too_small' : checkValue(fromMicro(share), unit);
    if (tooSmall !== undefined) return refuse(tooSmall);
  }
  const unreachable = refuseNetwork(sequence, payees, unit);
  if (unreachable !== undefined) return unreachable;
  const { chain, memo } = extrasOf(sequence);
  return {
    kind: 'split',
    recipients: recipientsOf(payees),
    unit,
    mode,
    ...(chain === undefined ? {} : { chain }),
    ...(memo === undefined ? {} : { memo }),
    total: formatDecimal(total),
    shares_micro: shares.map(Number),
  };
}

function settleEven(scene: Scene, sequence: Sequence, total: Amount): SplitCommand | ParseRefusal {
  const payees = collapse(payeesOf(sequence));
  // Dividing a total while leaving a recipient out would give the others more than was meant, so it is never done quietly.
  if (payees.length < 2) {
    const isSelf = payees.some(({ identity }) => isSamePerson(identity, scene.message.sender));
    return refuse(isSelf ? 'recipient_self' : payees.length === 1 ? 'split_too_few' : 'recipient_missing');
  }
  const unit = total.unit ?? 'USDC';
  if (!isMicroExact(total.value)) return refuse('too_many_decimals');
  const weights = payees.map(() => 1n);
  const shares = divide(toMicro(total.value), weights);
  return finishSplit(scene, sequence, { mode: 'even', unit, total: total.value, shares, payees });
}

function settleAmounts(scene: Scene, sequence: Sequence): SplitCommand | ParseRefusal {
  const amounts = amountsOf(sequence);
  const payees = payeesOf(sequence);
  const total = amounts.length > payees.length ? amounts[0] : undefined;
  const parts = total === undefined ? amounts : amounts.slice(1);
  const unit = commonUnit(amounts, total);
  if (typeof unit !== 'string') return unit;
  if (collapse(payees).length < payees.length) return refuse('amount_ambiguous');
  if (amounts.some(({ value }) => !isMicroExact(value))) return refuse('too_many_decimals');
  for (const { value } of amounts) {
    const wrong = checkValue(value, unit);
    if (wrong !== undefined) return refuse(wrong);
  }
  const shares = parts.map(({ value }) => toMicro(value));
  const sum = shares.reduce((all, share) => all + share, 0n);
  if (total !== undefined && toMicro(total.value) !== sum) return refuse('split_mismatch');
  return finishSplit(scene, sequence, { mode: 'custom', unit, total: fromMicro(sum), shares, payees });
}

function settlePercent(scene: Scene, sequence: Sequence): SplitCommand | ParseRefusal {
  const payees = payeesOf(sequence);
  const percents = amountsOf(sequence).filter(({ isPercent }) => isPercent);
  const total = amountsOf(sequence).find(({ isPercent }) => !isPercent);
  if (total === undefined) return refuse('amount_missing');
  if (collapse(payees).length < payees.length) return refuse('amount_ambiguous');
  if (!isMicroExact(total.value)) return refuse('too_many_decimals');
  if (percents.some(({ value }) => value.scale > MAX_PERCENT_DECIMALS)) return refuse('too_many_decimals');
  const weights = percents.map(({ value }) => toMicro(value));
  if (weights.some((weight) => weight === 0n)) return refuse('amount_zero');
  const sum = weights.reduce((all, weight) => all + weight, 0n);
  if (sum !== toMicro(HUNDRED_PERCENT)) return refuse('split_mismatch');
  const shares = divide(toMicro(total.value), weights);
  const unit = total.unit ?? 'USDC';
  return finishSplit(scene, sequence, { mode: 'custom', unit, total: total.value, shares, payees });
}

function settleSplit(scene: Scene, sequence: Sequence): SplitCommand | ParseRefusal {
  const shape = shapeOf(sequence);
  const [first] = amountsOf(sequence);
  if (first === undefined) return refuse('amount_missing');
  if (sequence.isEach) return refuse('amount_ambiguous');
  if (shape.includes('p')) {
    if (!/^(?:a?(?:(?:rp){2,}|(?:pr){2,})|(?:(?:rp){2,}|(?:pr){2,})a)$/.test(shape)) return refuse('amount_ambiguous');
    return sequence.isEven ? refuse('amount_ambiguous') : settlePercent(scene, sequence);
  }
  if (/^a?(?:ra){2,}$/.test(shape))
    return sequence.isEven ? refuse('amount_ambiguous') : settleAmounts(scene, sequence);
  if (!/^(?:ar*|r+a)$/.test(shape)) return refuse('amount_ambiguous');
  return settleEven(scene, sequence, first);
}

/** The command that a sequence of words gives, or why it gives none. */
export function settle(
  scene: Scene,
  verb: MoneyVerb,
  sequence: Sequence,
): TransferCommand | SplitCommand | ParseRefusal {
  if (verb === 'split') return settleSplit(scene, sequence);
  const isCustom = verb === 'tip' && /^(?:ra){2,}$/.test(shapeOf(sequence)) && !sequence.isEach;
  return isCustom ? settleAmounts(scene, sequence) : settleTransfer(scene, verb, sequence);
}

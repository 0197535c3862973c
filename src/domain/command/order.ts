/**
 * Orders: `order 25 usdc on base for coffee` asks for money and moves none, so it names only its sender. The words are those of a payment
 * without recipients. Behind a plain mention, where `order` is also an ordinary word, only `for` may introduce what it is for.
 */
import { checkValue, formatDecimal } from './amounts.ts';
import { chainHolds } from './chains.ts';
import { readSequence, type Sequence } from './grammar.ts';
import { memoOf } from './memo.ts';
import { isQuestion, refuseScene, toCommand } from './payment.ts';
import { looksLikeRecipient } from './recipients.ts';
import { type Command, isRefusal, type OrderCommand, type ParseRefusal, refuse } from './result.ts';
import type { Scene } from './scene.ts';
import type { Token } from './tokens.ts';

/** The errors of reading a recipient's name: an order has no use for one. */
const ABOUT_PEOPLE = new Set<string>([
  'recipient_invalid',
  'recipient_bot',
  'recipient_missing',
  'role_recipient',
  'address_checksum',
  'address_in_tip',
  'recipient_self',
  'recipient_pronoun',
  'ens_unsupported',
]);
/** What is wrong with words that were perhaps no command at all. */
const VAGUE = new Set<string>(['order_amount_missing', 'order_recipient', 'amount_ambiguous']);

/** An order's own words for what the grammar of payments misses in it. */
function inOrders(refusal: ParseRefusal): ParseRefusal {
  if (refusal.refused === 'amount_missing') return refuse('order_amount_missing', refusal.word);
  // A plain word in the place of the figure: the order names no recipient.
  const isPlainWord = refusal.refused === 'recipient_invalid' && /^[\p{L}\p{N}]+$/u.test(refusal.word ?? '');
  if (isPlainWord) return refuse('order_amount_missing', refusal.word);
  return ABOUT_PEOPLE.has(refusal.refused) ? refuse('order_recipient', refusal.word) : refusal;
}

function settleOrder({ items, chain, isEach }: Sequence, note: Token[]): OrderCommand | ParseRefusal {
  if (items.some(({ payee }) => payee !== undefined)) return refuse('order_recipient');
  const [amount, ...others] = items.flatMap((item) => item.amount ?? []);
  if (amount === undefined) return refuse('order_amount_missing');
  if (amount.isPercent) return refuse('amount_invalid');
  if (others.length > 0 || isEach) return refuse('amount_ambiguous');
  const unit = amount.unit ?? 'USDC';
  const wrong = checkValue(amount.value, unit);
  if (wrong !== undefined) return refuse(wrong);
  if (chain !== undefined && !chainHolds(chain, unit)) return refuse('unsupported_token');
  const memo = memoOf(note);
  return {
    kind: 'order',
    amount: formatDecimal(amount.value),
    unit,
    ...(chain === undefined ? {} : { chain }),
    ...(memo === undefined ? {} : { memo }),
  };
}

function readWords(scene: Scene, tokens: Token[]): Sequence | ParseRefusal {
  // As in a reply, which needs no recipient.
  const sequence = readSequence(scene, 'tip', tokens, true);
  if (isRefusal(sequence)) return inOrders(sequence);
  // An order moves nothing, so it needs no confirmation: a doubtful one is typed again, and what `for` introduces is its description.
  const { doubt, opening } = sequence;
  if (doubt === 'other_recipient') return refuse('order_recipient');
  if (doubt === undefined || doubt === 'note_unclear' || (opening === 'for' && doubt !== 'conditional'))
    return sequence;
  return refuse(doubt === 'other_amount' || doubt === 'separator' ? 'amount_ambiguous' : 'help');
}

/** The order of a menu, where what it is for has a field of its own. */
export function readOrderCommand(scene: Scene, tokens: Token[], note: Token[]): OrderCommand | ParseRefusal {
  if (note.some(looksLikeRecipient)) return refuse('order_recipient');
  const sequence = readWords(scene, tokens);
  return isRefusal(sequence) ? sequence : settleOrder(sequence, note);
}

type Manner = { isSlash: boolean; isNamedLater: boolean };

export function parseOrder(scene: Scene, tokens: Token[], { isSlash, isNamedLater }: Manner): Command {
  if (isNamedLater || tokens.some(isQuestion)) return { kind: 'help' };
  const forbidden = refuseScene(scene);
  if (forbidden !== undefined) return toCommand(forbidden);
  const sequence = readWords(scene, tokens);
  if (isRefusal(sequence)) return toCommand(!isSlash && VAGUE.has(sequence.refused) ? refuse('help') : sequence);
  const { note, opening } = sequence;
  const isSentence = !isSlash && note.length > 0 && opening !== 'for';
  return toCommand(isSentence ? refuse('help') : settleOrder(sequence, note));
}

/**
 * From words to a payment: what forbids any payment comes first (a question, a turned text, an unknown sender), then the
 * grammar, then the settlement. Words without a verb pay only when nothing but a payment can be meant.
 */
import { readSequence, type Sequence } from './grammar.ts';
import { type Command, failure, isRefusal, type MoneyVerb, type Refusal, refuse } from './result.ts';
import type { Scene } from './scene.ts';
import { settle } from './settle.ts';
import { hasOverrides, type Token } from './tokens.ts';

type Request = {
  verb: MoneyVerb;
  tokens: Token[];
  isVerbless: boolean;
  /** The bot is named somewhere behind the first word: that has to be the very end. */
  isNamedLater: boolean;
};

const QUESTION = /[?¿？؟\u037e⁇⁈⁉‽❓❔]/;
/** What is wrong with words that were perhaps no command at all: then help says more than an error. */
const VAGUE = new Set(['amount_missing', 'recipient_missing', 'recipient_invalid', 'amount_ambiguous']);

export function isQuestion(token: Token): boolean {
  if (token.person !== undefined) return QUESTION.test(token.tail ?? '');
  return QUESTION.test(token.raw) && !/^https?:\/\//i.test(token.raw);
}

export function toCommand(outcome: Command | Refusal): Command {
  if (!isRefusal(outcome)) return outcome;
  return outcome.refused === 'help' ? { kind: 'help' } : failure(outcome.refused);
}

/** What forbids every payment in this message. */
export function refuseScene(scene: Scene): Refusal | undefined {
  const { message, entities } = scene;
  if (entities.isBroken || message.sender.id === undefined) return refuse('input_invalid');
  if (message.bot.id === undefined && message.bot.username === undefined) return refuse('input_invalid');
  if (hasOverrides(message.text)) return refuse('suspicious_unicode');
  return entities.mentionsEveryone ? refuse('mass_mention') : undefined;
}

function isVagueReply(sequence: Sequence): boolean {
  const isReply = sequence.items.every(({ payee }) => payee === undefined);
  const hasUnit = sequence.items.some(({ amount }) => amount?.unit !== undefined);
  return isReply && (!hasUnit || sequence.tail.isIntroduced || sequence.tail.tokens.length > 0);
}

function refuseVerbless(sequence: Sequence): Refusal | undefined {
  const hasFreeMemo = sequence.tail.tokens.length > 0 && !sequence.tail.isIntroduced;
  // `5 stars!`, `$100 for the best meme` under somebody's post are no tips: without a verb there must be a name, or a bare sum with its unit.
  return hasFreeMemo || isVagueReply(sequence) ? refuse('help') : undefined;
}

export function parsePayment(scene: Scene, request: Request): Command {
  const { verb, tokens, isVerbless, isNamedLater } = request;
  if (tokens.some(isQuestion)) return { kind: 'help' };
  const forbidden = refuseScene(scene);
  if (forbidden !== undefined) return toCommand(forbidden);
  const isReply = verb === 'tip' && scene.message.replyTo !== undefined;
  const sequence = readSequence(scene, verb, tokens, isReply);
  if (isRefusal(sequence)) return isVerbless && VAGUE.has(sequence.refused) ? { kind: 'help' } : toCommand(sequence);
  if (isNamedLater && !sequence.endsOnBot) return { kind: 'help' };
  const vague = isVerbless ? refuseVerbless(sequence) : undefined;
  return toCommand(vague ?? settle(scene, verb, sequence));
}

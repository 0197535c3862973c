/**
 * From words to a payment: what forbids any payment comes first (a question, a turned text, an unknown sender), then the
 * grammar, then the settlement. Words without a verb pay only when nothing but a payment can be meant.
 */
import { isThanksNote } from './doubts.ts';
import { readSequence, type Sequence } from './grammar.ts';
import {
  type Command,
  type ConfirmReason,
  type ErrorCommand,
  isRefusal,
  type MoneyVerb,
  type ParseRefusal,
  refuse,
} from './result.ts';
import type { Scene } from './scene.ts';
import { settle } from './settle.ts';
import { hasOverrides, type Token } from './tokens.ts';

type Request = {
  verb: MoneyVerb;
  tokens: Token[];
  isVerbless: boolean;
  /** The bot is named somewhere behind the first word. */
  isNamedLater: boolean;
  /** Why the words around the command ask in any case. */
  doubt?: ConfirmReason | undefined;
};

const QUESTION = /[?¿？؟\u037e⁇⁈⁉‽❓❔]/;
const ASKING = /^[¿]+|!*[?？؟\u037e⁇⁈⁉‽❓❔][!?？؟\u037e⁇⁈⁉‽❓❔]*\ufe0f?$/g;

export function isQuestion(token: Token): boolean {
  if (token.person !== undefined) return QUESTION.test(token.tail ?? '');
  return QUESTION.test(token.raw) && !/^https?:\/\//i.test(token.raw);
}

export function toCommand(outcome: Command | ParseRefusal): Command {
  if (!isRefusal(outcome)) return outcome;
  const { refused, word, chain } = outcome;
  if (refused === 'help') return { kind: 'help' };
  const error: ErrorCommand = { kind: 'error', code: refused };
  return { ...error, ...(word === undefined ? {} : { word }), ...(chain === undefined ? {} : { chain }) };
}

/** The tokens without the question marks at their edges. */
function withoutQuestion(tokens: Token[]): Token[] {
  return tokens.flatMap((token) => {
    if (!isQuestion(token)) return [token];
    if (token.person !== undefined) return [{ ...token, tail: (token.tail ?? '').replace(ASKING, '') }];
    const raw = token.raw.replace(ASKING, '');
    const plain = token.plain?.replace(ASKING, '');
    return raw === '' ? [] : [{ ...token, raw, plain, word: plain?.toLowerCase() ?? '' }];
  });
}

/** What forbids every payment in this message. */
export function refuseScene(scene: Scene): ParseRefusal | undefined {
  const { message, entities } = scene;
  if (entities.isBroken || message.sender.id === undefined) return refuse('input_invalid');
  if (message.bot.id === undefined && message.bot.username === undefined) return refuse('input_invalid');
  if (hasOverrides(message.text)) return refuse('suspicious_unicode');
  return entities.mentionsEveryone ? refuse('mass_mention') : undefined;
}

/** `5 stars!`, `$100 for the best meme` under another author's post are no tips: without a verb there must be a name, or a sum and nothing more. */
function isChatter(sequence: Sequence): boolean {
  const isReply = sequence.items.every(({ payee }) => payee === undefined);
  return isReply && (sequence.note.length > 0 || sequence.opening === 'for');
}

/** Without a verb, a bare figure under a post may count anything, and free words may be a sentence: `@bob 5 usdc received`. */
function isLoose({ items, note, opening }: Sequence): boolean {
  const isBareReply = items.every(({ payee, amount }) => payee === undefined && amount?.unit === undefined);
  const isFree = opening === 'none' && note.some(({ raw }) => /\p{L}/u.test(raw));
  return isBareReply || (isFree && !isThanksNote(note));
}

/** The payment that the words give, in doubt or not, or why they give none. */
export function readPaymentCommand(scene: Scene, request: Request): Command | ParseRefusal {
  const { verb, isVerbless, isNamedLater } = request;
  const isAsked = request.tokens.some(isQuestion);
  const tokens = isAsked ? withoutQuestion(request.tokens) : request.tokens;
  const forbidden = refuseScene(scene);
  if (forbidden !== undefined) return forbidden;
  const isReply = verb === 'tip' && scene.message.replyTo !== undefined;
  const sequence = readSequence(scene, verb, tokens, isReply);
  if (isRefusal(sequence)) return isAsked ? refuse('help') : sequence;
  if (isVerbless && isChatter(sequence)) return refuse('help');
  const intent = settle(scene, verb, sequence);
  if (isRefusal(intent)) return isAsked ? refuse('help') : intent;
  const isAround = isAsked || (isNamedLater && !sequence.endsOnBot) || (isVerbless && isLoose(sequence));
  const because = request.doubt ?? (isAround ? 'sentence' : sequence.doubt);
  return because === undefined ? intent : { kind: 'confirm', intent, because };
}

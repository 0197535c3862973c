/** Slips of the pen: a verb with a letter wrong or of another language, a name without its @. What was probably meant is offered, never sent unasked. */
import { hasFigureIn, hasNameIn, isToUsAlone, looksPayable } from './chatter.ts';
import { COURTESIES } from './noteWords.ts';
import { readPaymentCommand } from './payment.ts';
import { type Command, type ErrorCommand, failure, isRefusal, type MoneyVerb } from './result.ts';
import type { Scene } from './scene.ts';
import type { Token } from './tokens.ts';
import { isMisspeltVerb, nearestMoneyVerb } from './verbs.ts';
import { MONEY_VERBS, NUMBER_WORDS, PRONOUNS, SEND_VERBS } from './words.ts';

const NAME = /^[a-z][a-z0-9_]{2,30}$/i;
const NO_NAMES = new Set(
  'the bill everyone everybody all someone somebody anyone anybody nobody me us my our your you and with between among in at of is was tip tips send split from everything money coffee lunch dinner'.split(
    ' ',
  ),
);

/** `send` in other words, and in the languages of the bots. */
const MEANS_SEND = new Set(
  'transfer wire donate gift reward venmo zahl zahle schick schicke sende überweis überweise gib gebe spende envía envia manda paga dale regala transfiere envoie paie paye donne verse transfère'.split(
    ' ',
  ),
);

/** The error with what the words give under a verb, where they give a payment. */
function suggesting(scene: Scene, error: ErrorCommand, verb: MoneyVerb, tokens: Token[]): ErrorCommand {
  const outcome = readPaymentCommand(scene, { verb, tokens, isVerbless: false, isNamedLater: false });
  if (isRefusal(outcome)) return error;
  if (outcome.kind === 'confirm') return { ...error, suggestion: outcome.intent };
  const isPayment = outcome.kind === 'tip' || outcome.kind === 'send' || outcome.kind === 'split';
  return isPayment ? { ...error, suggestion: outcome } : error;
}

/** A misspelt verb in front; undefined when the word is none, or nothing stands behind it that a payment needs. */
export function parseTypo(scene: Scene, word: string, rest: Token[], isForUs: boolean): Command | undefined {
  const means = isForUs && MEANS_SEND.has(word.toLowerCase()) ? 'send' : undefined;
  const verb = nearestMoneyVerb(word.replace(/^[!.]/, ''), !isForUs) ?? means;
  const isMeant = isForUs ? hasFigureIn(rest) || hasNameIn(scene, rest) : looksPayable(scene, rest);
  if (verb !== undefined && isMeant) return suggesting(scene, failure('unknown_command', word), verb, rest);
  return isToUsAlone(scene) && (verb !== undefined || isMisspeltVerb(word)) ? { kind: 'help' } : undefined;
}

/** `/tip bob 5`: the name may be meant as `@bob`. */
export function withNamedPerson(scene: Scene, verb: MoneyVerb, tokens: Token[], command: Command): Command {
  if (command.kind !== 'error' || command.code !== 'recipient_invalid' || command.word === undefined) return command;
  const { word } = command;
  const lower = word.toLowerCase();
  const isCommon = [NO_NAMES, NUMBER_WORDS, PRONOUNS, COURTESIES, MONEY_VERBS, SEND_VERBS].some((words) =>
    words.has(lower),
  );
  const at = tokens.findIndex((token) => token.raw === word && token.person === undefined);
  if (at === -1 || isCommon || !NAME.test(word)) return command;
  const named = tokens.map((token, place): Token => {
    return place === at ? { ...token, raw: `@${word}`, plain: `@${word}`, word: `@${lower}` } : token;
  });
  return suggesting(scene, command, verb, named);
}

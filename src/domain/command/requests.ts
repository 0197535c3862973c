/** The ways in which people ask for a payment: with a verb, with a name and a figure alone, and with polite words around it. */
import { isBotMention } from './addressing.ts';
import { looksLikeAmount } from './amounts.ts';
import { answerChatter, hasNameIn, isToUsAlone, looksPayable } from './chatter.ts';
import { COURTESIES } from './noteWords.ts';
import { readPaymentCommand, toCommand } from './payment.ts';
import { looksLikeRecipient } from './recipients.ts';
import { type Command, type ConfirmCommand, type ConfirmReason, failure, isRefusal, type MoneyVerb } from './result.ts';
import type { Scene } from './scene.ts';
import { isBlot, type Token, wordOf } from './tokens.ts';
import { withNamedPerson } from './typos.ts';
import { isLeadingUnit } from './unitWords.ts';
import { findVerb } from './verbs.ts';

/** What is wrong with words that were perhaps no command at all. */
const VAGUE = new Set(['help', 'amount_missing', 'recipient_missing', 'recipient_invalid', 'amount_ambiguous']);
const MOST_COURTESIES = 8;

type Manner = { isNamedLater?: boolean; doubt?: ConfirmReason | undefined };

export function parsePayment(scene: Scene, verb: MoneyVerb, tokens: Token[], manner: Manner = {}): Command {
  const { isNamedLater = false, doubt } = manner;
  const outcome = readPaymentCommand(scene, { verb, tokens, isVerbless: false, isNamedLater, doubt });
  // Words that only end up naming the bot are for another reader, unless they are a whole command.
  if (isNamedLater && (isRefusal(outcome) || !hasFigureAndPayee(outcome))) return { kind: 'none' };
  return withNamedPerson(scene, verb, tokens, toCommand(outcome));
}

function hasFigureAndPayee({ kind }: Command): boolean {
  return kind === 'tip' || kind === 'send' || kind === 'split' || kind === 'confirm';
}

export function looksVerbless(tokens: Token[]): boolean {
  const [first, second] = tokens;
  if (first === undefined) return false;
  const isLed = isLeadingUnit(first) && second !== undefined && looksLikeAmount(second);
  return looksLikeRecipient(first) || looksLikeAmount(first) || isLed;
}

/** `@bob 5`: without a verb, words that fail were perhaps about something else. */
export function parseVerbless(scene: Scene, tokens: Token[]): Command {
  const outcome = readPaymentCommand(scene, { verb: 'tip', tokens, isVerbless: true, isNamedLater: false });
  if (!isRefusal(outcome)) return outcome;
  if (!VAGUE.has(outcome.refused)) {
    return isToUsAlone(scene) || looksPayable(scene, tokens) ? toCommand(outcome) : answerChatter(scene, tokens);
  }
  const isNamesOnly = tokens.every((token) => looksLikeRecipient(token) || isBlot(token)) && hasNameIn(scene, tokens);
  return isNamesOnly && outcome.refused === 'amount_missing' && !isToUsAlone(scene)
    ? failure('amount_missing')
    : answerChatter(scene, tokens);
}

/** Whether the bot stands inside the note: then the sentence speaks about it, not to it. */
function isMentioned({ intent }: ConfirmCommand): boolean {
  return intent.memo !== undefined;
}

/** `please tip @bob 5`, `hey @bot can you send @bob 5`: polite words, perhaps with the bot's name, then a command. Undefined when it is no such sentence. */
export function parsePolite(scene: Scene, tokens: Token[], isNamedLater: boolean): Command | undefined {
  let isNamed = !isNamedLater;
  for (const [at, token] of tokens.slice(0, MOST_COURTESIES + 1).entries()) {
    const verb = findVerb(wordOf(token));
    if (at > 0 && verb !== undefined && 'money' in verb) {
      if (!isNamed && !isBotMention(scene, tokens.at(-1))) return undefined;
      const request = { verb: verb.money, tokens: tokens.slice(at + 1), isVerbless: false, isNamedLater: false };
      const outcome = readPaymentCommand(scene, { ...request, doubt: 'sentence' });
      if (!isRefusal(outcome))
        return isNamed || outcome.kind !== 'confirm' || !isMentioned(outcome) ? outcome : undefined;
      return VAGUE.has(outcome.refused) || !isNamed ? undefined : toCommand(outcome);
    }
    if (isBotMention(scene, token)) isNamed = true;
    else if (!COURTESIES.has(wordOf(token) || token.raw.toLowerCase())) return undefined;
  }
  return undefined;
}

/** What is answered to words that are no command: help where the bot is spoken to alone, and in a group only to who wants something of it. */
import { isBotMention } from './addressing.ts';
import { looksLikeAmount } from './amounts.ts';
import { isQuestion } from './payment.ts';
import { looksLikeRecipient } from './recipients.ts';
import { type Command, failure } from './result.ts';
import type { Scene } from './scene.ts';
import type { Token } from './tokens.ts';
import { findVerb } from './verbs.ts';

/** The message is for the bot alone: in the direct chat, or a summons. */
export function isToUsAlone({ message }: Scene): boolean {
  return message.isDirect || message.isGuest;
}

export function hasFigureIn(tokens: Token[]): boolean {
  return tokens.some(looksLikeAmount);
}

export function hasNameIn(scene: Scene, tokens: Token[]): boolean {
  return tokens.some((token) => looksLikeRecipient(token) && !isBotMention(scene, token));
}

/** Whether the words ask for money to move, as far as that shows: a figure, and a name or a replied-to author. */
export function looksPayable(scene: Scene, tokens: Token[]): boolean {
  return hasFigureIn(tokens) && (hasNameIn(scene, tokens) || scene.message.replyTo !== undefined);
}

/** The answer to a message that names the bot in front and is no command. */
export function answerChatter(scene: Scene, tokens: Token[]): Command {
  if (isToUsAlone(scene)) return { kind: 'help' };
  const hasVerb = tokens.some(({ word }) => findVerb(word.replace(/^[^a-z]+|[^a-z]+$/g, '')) !== undefined);
  if (looksPayable(scene, tokens) && hasVerb) return { kind: 'help' };
  if (hasFigureIn(tokens) && hasNameIn(scene, tokens)) return failure('unknown_command', tokens[0]?.raw);
  const isAsked = tokens.some(isQuestion) && (scene.message.platform !== 'x' || hasVerb);
  return { kind: isAsked ? 'help' : 'none' };
}

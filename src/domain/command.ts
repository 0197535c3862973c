/** What a chat message asks for: one pure answer for one message of Telegram, Discord or X. */
import { type Address, findAddress } from './command/addressing.ts';
import { looksLikeAmount } from './command/amounts.ts';
import { readableText, readEntities } from './command/entities.ts';
import { maskText } from './command/ignored.ts';
import { type CommandInput, readMessage } from './command/input.ts';
import { parseInteraction } from './command/interaction.ts';
import { parseOrder } from './command/order.ts';
import { parsePayment } from './command/payment.ts';
import { looksLikeRecipient } from './command/recipients.ts';
import { type Command, failure, type PlainVerb } from './command/result.ts';
import type { Scene } from './command/scene.ts';
import { isBlot, type Token, tokenize, wordOf } from './command/tokens.ts';
import { findVerb, isMisspeltVerb } from './command/verbs.ts';

export type { CommandInput } from './command/input.ts';
export type {
  Command,
  OrderCommand,
  Platform,
  Recipient,
  SplitCommand,
  TransferCommand,
} from './command/result.ts';

const NONE: Command = { kind: 'none' };
const HELP: Command = { kind: 'help' };
const HARMLESS = new Set<PlainVerb>(['connect', 'help', 'balance', 'history', 'limits']);
/** What stands behind the slash of these is a setting of one's own, read word by word in `domain/settingWords`. */
const SETTINGS = new Set<PlainVerb>(['react', 'leaderboard']);

/** A verb that only shows something, or that reads its own words, may have more of them behind its slash; what else changes something stands alone. */
function parsePlain(scene: Scene, verb: PlainVerb, isSlash: boolean, rest: Token[]): Command {
  const { bot } = scene.message;
  const others = rest.filter(
    (token) => !isBlot(token) && token.word !== `@${bot.username}` && token.raw !== `<@${bot.id}>`,
  );
  return others.length === 0 || (isSlash && (HARMLESS.has(verb) || SETTINGS.has(verb))) ? { kind: verb } : HELP;
}

/** A slash command of a name that is not ours: a slip of ours gets help; in a group any other belongs to another bot. */
function parseUnknownSlash(scene: Scene, name: string, isOurs: boolean): Command {
  if (isMisspeltVerb(name)) return HELP;
  return isOurs || scene.message.isDirect || scene.message.isGuest ? failure('unknown_command') : NONE;
}

function parseWords(scene: Scene, address: Address, isMentioned: boolean): Command {
  const { tokens, isNamedLater, needsVerb } = address;
  const [first, ...rest] = tokens;
  if (first === undefined) return HELP;
  const slash = /^\/([a-z0-9_]+)(?:@([a-z0-9_]+))?$/.exec(first.word);
  const suffix = slash?.[2];
  if (suffix !== undefined && suffix !== scene.message.bot.username) return NONE;
  const word = slash?.[1] ?? first.word;
  // What the bot's own "Connect" button makes Telegram type.
  if (word === 'start' && slash && rest.length === 1 && rest[0]?.word === 'connect') return { kind: 'connect' };
  const verb = findVerb(word) ?? findPlain(first);
  if (verb !== undefined && 'plain' in verb) return parsePlain(scene, verb.plain, slash !== null, rest);
  if (verb !== undefined && 'asks' in verb) return parseOrder(scene, rest, { isSlash: slash !== null, isNamedLater });
  if (verb !== undefined) {
    return parsePayment(scene, { verb: verb.money, tokens: rest, isVerbless: false, isNamedLater });
  }
  if (slash !== null) return parseUnknownSlash(scene, word, suffix !== undefined || isMentioned);
  const isPayment = !needsVerb && !isNamedLater && (looksLikeRecipient(first) || looksLikeAmount(first));
  return isPayment ? parsePayment(scene, { verb: 'tip', tokens, isVerbless: true, isNamedLater }) : HELP;
}

/** `help!` is help: a sign behind a verb that moves no money changes nothing. */
function findPlain(token: Token) {
  const verb = findVerb(wordOf(token));
  return verb !== undefined && 'plain' in verb ? verb : undefined;
}

function parseText(scene: Scene): Command {
  const { message, entities } = scene;
  if (message.platform === 'x' && /^RT @/.test(message.text)) return NONE;
  const text = maskText(message.platform, readableText(message), entities);
  const all = tokenize(text, entities);
  const address = findAddress(scene, all, text);
  if (address === 'silent') return NONE;
  if (address === 'broken' || entities.isBroken) return failure('input_invalid');
  const spoken = all.findIndex((token) => !isBlot(token));
  return parseWords(scene, address, address.tokens[0] !== all[spoken]);
}

/**
 * Reads one message and never throws, whatever JSON value it is given. Money moves only for an answer of kind `tip`, `send`
 * or `split`: amounts are canonical decimal strings in whole units, shares are millionths. A message that does not speak
 * to the bot is `none`; a misspelt verb, a negation, a question or small talk is `help`; a command with a fault is `error` with
 * a code. Per-sender caps, prices and who a username belongs to are not known here.
 */
export function parseCommand(input: CommandInput): Command {
  const message = readMessage(input);
  if (message === undefined) return failure('input_invalid');
  if (message.isIgnored) return NONE;
  const scene: Scene = { message, entities: readEntities(message) };
  return message.interaction === undefined ? parseText(scene) : parseInteraction(scene);
}

/** What a chat message asks for: one pure answer for one message of Telegram, Discord or X. */
import { type Addressing, findAddress } from './command/addressing.ts';
import { answerChatter, isToUsAlone } from './command/chatter.ts';
import { readableText, readEntities } from './command/entities.ts';
import { maskText } from './command/ignored.ts';
import { type CommandInput, readMessage } from './command/input.ts';
import { parseInteraction } from './command/interaction.ts';
import { parseOrder } from './command/order.ts';
import { looksVerbless, parsePayment, parsePolite, parseVerbless } from './command/requests.ts';
import { type Command, failure, type PlainVerb } from './command/result.ts';
import type { Scene } from './command/scene.ts';
import { isBlot, type Token, tokenize, wordOf } from './command/tokens.ts';
import { parseTypo } from './command/typos.ts';
import { findVerb } from './command/verbs.ts';
import {
  ME_COMMAND,
  MONEY_PAGES,
  PAGE_COMMANDS,
  PLAN_COMMAND,
  SEND_VERBS,
  SUBSCRIPTIONS_COMMANDS,
} from './command/words.ts';

export type { CommandInput } from './command/input.ts';
export type {
  Command,
  ConfirmReason,
  OrderCommand,
  Platform,
  Recipient,
  SplitCommand,
  TransferCommand,
} from './command/result.ts';

const NONE: Command = { kind: 'none' };
const HELP: Command = { kind: 'help' };
const HARMLESS = new Set<PlainVerb>(['connect', 'help', 'balance', 'history', 'limits', 'subscriptions']);
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

/** A slash command. @param isOurs the bot is named beside it; in a group any other may belong to another bot */
function parseSlash(scene: Scene, name: string, rest: Token[], isOurs: boolean): Command {
  // What the bot's own "Connect" button makes Telegram type.
  if (name === 'start' && rest.length === 1 && rest[0]?.word === 'connect') return { kind: 'connect' };
  const isForUs = isOurs || isToUsAlone(scene);
  const verb = findVerb(name);
  if (verb !== undefined && 'money' in verb) {
    const command = parsePayment(scene, verb.money, rest);
    // Other bots have commands of these names: what is no whole payment of ours is one of theirs.
    const isOthers = SEND_VERBS.has(name) && !isForUs && (command.kind === 'error' || command.kind === 'confirm');
    return isOthers ? NONE : command;
  }
  if (verb !== undefined && 'plain' in verb) return parsePlain(scene, verb.plain, true, rest);
  if (verb !== undefined) return parseOrder(scene, rest, { isSlash: true, isNamedLater: false });
  if (name === PLAN_COMMAND || SUBSCRIPTIONS_COMMANDS.has(name))
    return isForUs ? { kind: name === PLAN_COMMAND ? 'plan' : 'subscriptions' } : NONE;
  // With more behind it, it is a way to speak of oneself.
  if (name === ME_COMMAND) return isForUs || rest.length === 0 ? { kind: 'me' } : NONE;
  const moneyPage = MONEY_PAGES.find((page) => page === name);
  if (moneyPage) return isForUs || rest.length === 0 ? { kind: moneyPage } : NONE;
  if (PAGE_COMMANDS.has(name)) return isForUs ? failure('use_page', name) : NONE;
  return parseTypo(scene, name, rest, isForUs) ?? (isForUs ? failure('unknown_command', `/${name}`) : NONE);
}

/** A message that begins with a word. */
function parseSpoken(scene: Scene, address: Addressing): Command {
  const { tokens, isNamedLater, needsVerb } = address;
  const [first, ...rest] = tokens;
  if (first === undefined) return scene.message.platform === 'x' && !isToUsAlone(scene) ? NONE : HELP;
  const word = wordOf(first);
  const verb = findVerb(word);
  // Behind the verb of a payment a sign separates, which is for its sender to judge.
  const isPunctuated = word !== first.word;
  if (verb !== undefined && 'money' in verb) {
    return parsePayment(scene, verb.money, rest, { isNamedLater, doubt: isPunctuated ? 'separator' : undefined });
  }
  if (verb !== undefined && 'plain' in verb) return parsePlain(scene, verb.plain, false, rest);
  if (verb !== undefined && !isPunctuated) return parseOrder(scene, rest, { isSlash: false, isNamedLater });
  if (word === ME_COMMAND && rest.every(isBlot) && !isNamedLater) return { kind: 'me' };
  const moneyPage = MONEY_PAGES.find((page) => page === word);
  if (moneyPage && rest.every(isBlot) && !isNamedLater) return { kind: moneyPage };
  if (PAGE_COMMANDS.has(word) && rest.length === 0 && !isNamedLater) return failure('use_page', word);
  if (!needsVerb && !isNamedLater && looksVerbless(tokens)) return parseVerbless(scene, tokens);
  const polite = parsePolite(scene, tokens, isNamedLater);
  if (polite !== undefined) return polite;
  if (isNamedLater) return NONE;
  return parseTypo(scene, first.word || first.raw, rest, true) ?? answerChatter(scene, tokens);
}

function parseText(scene: Scene): Command {
  const { message, entities } = scene;
  if (message.platform === 'x' && /^RT @/.test(message.text)) return NONE;
  const text = maskText(message.platform, readableText(message), entities);
  const all = tokenize(text, entities);
  const address = findAddress(scene, all, text);
  if (address === 'silent') return NONE;
  if (address === 'broken' || entities.isBroken) return failure('input_invalid');
  const [first, ...rest] = address.tokens;
  const slash = /^\/([a-z0-9_]+)(?:@([a-z0-9_]+))?$/.exec(first?.word ?? '');
  if (slash === null) return parseSpoken(scene, address);
  const [, name = '', suffix] = slash;
  if (suffix !== undefined && suffix !== message.bot.username) return NONE;
  const isMentioned = first !== all.find((token) => !isBlot(token));
  return parseSlash(scene, name, rest, suffix !== undefined || isMentioned);
}

/**
 * Reads one message and never throws, whatever JSON value it is given. Money moves only for an answer of kind `tip`, `send`
 * or `split`: amounts are canonical decimal strings in whole units, shares are millionths. What is in doubt is `confirm`: its
 * `intent` may be sent once its sender agrees. A message that does not speak to the bot is `none`; small talk is `none` in a group
 * and `help` where the bot is spoken to alone; a command with a fault is `error` with a code and the word at which reading stopped.
 * Per-sender caps, prices and who a username belongs to are not known here.
 */
export function parseCommand(input: CommandInput): Command {
  const message = readMessage(input);
  if (message === undefined) return failure('input_invalid');
  if (message.isIgnored) return NONE;
  const scene: Scene = { message, entities: readEntities(message) };
  return message.interaction === undefined ? parseText(scene) : parseInteraction(scene);
}

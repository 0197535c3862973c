/**
 * Discord interactions: slash commands with their options, sub-commands, and the context menu on a message or a user. The options
 * become words in one fixed order and go through the same grammar as typed ones.
 */
import { looksLikeAmount } from './amounts.ts';
import { chainNamed } from './chains.ts';
import { doubtAbout } from './doubts.ts';
import { readSequence } from './grammar.ts';
import { field, isSet, type Person, readId, readPerson } from './input.ts';
import { readOrderCommand } from './order.ts';
import { refuseScene, toCommand } from './payment.ts';
import { looksLikeRecipient } from './recipients.ts';
import { type Command, isRefusal, type MoneyVerb, type ParseRefusal, refuse } from './result.ts';
import type { Scene } from './scene.ts';
import { settle } from './settle.ts';
import { type Token, tokenizeWords } from './tokens.ts';
import { findVerb } from './verbs.ts';
import { ME_COMMAND, MONEY_PAGES, OTHER_CURRENCIES, OTHER_TOKENS, PLAN_COMMAND, unitNamed } from './words.ts';

/** Discord's numbers: option types, interaction types, command types. */
const OPTION = { subCommand: 1, group: 2, string: 3, integer: 4, user: 6, role: 8, mentionable: 9, number: 10 };
const APPLICATION_COMMAND = 2;
const AUTOCOMPLETE = 4;
const MESSAGE_MENU = 3;
const MAX_OPTIONS = 25;

const SLOTS: Record<string, 'recipients' | 'amount' | 'unit' | 'chain' | 'memo'> = {
  ...{ to: 'recipients', user: 'recipients', users: 'recipients', recipient: 'recipients', recipients: 'recipients' },
  ...{ handle: 'recipients', address: 'recipients', shares: 'recipients', parts: 'recipients', member: 'recipients' },
  ...{ amount: 'amount', total: 'amount', value: 'amount', sum: 'amount' },
  ...{ unit: 'unit', token: 'unit', currency: 'unit', asset: 'unit', chain: 'chain', network: 'chain' },
  ...{ memo: 'memo', note: 'memo', message: 'memo', reason: 'memo', for: 'memo', comment: 'memo' },
};

type Filled = {
  recipients: string[];
  amount?: string;
  unit?: string;
  chain?: string;
  memo?: string;
  users: Map<string, Person>;
};

type Menu = { path: string[]; options: unknown[] };

function isListOfOptions(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length <= MAX_OPTIONS;
}

/** Follows sub-commands down to the options that were filled in. */
function readMenu(data: unknown): Menu | undefined {
  const name = field(data, 'name');
  const options = field(data, 'options') ?? [];
  if (typeof name !== 'string' || !isListOfOptions(options)) return undefined;
  const type = field(options[0], 'type');
  if (options.length !== 1 || (type !== OPTION.subCommand && type !== OPTION.group)) return { path: [name], options };
  const inner = readMenu(options[0]);
  return inner === undefined ? undefined : { path: [name, ...inner.path], options: inner.options };
}

function resolvedUser(data: unknown, id: string): Person | undefined {
  const user = field(field(field(data, 'resolved'), 'users'), id);
  return user === undefined ? undefined : { ...readPerson(user, 'discord'), id };
}

function addUser(filled: Filled, data: unknown, id: string): void {
  filled.users.set(id, resolvedUser(data, id) ?? { id, username: undefined, isBot: false });
  filled.recipients.push(`<@${id}>`);
}

/** Users named inside an option's text count as the platform resolved them; those that it did not resolve, as they were typed. */
function addTypedUsers(filled: Filled, data: unknown, text: string): void {
  const isResolved = field(field(data, 'resolved'), 'users') !== undefined;
  for (const [, id = ''] of text.matchAll(/<@!?([0-9]{1,20})>/g)) {
    const user = resolvedUser(data, id) ?? (isResolved ? undefined : { id, username: undefined, isBot: false });
    if (user !== undefined) filled.users.set(id, user);
  }
}

function readFigure(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

function fillUser(filled: Filled, data: unknown, option: unknown): ParseRefusal | undefined {
  const id = readId(field(option, 'value'));
  const type = field(option, 'type');
  if (type === OPTION.role) return refuse('role_recipient');
  if (id === undefined || !/^[0-9]{1,20}$/.test(id)) return refuse('recipient_invalid');
  if (type === OPTION.mentionable && resolvedUser(data, id) === undefined) {
    const isRole = field(field(field(data, 'resolved'), 'roles'), id) !== undefined;
    return refuse(isRole ? 'role_recipient' : 'recipient_invalid');
  }
  addUser(filled, data, id);
  return undefined;
}

function fill(filled: Filled, data: unknown, option: unknown): ParseRefusal | undefined {
  const type = field(option, 'type');
  const name = field(option, 'name');
  const value = field(option, 'value');
  if (typeof name !== 'string') return refuse('input_invalid');
  const key = name.toLowerCase().replace(/_?[0-9]+$/, '');
  const slot = Object.hasOwn(SLOTS, key) ? SLOTS[key] : undefined;
  const isUser = type === OPTION.user || type === OPTION.role || type === OPTION.mentionable;
  const isBareId = type === undefined && slot === 'recipients' && /^[0-9]{5,20}$/.test(String(value));
  if (isUser || isBareId) return fillUser(filled, data, option);
  const text = slot === 'amount' ? readFigure(value) : value;
  if (slot === undefined || typeof text !== 'string')
    return refuse(slot === 'amount' ? 'amount_invalid' : 'input_invalid');
  if (slot === 'recipients') {
    addTypedUsers(filled, data, text);
    filled.recipients.push(text);
    return undefined;
  }
  if (filled[slot] !== undefined) return refuse(slot === 'amount' ? 'amount_ambiguous' : 'input_invalid');
  filled[slot] = text;
  return undefined;
}

function isMoney(word: string): boolean {
  return unitNamed(word) !== undefined || OTHER_TOKENS.has(word) || OTHER_CURRENCIES.has(word);
}

function amountWords(filled: Filled): Token[] | ParseRefusal {
  if (filled.amount === undefined) return [];
  const words = tokenizeWords(filled.amount);
  const [figure, unit] = words;
  if (figure === undefined || words.length > 2) return refuse('amount_invalid', filled.amount);
  const isLed = unit !== undefined && unitNamed(figure.word) !== undefined && looksLikeAmount(unit);
  if (!isLed && !looksLikeAmount(figure)) return refuse('amount_invalid', filled.amount);
  if (filled.unit === undefined) {
    return isLed || unit === undefined || isMoney(unit.word) ? words : refuse('amount_invalid', filled.amount);
  }
  const chosen = filled.unit.trim().toLowerCase();
  if (unitNamed(chosen) === undefined) {
    return refuse(OTHER_CURRENCIES.has(chosen) ? 'unsupported_currency' : 'unsupported_token', filled.unit);
  }
  return unit === undefined ? [figure, ...tokenizeWords(chosen)] : refuse('amount_ambiguous', filled.amount);
}

function pay(scene: Scene, verb: MoneyVerb, filled: Filled): Command | ParseRefusal {
  const users = new Map([...scene.entities.users, ...filled.users]);
  const inner: Scene = { ...scene, entities: { ...scene.entities, users } };
  const forbidden = refuseScene(inner);
  if (forbidden !== undefined) return forbidden;
  const amount = amountWords(filled);
  if (isRefusal(amount)) return amount;
  const chain = chosenChain(filled);
  if (isRefusal(chain)) return chain;
  const recipients = tokenizeWords(filled.recipients.join(' '));
  const isOther = recipients.some(
    (token) => !looksLikeRecipient(token) && !looksLikeAmount(token) && !/^(?:and|[,&])$/.test(token.word),
  );
  if (isOther) return refuse('recipient_invalid', filled.recipients.join(' '));
  const ordered = verb === 'split' ? [...amount, ...recipients] : [...recipients, ...amount];
  const sequence = readSequence(inner, verb, [...ordered, ...chain], false);
  if (isRefusal(sequence)) return sequence;
  if (sequence.note.length > 0 || sequence.endsOnBot) return refuse('recipient_invalid');
  const note = tokenizeWords(filled.memo ?? '');
  const intent = settle(inner, verb, { ...sequence, note, opening: 'for' });
  // The note has a field of its own, so nothing but what it says can be in doubt.
  const because = sequence.doubt ?? doubtAbout(note, 'for', true);
  return isRefusal(intent) || because === undefined ? intent : { kind: 'confirm', intent, because };
}

function chosenChain(filled: Filled): Token[] | ParseRefusal {
  if (filled.chain === undefined) return [];
  const chain = chainNamed(filled.chain.trim().toLowerCase());
  return chain === undefined ? refuse('unsupported_chain', filled.chain) : tokenizeWords(`on ${chain}`);
}

function order(scene: Scene, filled: Filled): Command | ParseRefusal {
  const forbidden = refuseScene(scene);
  if (forbidden !== undefined) return forbidden;
  if (filled.recipients.length > 0) return refuse('order_recipient');
  const amount = amountWords(filled);
  if (isRefusal(amount)) return amount;
  const chain = chosenChain(filled);
  if (isRefusal(chain)) return chain;
  return readOrderCommand(scene, [...amount, ...chain], tokenizeWords(filled.memo ?? ''));
}

/** The user whom a context menu was opened on: the author of a message, or the user himself. */
function readTarget(data: unknown): Person | undefined {
  const target = field(data, 'target');
  const author = field(target, 'author');
  if (author !== undefined) return readPerson(author, 'discord');
  if (typeof target === 'object' && target !== null) {
    const isMessage = field(target, 'content') !== undefined || field(target, 'channel_id') !== undefined;
    return isMessage ? undefined : readPerson(target, 'discord');
  }
  const id = readId(field(data, 'target_id') ?? target);
  if (id === undefined) return undefined;
  const message = field(field(field(data, 'resolved'), 'messages'), id);
  if (message !== undefined) return readPerson(field(message, 'author'), 'discord');
  const isUserMenu = field(data, 'type') === 2 && !/author|message/i.test(String(field(data, 'name')));
  return resolvedUser(data, id) ?? (isUserMenu ? { id, username: undefined, isBot: false } : undefined);
}

function addTarget(filled: Filled, target: Person | undefined): ParseRefusal | undefined {
  if (target?.id === undefined || !/^[0-9]{1,20}$/.test(target.id)) return refuse('recipient_missing');
  filled.users.set(target.id, target);
  filled.recipients.push(`<@${target.id}>`);
  return undefined;
}

function parseMenu(scene: Scene, data: unknown): Command | ParseRefusal {
  const menu = readMenu(data);
  if (menu === undefined) return refuse('input_invalid');
  if (menu.options.some((option) => isSet(field(option, 'focused')))) return { kind: 'none' };
  const isContext =
    isSet(field(data, 'target')) || isSet(field(data, 'target_id')) || field(data, 'type') === MESSAGE_MENU;
  const names = menu.path.map((name) => name.trim().toLowerCase());
  const words = isContext
    ? names.map((name) => name.replace(/^(tip)[ _-](?:the[ _-])?(?:author|user|sender)$/, '$1'))
    : names;
  if (!isContext && words.length === 1 && words[0] === PLAN_COMMAND) return { kind: 'plan' };
  if (!isContext && words.length === 1 && words[0] === ME_COMMAND) return { kind: 'me' };
  const moneyPage = MONEY_PAGES.find((page) => page === words[0]);
  if (!isContext && words.length === 1 && moneyPage) return { kind: moneyPage };
  const verbs = words.flatMap((word) => findVerb(word) ?? []);
  const [verb] = verbs;
  if (verb === undefined || verbs.length > 1) return refuse('unknown_command');
  if ('plain' in verb) return { kind: verb.plain };
  if ('asks' in verb && isContext) return refuse('unknown_command');
  const filled: Filled = { recipients: [], users: new Map() };
  const missing = isContext ? addTarget(filled, readTarget(data)) : undefined;
  if (missing !== undefined) return missing;
  for (const option of menu.options) {
    const refusal = fill(filled, data, option);
    if (refusal !== undefined) return refusal;
  }
  return 'asks' in verb ? order(scene, filled) : pay(scene, verb.money, filled);
}

/** The command of an interaction, given as its data or as the whole interaction around the data. */
export function parseInteraction(scene: Scene): Command {
  const { interaction, platform } = scene.message;
  if (platform !== 'discord') return toCommand(refuse('input_invalid'));
  const data = field(interaction, 'data');
  const type = field(interaction, 'type');
  if (type === AUTOCOMPLETE) return { kind: 'none' };
  if (data === undefined) {
    const isCommand = type === undefined || type === 1 || type === 2 || type === MESSAGE_MENU;
    return toCommand(isCommand ? parseMenu(scene, interaction) : refuse('unknown_command'));
  }
  return toCommand(type === APPLICATION_COMMAND ? parseMenu(scene, data) : refuse('unknown_command'));
}

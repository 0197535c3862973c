/**
 * Reads what a platform says about a text (mentions, code, quotes) and turns every offset into UTF-16 units of the readable text.
 * One entity that does not fit the text spoils them all: a payment may not hang on a guess about what was meant.
 */
import { field, isSet, type Message, type Person, readId, readPerson, readUsername } from './input.ts';

export type Span = { start: number; end: number };

export type Entities = {
  isBroken: boolean;
  /** Code and quotations: not part of what the sender says. */
  ignored: (Span & { isInline?: true })[];
  /** Struck-out and hidden text, and links: it is read, but nothing in it may pay. */
  doubtful: Span[];
  /** Telegram mentions of people without a username, who are known by id. */
  people: (Span & { person: Person })[];
  /** Telegram @mentions, start to end. */
  names: Map<number, number>;
  /** Discord: users by id, as the platform resolved them. */
  users: Map<string, Person>;
  /** X: ids by lower-case username. */
  ids: Map<string, string>;
  mentionsEveryone: boolean;
};

const IGNORED = new Set(['code', 'pre', 'blockquote', 'expandable_blockquote']);
const DOUBTFUL = new Set(['strikethrough', 'spoiler', 'text_link']);
const ESCAPES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", '#x27': "'" };
const MAX_ENTITIES = 500;

/** X delivers text with HTML escapes; one pass only, so that an escaped escape stays what its writer typed. */
export function unescapeHtml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(amp|lt|gt|quot|apos|#39|#x27);/g, (whole, name: string) => ESCAPES[name] ?? whole);
}

export function readableText(message: Message): string {
  return message.platform === 'x' ? unescapeHtml(message.text) : message.text;
}

/** A piece of a text by code points; plain slicing where no astral character is near. */
export function sliceByCodePoints(text: string, start: number, end: number): string {
  return /[\ud800-\udfff]/.test(text) ? Array.from(text).slice(start, end).join('') : text.slice(start, end);
}

function emptyEntities(): Entities {
  return {
    isBroken: false,
    ignored: [],
    doubtful: [],
    people: [],
    names: new Map(),
    users: new Map(),
    ids: new Map(),
    mentionsEveryone: false,
  };
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** A list of objects; undefined when it is none, an empty one when the platform left it out. */
function readList(value: unknown): unknown[] | undefined {
  if (value === undefined || value === null || isEmptyObject(value)) return [];
  return Array.isArray(value) && value.length <= MAX_ENTITIES ? value : undefined;
}

function readSpan(entity: unknown, text: string): Span | undefined {
  const start = field(entity, 'offset');
  const length = field(entity, 'length');
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(length)) return undefined;
  const end = (start as number) + (length as number);
  return (start as number) >= 0 && end > (start as number) && end <= text.length
    ? { start: start as number, end }
    : undefined;
}

function readTelegram(value: unknown, text: string): Entities {
  const entities = emptyEntities();
  const list = readList(value);
  if (list === undefined) return { ...entities, isBroken: true };
  for (const entity of list) {
    const type = field(entity, 'type');
    const span = readSpan(entity, text);
    if (span === undefined || typeof type !== 'string') entities.isBroken = true;
    else if (IGNORED.has(type)) entities.ignored.push(type === 'code' ? { ...span, isInline: true } : span);
    else if (DOUBTFUL.has(type)) entities.doubtful.push(span);
    else if (type === 'mention') {
      if (/^[@＠]\w+$/.test(text.slice(span.start, span.end))) entities.names.set(span.start, span.end);
      else entities.isBroken = true;
    } else if (type === 'text_mention') {
      const person = readPerson(field(entity, 'user'), 'telegram');
      if (person.id === undefined) entities.isBroken = true;
      else entities.people.push({ ...span, person });
    }
  }
  entities.people.sort((a, b) => a.start - b.start);
  for (const [index, one] of entities.people.entries()) {
    const next = entities.people[index + 1];
    if (next !== undefined && next.start < one.end) entities.isBroken = true;
  }
  return entities;
}

function readDiscord(value: unknown): Entities {
  const entities = emptyEntities();
  const list = readList(field(value, 'mentions'));
  if (list === undefined || (isSet(value) && typeof value !== 'object')) return { ...entities, isBroken: true };
  for (const user of list) {
    const person = readPerson(user, 'discord');
    if (person.id === undefined) entities.isBroken = true;
    else entities.users.set(person.id, person);
  }
  entities.mentionsEveryone = isSet(field(value, 'mention_everyone'));
  return entities;
}

/** The platform counts code points; whether it counts an escape as one or as typed differs between its versions. */
function isMentionAt(texts: string[], start: number, end: number, name: string): boolean {
  return texts.some((text) => {
    const shown = sliceByCodePoints(text, start, end);
    return /^[@＠]/.test(shown) && shown.slice(1).toLowerCase() === name;
  });
}

function readX(value: unknown, raw: string, text: string): Entities {
  const entities = emptyEntities();
  const list = readList(field(value, 'mentions'));
  if (list === undefined || (isSet(value) && typeof value !== 'object')) return { ...entities, isBroken: true };
  for (const mention of list) {
    const start = field(mention, 'start');
    const end = field(mention, 'end');
    const name = readUsername(field(mention, 'username'));
    const id = readId(field(mention, 'id'));
    if (typeof start !== 'number' || typeof end !== 'number' || name === undefined) entities.isBroken = true;
    else if (!isMentionAt([raw, text], start, end, name)) entities.isBroken = true;
    else if (id !== undefined) {
      if ((entities.ids.get(name) ?? id) !== id) entities.isBroken = true;
      entities.ids.set(name, id);
    }
  }
  return entities;
}

export function readEntities(message: Message): Entities {
  const text = readableText(message);
  if (message.platform === 'telegram') return readTelegram(message.entities, text);
  if (message.platform === 'discord') return readDiscord(message.entities);
  return readX(message.entities, message.text, text);
}

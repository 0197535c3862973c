/** Finds in a text what Telegram marks by itself: commands, mentions, hashtags, cashtags, links and mail addresses. */
import { badRequest, type Entity } from './wire.ts';

const MAX_TEXT = 4_096;

const WORD = '[\\p{L}\\p{N}_]';
/** Telegram knows every top-level domain; these suffice for what people type at a local server. */
const DOMAINS =
  'com|org|net|io|me|co|app|dev|xyz|eth|link|info|biz|gg|ai|cash|money|finance|de|uk|eu|fr|nl|us|ru|ua|br|in|jp|cn';
const URL_TAIL = '(?:[/?#][^\\s<>"]*[^\\s<>"\'.,;:!?)\\]}])?';

/** In order of precedence: what an earlier one has marked, a later one leaves alone. */
const PATTERNS: { type: string; pattern: RegExp; accept?: (match: string) => boolean }[] = [
  {
    type: 'url',
    pattern: new RegExp(`(?<!${WORD})(?:https?|tg|ton)://[^\\s<>"]*[^\\s<>"'.,;:!?)\\]}]`, 'giu'),
  },
  {
    type: 'email',
    pattern: new RegExp(`(?<!${WORD})[a-z0-9_+.-]+@[a-z0-9-]+(?:\\.[a-z0-9-]+)*\\.[a-z]{2,}(?!${WORD})`, 'giu'),
  },
  {
    type: 'url',
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}_@.$#/-])(?:[\\p{L}\\p{N}-]+\\.)+(?:${DOMAINS})(?::\\d+)?(?![\\p{L}\\p{N}_@-])${URL_TAIL}`,
      'giu',
    ),
  },
  {
    type: 'bot_command',
    pattern: new RegExp(`(?<!${WORD}|[/<>])/[a-zA-Z0-9_]{1,64}(?:@[a-zA-Z0-9_]{3,32})?(?!${WORD}|[/<>])`, 'gu'),
  },
  // Telegram's names have at least four letters; here three do, so that a person called bob can be mentioned.
  { type: 'mention', pattern: new RegExp(`(?<!${WORD})@[a-zA-Z0-9_]{3,32}(?!${WORD})`, 'gu') },
  {
    type: 'hashtag',
    pattern: /(?<![\d_\p{L}\u200c])#[\d_\p{L}\u200c]{1,256}(?![\d_\p{L}\u200c]*#)/gu,
    accept: (match) => /\p{L}/u.test(match),
  },
  { type: 'cashtag', pattern: /(?<![$\d_\p{L}\u200c])\$(?:1INCH|[A-Z]{1,8})(?![$\d_\p{L}\u200c])/gu },
];

/** What an author can set; the others are found by Telegram only. */
const FORMATTING = new Set([
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'spoiler',
  'blockquote',
  'expandable_blockquote',
  'code',
  'pre',
  'text_link',
  'text_mention',
  'custom_emoji',
]);
/** Inside these nothing is found. */
const OPAQUE = new Set(['code', 'pre', 'text_link', 'text_mention', 'custom_emoji']);

/** The entities of a text: the given ones, and those that Telegram finds outside code and links. Sorted by offset. */
export function markEntities(text: string, given: Entity[] = []): Entity[] {
  const kept = given.filter((entity) => FORMATTING.has(entity.type) && fits(text, entity));
  const taken = kept.filter(({ type }) => OPAQUE.has(type));
  const found: Entity[] = [];
  for (const { type, pattern, accept } of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      const entity = { type, offset: match.index, length: match[0].length };
      if (accept && !accept(match[0])) continue;
      if ([...taken, ...found].some((other) => overlaps(entity, other))) continue;
      found.push(entity);
    }
  }
  return [...kept, ...found].sort((a, b) => a.offset - b.offset || b.length - a.length);
}

/** Reads the `entities` parameter. Throws the error that Telegram gives for one it cannot read. */
export function readEntities(value: unknown): Entity[] {
  if (value === undefined || value === null || value === '') return [];
  if (!Array.isArray(value)) throw badRequest("can't parse entities: expected an Array of MessageEntity");
  for (const entity of value as Partial<Entity>[]) {
    if (typeof entity?.type !== 'string' || !Number.isInteger(entity.offset) || !Number.isInteger(entity.length)) {
      throw badRequest("can't parse MessageEntity: fields type, offset and length are expected");
    }
    if (entity.type === 'text_link' && typeof entity.url !== 'string') {
      throw badRequest('can\'t parse MessageEntity: Can\'t find field "url"');
    }
  }
  return value as Entity[];
}

function fits(text: string, { offset, length }: Entity): boolean {
  return offset >= 0 && length > 0 && offset + length <= text.length;
}

function overlaps(a: Entity, b: Entity): boolean {
  return a.offset < b.offset + b.length && b.offset < a.offset + a.length;
}

/** The text of a message that a bot sends. */
export function readText(params: Record<string, unknown>): { text: string; entities: Entity[] } {
  const mode = params['parse_mode'];
  // Formatting is given by entities here; guessing at markup could show another text than Telegram.
  if (mode !== undefined && mode !== null && mode !== '') throw badRequest('unsupported parse_mode');
  const given = String(params['text'] ?? '');
  if (/\p{Surrogate}/u.test(given)) throw badRequest('strings must be encoded in UTF-8');
  const text = given.trimEnd();
  if (text.trim() === '') throw badRequest('message text is empty');
  if (text.length > MAX_TEXT) throw badRequest('message is too long');
  return { text, entities: markEntities(text, readEntities(params['entities'])) };
}

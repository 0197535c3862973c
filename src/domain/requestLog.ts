// The log of requests to the API: how long an entry is kept, and what of a request and its response goes into it.
import { isDeniedName, REDACTED, redactField, redactText } from './redaction.ts';
import { hasCard, isSecretList } from './secretShapes.ts';

export const LOG_KEPT_DAYS = 7;
/** Of each body, in bytes. */
export const LOGGED_BODY = 4_096;
const LOGGED_PATH = 2_048;

export const LOGGED_METHODS = ['GET', 'HEAD', 'POST', 'DELETE'] as const;
export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;
export type StatusClass = (typeof STATUS_CLASSES)[number];

/** A body as it is stored: JSON, complete in itself also where what it stands for was cut. */
export type LoggedBody = { text: string; isCut: boolean };

/** Of a longer text, this much is read. */
const READ_LETTERS = 2 * LOGGED_BODY;
/** A secret that this much of the text cuts off may stand at its end without being known as one. */
const DOUBTFUL_LETTERS = 640;
/** What any value needs at least. */
const LEAST_BYTES = 32;
const DEEPEST = 24;
const LONGEST_NAME = 200;

/** @param body what JSON can hold */
export function loggedBody(body: unknown, most: number = LOGGED_BODY): LoggedBody {
  const budget: Budget = { left: most - 2, letters: 2 * READ_LETTERS, isCut: false };
  const text = write(budget, '', body, 0);
  return { text, isCut: budget.isCut };
}

/** `letters` is how much of the body’s texts is still read, whatever becomes of it. */
type Budget = { left: number; letters: number; isCut: boolean };

function write(budget: Budget, name: string, value: unknown, depth: number): string {
  if (value === null || value === undefined || typeof value === 'boolean') return spend(budget, String(value ?? null));
  if (name !== '' && isDeniedName(name) && typeof value !== 'string') return writeText(budget, REDACTED);
  if (typeof value === 'number')
    return hasCard([String(value)]) ? writeText(budget, REDACTED) : spend(budget, String(value));
  if (typeof value === 'string') return writeText(budget, redactedPart(budget, name, value));
  if (isSecretList(Array.isArray(value) ? value : numberedValues(value))) return writeText(budget, REDACTED);
  if (depth >= DEEPEST) return cutOff(budget);
  budget.left -= 2;
  return Array.isArray(value) ? writeArray(budget, name, value, depth) : writeObject(budget, value, depth);
}

function writeArray(budget: Budget, name: string, values: unknown[], depth: number): string {
  const parts: string[] = [];
  for (const value of values) {
    if (!hasRoom(budget, 1)) break;
    parts.push(write(budget, name, value, depth + 1));
  }
  return `[${parts.join(',')}]`;
}

function writeObject(budget: Budget, value: object, depth: number): string {
  const parts: string[] = [];
  const about = nameInside(value);
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue;
    const key = nameOf(budget, name);
    if (!hasRoom(budget, bytesOf(key) + 2)) break;
    const known = name === 'value' && about !== null && isDeniedName(about) ? about : name;
    parts.push(`${key}:${write(budget, known, (value as Record<string, unknown>)[name], depth + 1)}`);
  }
  return `{${parts.join(',')}}`;
}

/** Names recur in every body. */
const usualNames = new Map<string, string>();
const MOST_NAMES = 2_000;
const USUAL_NAME = /^[a-z_]{1,40}$/i;

function nameOf(budget: Budget, name: string): string {
  const isUsual = USUAL_NAME.test(name);
  const found = isUsual ? usualNames.get(name) : undefined;
  if (found !== undefined) return found;
  const written = JSON.stringify(
    wellFormed(isUsual ? redactText(name) : redactedPart(budget, '', name)).slice(0, LONGEST_NAME),
  );
  if (usualNames.size >= MOST_NAMES) usualNames.clear();
  if (isUsual) usualNames.set(name, written);
  return written;
}

/** Of a list that is written as an object: `{"0": 12, "1": 7}`, `{"word1": "…"}`. */
function numberedValues(value: object): unknown[] {
  for (const name in value) if (!/^\D{0,20}\d{1,3}$/.test(name)) return [];
  return Object.values(value);
}

/** Of a pair that is written out: `{"name": "password", "value": "…"}`. */
function nameInside(value: object): string | null {
  const { name, key } = value as { name?: unknown; key?: unknown };
  if (typeof name === 'string') return name;
  return typeof key === 'string' ? key : null;
}

/** Takes what a member needs beside its value. */
function hasRoom(budget: Budget, bytes: number): boolean {
  if (budget.left >= bytes + LEAST_BYTES) {
    budget.left -= bytes;
    return true;
  }
  budget.isCut = true;
  return false;
}

function spend(budget: Budget, text: string): string {
  budget.left -= text.length;
  return text;
}

function cutOff(budget: Budget): string {
  budget.isCut = true;
  return spend(budget, '"…"');
}

function redactedPart(budget: Budget, name: string, text: string): string {
  const most = Math.min(READ_LETTERS, budget.letters);
  budget.letters -= Math.min(most, text.length);
  if (text.length <= most) return redactField(name, text);
  budget.isCut = true;
  return redactField(name, text.slice(0, most)).slice(0, -DOUBTFUL_LETTERS);
}

function writeText(budget: Budget, text: string): string {
  const whole = wellFormed(text);
  let bytes = 2;
  let end = 0;
  while (end < whole.length) {
    const code = whole.codePointAt(end) ?? 0;
    const cost = costOf(code);
    if (bytes + cost > budget.left) break;
    bytes += cost;
    end += code > 0xffff ? 2 : 1;
  }
  if (end < whole.length) budget.isCut = true;
  budget.left -= bytes;
  return JSON.stringify(whole.slice(0, end));
}

/** The bytes of a character in a text of JSON. */
function costOf(code: number): number {
  if (code < 32) return 6;
  if (code === 34 || code === 92) return 2;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x1_0000 ? 3 : 4;
}

function bytesOf(json: string): number {
  let bytes = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    // Half of a pair has half of its four bytes.
    bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
  }
  return bytes;
}

/** A lone surrogate is no character, and no database stores it. */
function wellFormed(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? text.replace(/\p{Cs}/gu, '\ufffd') : text;
}

/** @param url of a request: its path, and its query with the names as they came */
export function loggedPath(url: string): string {
  const [path = '', ...rest] = url.slice(0, READ_LETTERS).split('?');
  // A key may have slashes: what follows the resource is read as one.
  const resource = /^\/v1\/[a-z_]{1,40}(?:\/|$)/.exec(path)?.[0] ?? '';
  const written = resource + redactedPiece('', path.slice(resource.length));
  const pairs = rest.join('?').split('&');
  const query = pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return value.length === 0
      ? redactedPiece('', name)
      : `${redactedPiece('', name)}=${redactedPiece(name, value.join('='))}`;
  });
  const pieces = rest.length === 0 ? written : `${written}?${query.join('&')}`;
  // A key may have the signs that part the pieces, too.
  const redacted = redactText(pieces);
  const whole = redacted === pieces ? pieces : redacted.replaceAll(REDACTED, encodeURIComponent(REDACTED));
  return wellFormed(whole.replaceAll('\0', '')).slice(0, LOGGED_PATH);
}

/** As it came, unless something was taken out of it. A plus sign is one, or a space. */
function redactedPiece(name: string, piece: string): string {
  const field = decoded(name.replaceAll('+', ' '));
  const read = decoded(piece);
  const signed = redactField(field, read);
  const spaced = signed.replaceAll('+', ' ');
  const redacted = redactField(field, spaced);
  if (redacted !== spaced) return encodeURIComponent(redacted);
  return signed === read ? piece : encodeURIComponent(signed);
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}

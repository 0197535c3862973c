// Which names have secrets as their values, and what follows such a name in a text of any kind: `password=…`, `"pin": "…"`, `private key: …`.

/** Compared with a name in lower case, without anything but letters and digits. */
const DENIED_PARTS =
  /secret|password|passwd|passphrase|privatekey|signature|authorization|permit|mnemonic|seedphrase|recoveryphrase|apikey|accesskey|signingkey|encryptionkey|masterkey|keystore|credential|cookie|cardnumber|securitycode|solanatransaction|signedtransaction|rawtransaction/;
const DENIED_NAMES = new Set(
  'auth sig pin otp pan cvc cvc2 cvv cvv2 seed jwt pwd pass bearer token tokens accesstoken refreshtoken idtoken authtoken sessiontoken bottoken'.split(
    ' ',
  ),
);
/** A time, which is shown with the endpoint whose secret it is about. */
const ALLOWED_NAMES = new Set(['formersecretuntil']);
const SHORTEST_NAME = 3;

export const plainName = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, '');

/** Names recur in every body: what was found of some is kept, and found again where they are too many. */
const known = new Map<string, boolean>();
const MOST_KNOWN = 2_000;
const LONGEST_KNOWN = 64;

/** Whether a field of this name is never stored, whatever it holds. */
export function isDeniedName(name: string): boolean {
  if (name.length < SHORTEST_NAME) return false;
  const found = known.get(name);
  if (found !== undefined) return found;
  const plain = plainName(name);
  const isDenied = DENIED_NAMES.has(plain) || (DENIED_PARTS.test(plain) && !ALLOWED_NAMES.has(plain));
  if (name.length > LONGEST_KNOWN) return isDenied;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(name, isDenied);
  return isDenied;
}

/** How far before a colon or an equals sign its name begins. */
const NAME_REACH = 48;
const BOUNDARY = /[,;{}[\]\n"'&?:=<>]/;

/** A value without quotes ends with its line: a recovery phrase, a scheme and its token, and many a password have spaces. */
export function redactPairs(text: string, redacted: string): string {
  const signs = /[:=>]/g;
  let done = '';
  let from = 0;
  for (let found = signs.exec(text); found; found = signs.exec(text)) {
    const at = found.index;
    if (!isDeniedPhrase(text, Math.max(from, at - NAME_REACH), at)) continue;
    const [begin, end] = valueAfter(text, at + 1, found[0]);
    if (begin >= end) continue;
    done += text.slice(from, begin) + redacted;
    from = end;
    signs.lastIndex = end;
  }
  return from === 0 ? text : done + text.slice(from);
}

function isDeniedPhrase(text: string, earliest: number, sign: number): boolean {
  let end = sign;
  while (end > earliest && /[\s"'\]\\]/.test(text[end - 1] ?? '')) end--;
  let begin = end;
  while (begin > earliest && !BOUNDARY.test(text[begin - 1] ?? '')) begin--;
  if (end - begin < SHORTEST_NAME || (text[begin] === '/' && text[sign] === '>')) return false;
  const phrase = text.slice(begin, end);
  return isDeniedName(phrase) || (/\s/.test(phrase) && isDeniedName(phrase.split(/\s/).at(-1) ?? ''));
}

function valueAfter(text: string, start: number, sign: string): [begin: number, end: number] {
  let begin = start;
  while (begin < text.length && /\s/.test(text[begin] ?? '')) begin++;
  const first = text[begin];
  if (first === '"' || first === "'") return [begin + 1, endOfQuoted(text, begin)];
  if (first === '{' || first === '[') return [begin, endOfBrackets(text, begin)];
  const stop = sign === '=' ? /[\n&]/g : sign === '>' ? /</g : /\n/g;
  stop.lastIndex = begin;
  return [begin, stop.exec(text)?.index ?? text.length];
}

/** A quote inside of a value is often not escaped: the one that ends it has an end behind it. */
function endOfQuoted(text: string, begin: number): number {
  const quote = text[begin];
  for (let at = begin + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) {
      let next = at + 1;
      while (next < text.length && /\s/.test(text[next] ?? '')) next++;
      if (next === text.length || /[,;:}\])&<>]/.test(text[next] ?? '')) return at;
      at = next - 1;
    }
  }
  return text.length;
}

function endOfBrackets(text: string, begin: number): number {
  let depth = 0;
  for (let at = begin; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') at = endOfQuoted(text, at);
    else if (letter === '{' || letter === '[') depth++;
    else if (letter === '}' || letter === ']') depth--;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

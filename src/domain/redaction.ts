// Takes secrets out of a text before it is stored: by the name of its field, and by what keys, signatures and cards look like. Every step is linear
// in the length of the text, whatever the text is.

export const REDACTED = '[redacted]';

/** Compared with a name in lower case, without anything but letters and digits. */
const DENIED_PARTS = [
  'secret',
  'password',
  'passwd',
  'passphrase',
  'privatekey',
  'signature',
  'authorization',
  'permit',
  'mnemonic',
  'seedphrase',
  'recoveryphrase',
  'apikey',
  'accesskey',
  'signingkey',
  'encryptionkey',
  'masterkey',
  'keystore',
  'credential',
  'cookie',
  'cardnumber',
  'securitycode',
  'solanatransaction',
  'signedtransaction',
  'rawtransaction',
];
const DENIED_NAMES = new Set(
  'auth sig pin otp pan cvc cvc2 cvv cvv2 seed jwt pwd pass bearer token tokens accesstoken refreshtoken idtoken authtoken sessiontoken bottoken'.split(
    ' ',
  ),
);
/** A time, which is shown with the endpoint whose secret it is about. */
const ALLOWED_NAMES = new Set(['formersecretuntil']);
/** Names of public identifiers that look like private keys or like signatures. */
const HASH_NAMES = new Set(['hash', 'transactionhash', 'onchainid', 'orderid', 'planid', 'plankey', 'campaignid']);
const HASH = /^(?:0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

const plainName = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Whether a field of this name is never stored, whatever it holds. */
export function isDeniedName(name: string): boolean {
  const plain = plainName(name);
  if (ALLOWED_NAMES.has(plain)) return false;
  return DENIED_NAMES.has(plain) || DENIED_PARTS.some((part) => plain.includes(part));
}

/** @param name of its field: a token’s address may be read, another token not; a transaction’s hash may, another 32 bytes not */
export function redactField(name: string, text: string): string {
  const plain = plainName(name);
  if (plain.endsWith('token') && ADDRESS.test(text)) return text;
  if (isDeniedName(name)) return REDACTED;
  if ((HASH_NAMES.has(plain) || plain.endsWith('txhash')) && HASH.test(text)) return text;
  return redactText(text);
}

export function redactText(text: string): string {
  if (text.includes('PRIVATE KEY')) return REDACTED;
  const worded = redactPairs(text)
    .replace(/bearer[ \t]{1,4}[^\s"',;]{8,}/gi, REDACTED)
    .replace(/(?<!\d)\d{6,}:[\w-]{30,}/g, REDACTED)
    .replace(/\w+/g, (word) => (isSecretWord(word) ? REDACTED : word))
    .replace(/[\w+/=.~%-]+/g, (blob) => (isSecretBlob(blob) ? REDACTED : blob));
  return redactPhrases(redactCards(worded));
}

const KEY_PREFIXES = ['sk_test_', 'sk_live_', 'rk_test_', 'rk_live_', 'whsec_', 'ghp_', 'gho_', 'ghs_'];
/** 32 bytes; a signature has more. */
const HEX_DIGITS = 64;
const LONG_WORD = 60;

function isSecretWord(word: string): boolean {
  if (KEY_PREFIXES.some((prefix) => word.includes(prefix) && word.length >= prefix.length + 8)) return true;
  if (/^AKIA[A-Z0-9]{16}$/.test(word)) return true;
  if (word.length < LONG_WORD) return false;
  const { digits, distinct } = lettersOf(word);
  return longestHex(word) >= HEX_DIGITS || (digits >= 2 && distinct >= 14);
}

/** Base64 and its like: the words of an address have fewer capitals. */
function isSecretBlob(blob: string): boolean {
  if (blob.length < 40) return false;
  if (blob.includes('eyJ')) return true;
  if (blob.length < HEX_DIGITS) return false;
  const { digits, capitals, small, distinct } = lettersOf(blob);
  return digits >= 2 && capitals >= 6 && small >= 6 && distinct >= 20;
}

function lettersOf(text: string): { digits: number; capitals: number; small: number; distinct: number } {
  const counts = { digits: 0, capitals: 0, small: 0 };
  const seen = new Set<number>();
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    seen.add(code);
    if (code >= 48 && code <= 57) counts.digits++;
    else if (code >= 65 && code <= 90) counts.capitals++;
    else if (code >= 97 && code <= 122) counts.small++;
  }
  return { ...counts, distinct: seen.size };
}

function longestHex(word: string): number {
  let longest = 0;
  let count = 0;
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at) | 32;
    const isHex = (code >= 97 && code <= 102) || (code >= 48 && code <= 57);
    count = isHex ? count + 1 : 0;
    longest = Math.max(longest, count);
  }
  return longest;
}

/** How far before a colon or an equals sign its name begins. */
const NAME_REACH = 48;

/** What follows a denied name in a text of any kind: `password=…`, `"pin": "…"`, `private key: …`. */
function redactPairs(text: string): string {
  let done = '';
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if ((sign !== ':' && sign !== '=') || !isDeniedPhrase(text.slice(Math.max(from, at - NAME_REACH), at))) continue;
    const [begin, end] = valueAfter(text, at + 1);
    if (begin === end) continue;
    done += text.slice(from, begin) + REDACTED;
    from = end;
    at = end - 1;
  }
  return done + text.slice(from);
}

function isDeniedPhrase(before: string): boolean {
  const parts = before
    .trimEnd()
    .replace(/["'\]]+$/, '')
    .split(/[,;{}[\]\n"'&?:=]/);
  const phrase = parts.at(-1) ?? '';
  return isDeniedName(phrase) || isDeniedName(phrase.trim().split(/\s/).at(-1) ?? '');
}

function valueAfter(text: string, start: number): [begin: number, end: number] {
  let begin = start;
  while (begin < start + 3 && /\s/.test(text[begin] ?? '')) begin++;
  const quote = text[begin];
  let end: number;
  if (quote === '"' || quote === "'") {
    begin++;
    end = begin;
    while (end < text.length && text[end] !== quote) end += text[end] === '\\' ? 2 : 1;
  } else {
    end = begin;
    while (end < text.length && !/[\s,;&"'}\]]/.test(text[end] ?? '')) end++;
  }
  return [begin, Math.min(end, text.length)];
}

const CARD = { least: 14, most: 19 };

function redactCards(text: string): string {
  return text.replace(/(?<!\w)\d+(?:[ -]\d+)*/g, (run) => (hasCard(run.split(/[ -]/)) ? REDACTED : run));
}

/** Whether groups that follow one another are a card’s number. */
export function hasCard(groups: string[]): boolean {
  return groups.some((_, first) => {
    let digits = '';
    for (let at = first; at < groups.length && digits.length < CARD.most; at++) {
      digits += groups[at];
      if (digits.length >= CARD.least && digits.length <= CARD.most && /^[2-6]/.test(digits) && isLuhn(digits))
        return true;
    }
    return false;
  });
}

function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The fewest words of a recovery phrase; each has three to eight small letters. */
const PHRASE_WORDS = 12;

function redactPhrases(text: string): string {
  return text.replace(/[a-z]+(?:\s[a-z]+)*/g, (run) => {
    let count = 0;
    for (const word of run.split(/\s/)) {
      count = word.length >= 3 && word.length <= 8 ? count + 1 : 0;
      if (count === PHRASE_WORDS) return REDACTED;
    }
    return run;
  });
}

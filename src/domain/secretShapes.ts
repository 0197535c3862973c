// What secrets look like: keys with a known prefix, 32 bytes and more in hex, base58, base64 or one by one, cards, recovery phrases.

/** @param redacted stands in the place of each */
export function redactShapes(text: string, redacted: string): string {
  // Nothing shorter is known as a secret without its name.
  if (text.length < SHORTEST) return text;
  const { digits, words, longest } = measured(text);
  let done = text;
  if (longest >= 8 && /bearer[ \t]/i.test(done)) done = done.replace(/bearer[ \t]{1,4}[^\s"',;]{8,}/gi, redacted);
  if (longest >= 30 && digits >= 6) done = done.replace(/(?<!\d)\d{6,}:[\w-]{30,}/g, redacted);
  if (longest >= SHORTEST_TOKEN)
    done = done.replace(/[\w+/.~%-]{12,}=*/g, (token) => (isSecretToken(token) ? redacted : token));
  // Half of the bytes of a key have a digit, at least.
  if (digits >= 12 && text.length >= 2 * BYTES - 1) done = redactBytes(done, redacted);
  if (digits >= CARD.least)
    done = done.replace(/(?<!\w)\d+(?:[ +-]{1,2}\d+)*/g, (run) =>
      run.length >= CARD.least && hasCard(run.split(/[ +-]+/)) ? redacted : run,
    );
  return words >= PHRASE_WORDS ? redactPhrases(done, redacted) : done;
}

const SHORTEST = 14;
const SHORTEST_TOKEN = 12;

/** How many digits a text has, its longest token, and the most words in a row that may be a phrase’s: most texts are too small for most secrets. */
function measured(text: string): { digits: number; words: number; longest: number } {
  let [digits, words, longest, token, row, word] = [0, 0, 0, 0, 0, 0];
  let isPlain = true;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    const isOther = code > 127 && code !== IDEOGRAPHIC_SPACE;
    const isLetter = isSmall(code) || isCapital(code) || isOther;
    const isNumber = isDigit(code);
    if (isNumber) digits++;
    token = isLetter || isNumber || isTokenSign(code) ? token + 1 : 0;
    if (token > longest) longest = token;
    if (isLetter) {
      word++;
      if (isOther) isPlain = false;
      continue;
    }
    if (word > 0) {
      row = !isPlain || (word >= WORD.least && word <= WORD.most) ? row + 1 : 0;
      if (row > words) words = row;
      word = 0;
      isPlain = true;
    }
    if (isEndOfRow(code)) row = 0;
  }
  return { digits, words, longest };
}

const IDEOGRAPHIC_SPACE = 0x3000;
/** `/ = < > ? { } & % !`, of the signs that no phrase has between its words. */
const isEndOfRow = (code: number) =>
  code === 47 ||
  (code >= 60 && code <= 63) ||
  code === 123 ||
  code === 125 ||
  (code >= 37 && code <= 38) ||
  code === 33;

/** `_ + / . ~ % -` */
const isTokenSign = (code: number) =>
  (code >= 45 && code <= 47) || code === 43 || code === 95 || code === 126 || code === 37;

const PREFIXED = /(?:[sr]k_(?:test|live)_|whsec_|gh[opsu]_|github_pat_|xox[abps]-)[\w+/.~%-]{8}|AKIA[A-Z0-9]{16}/;
/** 32 bytes have 64; some lose zeros at their beginning. An address has 40. */
const HEX_DIGITS = 58;
const LONG_WORD = 60;

function isSecretToken(token: string): boolean {
  if (PREFIXED.test(token)) return true;
  if (token.length < WINDOW) return false;
  return token.includes('eyJ') || hasSecretWord(token) || hasRandomWindow(token);
}

/** A word that is hex, or so long that it is no word. */
function hasSecretWord(token: string): boolean {
  let hex = 0;
  let begin = 0;
  for (let at = 0; at <= token.length; at++) {
    const code = at < token.length ? token.charCodeAt(at) : 0;
    hex = isHex(code) ? hex + 1 : 0;
    if (hex >= HEX_DIGITS) return true;
    if (isWord(code)) continue;
    if (at - begin >= LONG_WORD && isLongSecret(token.slice(begin, at))) return true;
    begin = at + 1;
  }
  return false;
}

function isLongSecret(word: string): boolean {
  return word.replace(/\D+/g, '').length >= 2 && new Set(word).size >= 14;
}

const isDigit = (code: number) => code >= 48 && code <= 57;
const isCapital = (code: number) => code >= 65 && code <= 90;
const isSmall = (code: number) => code >= 97 && code <= 122;
const isHex = (code: number) => isDigit(code) || ((code | 32) >= 97 && (code | 32) <= 102);
const isWord = (code: number) => isDigit(code) || isCapital(code) || isSmall(code) || code === 95;

/** Letters of base64 or base58 in a row: 32 bytes have 43. */
const WINDOW = 40;
/** So many of them are in no word; of random ones, 36 are. */
const IN_NO_WORD = 18;
/** Or so often a capital follows a small letter, or a digit a letter, or the other way round; of random ones, 16 times. */
const TURNS = 6;
const WORD_LETTERS = 4;
const OF_EACH_CASE = 3;
const EVM_ADDRESS = /0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g;

/** Whether any {@link WINDOW} of its letters are mixed as only random ones are: words have four small letters in a row, with a capital before them or none. */
function hasRandomWindow(token: string): boolean {
  if (!/[A-Z](?:[^A-Z]*[A-Z]){2}/.test(token)) return false;
  const letters = token.includes('0x') ? token.replace(EVM_ADDRESS, '.') : token;
  if (letters.length < WINDOW) return false;
  const odd = oddLetters(letters);
  let [capitals, small, count, turns] = [0, 0, 0, 0];
  const take = (at: number, by: 1 | -1) => {
    const code = letters.charCodeAt(at);
    if (isCapital(code)) capitals += by;
    else if (isSmall(code)) small += by;
    count += by * (odd[at] ?? 0);
    if (isTurn(letters.charCodeAt(at - 1), code)) turns += by;
  };
  for (let at = 0; at < letters.length; at++) {
    take(at, 1);
    if (at >= WINDOW) take(at - WINDOW, -1);
    const isRandom = count >= IN_NO_WORD || turns >= TURNS;
    if (isRandom && at >= WINDOW - 1 && capitals >= OF_EACH_CASE && small >= OF_EACH_CASE) return true;
  }
  return false;
}

function isTurn(before: number, code: number): boolean {
  if (isDigit(code)) return isSmall(before) || isCapital(before);
  return isCapital(code) ? isSmall(before) || isDigit(before) : isSmall(code) && isDigit(before);
}

/** 1 for each letter or digit that is in no word. */
function oddLetters(letters: string): Uint8Array {
  const odd = new Uint8Array(letters.length);
  let run = 0;
  for (let at = 0; at <= letters.length; at++) {
    const code = at < letters.length ? letters.charCodeAt(at) : 0;
    if (isSmall(code)) {
      run++;
      continue;
    }
    if (run < WORD_LETTERS) odd.fill(1, at - run, at);
    else if (odd[at - run - 1] === 1 && isCapital(letters.charCodeAt(at - run - 1))) odd[at - run - 1] = 0;
    run = 0;
    if (isDigit(code) || isCapital(code)) odd[at] = 1;
  }
  return odd;
}

/** A private key of 32 bytes, or a file of Solana with 64. */
const BYTES = 32;
const BYTE = /^(?:\d{1,3}|[0-9a-fA-F]{2}|0[xX][0-9a-fA-F]{1,2})$/;
const BETWEEN_BYTES = /^[\s,;:"'[\]{}|\\-]+$/;

/** Numbers up to 255 in a row, however they are written. */
function redactBytes(text: string, redacted: string): string {
  return redactRuns(text, redacted, { item: /\w+/g, isItem: isByteText, between: BETWEEN_BYTES, least: BYTES });
}

const isByteText = (word: string) => BYTE.test(word) && !(/^\d{3}$/.test(word) && Number(word) > 255);

/** The fewest words of a recovery phrase. */
const PHRASE_WORDS = 12;
/** In English. */
const WORD = { least: 3, most: 8 };
/** A dot or a colon after a number only: the words of a sentence, and names with their values, are no list. */
const BETWEEN_WORDS = /^(?:[\s,;"'+_|\\()[\]\d-]|(?<=\d)[.:])+$/;

function redactPhrases(text: string, redacted: string): string {
  return redactRuns(text, redacted, {
    item: /\p{L}[\p{L}\p{M}]*/gu,
    isItem: isPhraseWord,
    between: BETWEEN_WORDS,
    least: PHRASE_WORDS,
  });
}

/** Accents may be signs of their own. */
function isPhraseWord(word: string): boolean {
  if (/^[a-zA-Z]+$/.test(word)) return word.length >= WORD.least && word.length <= WORD.most;
  if (/^[\p{Script=Han}\p{Script=Hiragana}\p{M}]+$/u.test(word)) return word.length <= 10;
  return word.length >= 3 && word.length <= 12;
}

type Run = { item: RegExp; isItem(text: string): boolean; between: RegExp; least: number };

/** Takes out each row of items that is long enough. */
function redactRuns(text: string, redacted: string, { item, isItem, between, least }: Run): string {
  let done = '';
  let from = 0;
  let [begin, end, count] = [0, 0, 0];
  const close = () => {
    if (count < least) return;
    done += text.slice(from, begin) + redacted;
    from = end;
  };
  for (const { 0: word, index } of text.matchAll(item)) {
    const follows = count > 0 && between.test(text.slice(end, index));
    const counts = isItem(word);
    if (!counts || !follows) {
      close();
      count = 0;
      begin = index;
    }
    if (counts) count++;
    end = index + word.length;
  }
  close();
  return from === 0 ? text : done + text.slice(from);
}

/** Whether these are a key’s bytes, or the words of a recovery phrase, each an element of a list. */
export function isSecretList(values: readonly unknown[]): boolean {
  if (values.length < PHRASE_WORDS) return false;
  if (values.length >= BYTES && values.every(isByte)) return true;
  return values.every(
    (value) => typeof value === 'string' && /^\p{L}[\p{L}\p{M}]*$/u.test(value) && isPhraseWord(value),
  );
}

function isByte(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= 5 && isByteText(value);
  return Number.isInteger(value) && (value as number) >= -128 && (value as number) <= 255;
}

const CARD = { least: 14, most: 19 };

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

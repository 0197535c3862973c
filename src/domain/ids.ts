// Identifiers: a prefix and 26 characters that sort by time (48 bits of milliseconds, then 80 random bits).
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

export type IdPrefix =
  | 'hdl'
  | 'con'
  | 'int'
  | 'tip'
  | 'otx'
  | 'rpl'
  | 'req'
  | 'ses'
  | 'lnk'
  | 'lgn'
  | 'spr'
  | 'spc'
  | 'wrp'
  | 'wch'
  | 'alr'
  | 'opr'
  | 'clm'
  | 'esc'
  | 'nck'
  | 'key'
  | 'ord'
  | 'plk'
  | 'pmsg'
  | 'evt'
  | 'sbm'
  | 'trt'
  | 'whs'
  | 'ntc'
  | 'pse'
  | 'plan'
  | 'sub'
  | 'cbt'
  | 'trl'
  | 'run'
  | 'cgr'
  | 'grt'
  | 'gbt'
  | 'cand'
  | 'pay'
  | 'leg'
  | 'inv'
  | 'aud'
  | 'snd';

/** @param random exactly ten random bytes; @param nowMs Unix milliseconds */
export function formatId(prefix: IdPrefix, nowMs: number, random: Uint8Array): string {
  let bits = BigInt(nowMs);
  for (const byte of random.subarray(0, 10)) bits = (bits << 8n) | BigInt(byte);
  let text = '';
  for (let i = 0; i < 26; i++) {
    text = ALPHABET[Number(bits & 31n)] + text;
    bits >>= 5n;
  }
  return `${prefix}_${text}`;
}

/** When an id was drawn, in Unix milliseconds. */
export function timeOfId(id: string): number {
  const bits = [...id.slice(-26)].reduce((sum, letter) => (sum << 5n) | BigInt(ALPHABET.indexOf(letter)), 0n);
  return Number(bits >> 80n);
}

/** Whether a text from outside could be an id of that kind: nothing else is looked up. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[0-9a-z]{26}$/.test(text.slice(prefix.length + 1));
}

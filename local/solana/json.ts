// JSON with numbers of 64 bits: what does not fit a JavaScript number is written exactly, as nodes do.
import { randomUUID } from 'node:crypto';

/** No text of a client contains it. */
const MARK = randomUUID();
const MARKED = new RegExp(`"${MARK}(\\d+)"`, 'g');

export function toJson(value: unknown): string {
  const text = JSON.stringify(value, (_, one: unknown) => {
    if (typeof one !== 'bigint') return one;
    return one <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(one) : `${MARK}${one}`;
  });
  return text.includes(MARK) ? text.replace(MARKED, '$1') : text;
}

// `--set path=value`: fields of an object that a command creates, written on the command line.
import { UsageError } from './failure.ts';

type Fields = { [name: string]: unknown };

/** Fields that are numbers in the API. Every other value is text, as amounts are. */
const NUMBERS = ['expires_in', 'dueInHours'];
/** No part of a path may reach what every object has. */
const FORBIDDEN = ['__proto__', 'constructor', 'prototype'];

/**
 * Reads `amount=5`, `metadata.cart=7` and the like; a later one overrides an earlier one. The API validates it.
 * @throws UsageError for what is not written like that
 */
export function readFields(settings: readonly string[]): Fields {
  const fields: Fields = {};
  for (const setting of settings) {
    const at = setting.indexOf('=');
    const path = at < 1 ? [] : setting.slice(0, at).split('.');
    if (path.length === 0 || path.some((part) => part === '' || FORBIDDEN.includes(part)))
      throw new UsageError(`--set must be path=value, such as amount=5 or metadata.cart=7, not ${setting}.`);
    put(fields, path, setting.slice(at + 1));
  }
  return fields;
}

function put(fields: Fields, path: string[], value: string): void {
  const last = path.pop() ?? '';
  let inner = fields;
  for (const part of path) {
    const found = inner[part];
    const next: Fields = typeof found === 'object' && found !== null ? (found as Fields) : {};
    inner[part] = next;
    inner = next;
  }
  const isNumber = path.length === 0 && NUMBERS.includes(last) && /^-?\d+(\.\d+)?$/.test(value);
  inner[last] = isNumber ? Number(value) : value;
}

// Forms with bracket nesting (`metadata[order]=7`), as SDKs of payment platforms send them: to the object that JSON would have been.
import type { z } from 'zod';
import { AppError } from '../../domain/errors.ts';
import { shown } from '../parse.ts';

/** A list is what came under one name with empty brackets, `types[]=a&types[]=b`. */
export type Form = { [name: string]: string | Form | string[] };

const MOST_FIELDS = 1_000;
const DEEPEST = 5;

/** @throws AppError `parameter_invalid` for what is no such form, and for a field that is there twice */
export function parseForm(text: string): Form {
  const form = emptyForm();
  if (text === '') return form;
  const fields = text.split('&').filter((field) => field !== '');
  if (fields.length > MOST_FIELDS)
    throw new AppError('parameter_invalid', `A request can have at most ${MOST_FIELDS} parameters.`);
  for (const field of fields) {
    const split = field.indexOf('=');
    const name = decode(split < 0 ? field : field.slice(0, split));
    put(form, pathOf(name), split < 0 ? '' : decode(field.slice(split + 1)));
  }
  return form;
}

/** Nothing inherited: a field may be called whatever it likes and is still only a field. */
const emptyForm = (): Form => Object.create(null) as Form;

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new AppError('parameter_invalid', 'Parameters must be valid UTF-8.', { cause });
  }
}

function pathOf(name: string): string[] {
  const open = name.indexOf('[');
  if (open < 1) return [name];
  const inner = name.slice(open);
  if (!/^(\[[^[\]]*\])+$/.test(inner)) return [name];
  return [name.slice(0, open), ...inner.slice(1, -1).split('][')];
}

function put(form: Form, path: string[], value: string): void {
  if (path.length > DEEPEST) throw new AppError('parameter_invalid', 'The form is nested too deeply.');
  const last = path.at(-1) as string;
  let place = form;
  for (const name of path.slice(0, -1)) {
    const inner = place[name] ?? emptyForm();
    if (typeof inner === 'string' || Array.isArray(inner)) throw twice(path);
    place[name] = inner;
    place = inner;
  }
  const before = place[last];
  if (last === '' && path.length > 1 && (before === undefined || Array.isArray(before))) {
    place[last] = [...(before ?? []), value];
    return;
  }
  if (before !== undefined) throw twice(path);
  place[last] = value;
}

function twice([name = '', ...inner]: string[]): AppError {
  const param = shown(`${name}${inner.map((one) => `[${one}]`).join('')}`);
  return new AppError('parameter_invalid', `${param} is given more than once.`, { param });
}

type Kind = 'number' | 'boolean' | 'array';

/** Which fields of a schema a form's text has to become something else for. Read once, when an endpoint is mounted. */
export function coercedFields(schema: z.ZodObject): ReadonlyMap<string, Kind> {
  const kinds = new Map<string, Kind>();
  for (const [name, field] of Object.entries(schema.shape)) {
    const { type } = unwrap(field as z.ZodType).def;
    if (type === 'number' || type === 'boolean' || type === 'array') kinds.set(name, type);
  }
  return kinds;
}

function unwrap(schema: z.ZodType): z.ZodType {
  const { innerType } = schema.def as { innerType?: z.ZodType };
  return innerType ? unwrap(innerType) : schema;
}

/** Whole numbers, booleans and lists of a form; whatever is none of them stays as it is, which the schema then refuses. */
export function coerce(form: Form, kinds: ReadonlyMap<string, Kind>): Record<string, unknown> {
  const typed: Record<string, unknown> = { ...form };
  for (const [name, kind] of kinds) {
    const text = form[name];
    if (kind === 'array' && typeof text === 'object' && !Array.isArray(text)) typed[name] = listIn(text) ?? text;
    if (typeof text !== 'string') continue;
    if (kind === 'boolean' && (text === 'true' || text === 'false')) typed[name] = text === 'true';
    if (kind === 'number' && /^-?\d{1,15}$/.test(text)) typed[name] = Number(text);
  }
  return typed;
}

/** `types[]=a&types[]=b`, and `types[0]=a&types[1]=b` with every number there. */
function listIn(form: Form): (string | Form)[] | null {
  const names = Object.keys(form);
  const unnamed = form[''];
  if (names.length === 1 && Array.isArray(unnamed)) return unnamed;
  const listed = names.map((_name, index) => form[index]);
  return listed.every((one) => one !== undefined && !Array.isArray(one)) ? (listed as (string | Form)[]) : null;
}

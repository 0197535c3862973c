// Verifies webhook signatures, and parses events only after that.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { AmpersatSignatureError } from './errors.ts';
import type { AmpersatEvent } from './types.ts';

/** Request headers: a `Headers`, or an object with names in any case. */
export type HeaderBag = { get(name: string): string | null } | { [name: string]: string | string[] | undefined };

export type VerifyOptions = {
  /** Maximum age of the signature, in either direction, in seconds. Defaults to 300. */
  toleranceS?: number;
  /** Unix milliseconds. Defaults to the time of this machine. */
  now?: number;
};

const TOLERANCE_S = 300;
/** As the dashboard shows it. An empty one, or that of an example, is public: with it anyone could sign. */
const SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/;

/**
 * Verifies the `Service-Signature` and returns the event.
 * @param rawBody the unparsed body: parsing and serialising it again changes the signature
 * @param signature the header’s value, or all headers
 * @param secret signing secret of the endpoint, `whsec_…`
 * @throws AmpersatSignatureError; TypeError for a malformed secret
 */
export function constructEvent(
  rawBody: string | Uint8Array,
  signature: string | HeaderBag,
  secret: string,
  options: VerifyOptions = {},
): AmpersatEvent {
  checkSecret(secret);
  const header = typeof signature === 'string' ? signature : headerOf(signature, 'Service-Signature');
  const parts = header.split(',').map((part) => part.trim().split('=', 2) as [string, string?]);
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  const given = parts.flatMap(([name, value]) => (name === 'v1' && value ? [value] : []));
  if (!/^\d{1,12}$/.test(timestamp) || given.length === 0)
    throw new AmpersatSignatureError('header_invalid', 'The Service-Signature has no t= or no v1=.');
  const mac = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest('hex');
  return readSigned(
    rawBody,
    Number(timestamp),
    given.some((one) => isSame(one, mac)),
    options,
  );
}

/**
 * The same with the headers of Standard Webhooks: `webhook-id`, `webhook-timestamp`, `webhook-signature`.
 * @throws AmpersatSignatureError; TypeError for a malformed secret
 */
export function verifyStandard(
  rawBody: string | Uint8Array,
  headers: HeaderBag,
  secret: string,
  options: VerifyOptions = {},
): AmpersatEvent {
  checkSecret(secret);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const given = headerOf(headers, 'webhook-signature')
    .split(' ')
    .flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : []));
  if (!/^\d{1,12}$/.test(timestamp) || given.length === 0)
    throw new AmpersatSignatureError('header_invalid', 'The webhook-timestamp or webhook-signature is none.');
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest('base64');
  return readSigned(
    rawBody,
    Number(timestamp),
    given.some((one) => isSame(one, mac)),
    options,
  );
}

/** @throws TypeError, whose message does not contain the secret */
function checkSecret(secret: string): void {
  if (!SECRET.test(secret)) throw new TypeError('secret must be that of your endpoint: whsec_…');
}

function readSigned(
  rawBody: string | Uint8Array,
  signedAtS: number,
  isRight: boolean,
  { toleranceS = TOLERANCE_S, now = Date.now() }: VerifyOptions,
): AmpersatEvent {
  if (!isRight)
    throw new AmpersatSignatureError(
      'signature_wrong',
      'No signature fits. Is this the raw body, and the secret of this endpoint?',
    );
  const age = Math.floor(now / 1_000) - signedAtS;
  if (age > toleranceS) throw new AmpersatSignatureError('too_old', `It was signed ${age} seconds ago.`);
  if (-age > toleranceS) throw new AmpersatSignatureError('too_new', `It was signed ${-age} seconds from now.`);
  return JSON.parse(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody)) as AmpersatEvent;
}

function headerOf(headers: HeaderBag, name: string): string {
  const value = isHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
  if (typeof value === 'string' && value !== '') return value;
  throw new AmpersatSignatureError('header_missing', `There is no header ${name}.`);
}

function isHeaders(headers: HeaderBag): headers is { get(name: string): string | null } {
  return typeof headers['get'] === 'function';
}

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

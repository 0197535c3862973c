// What a page and the wallet's window say to each other. The window takes one request and gives one answer; all that it signs it shows first.
import type { TypedData } from '../../../../../src/domain/typedData.ts';
import type { WalletProblem } from '../../requests.ts';
import type { SignInStart } from '../../signInMessage.ts';
import type { Remembered } from '../remembered.ts';

/** A new passkey, the one that this browser remembers, or any that the person has. */
export type WhichPasskey = 'new' | 'usual' | 'any';

export type WalletRequest =
  /** To make or find a passkey, and sign in with it. `address`: of the passkey that the page remembers. */
  | { kind: 'open'; how: WhichPasskey; address: string | null; start: SignInStart }
  | { kind: 'sign_in'; address: string; text: string }
  | { kind: 'sign'; address: string; all: TypedData[] }
  | { kind: 'export'; address: string };

export type Opened = { message: string; signature: `0x${string}`; passkey: Remembered };

/** `request` is JSON, so that nothing but data gets across. */
export type ToWindow = { wallet: 'request'; id: string; request: string };
export type FromWindow =
  | { wallet: 'ready' }
  | { wallet: 'answer'; id: string; value: unknown }
  | { wallet: 'refusal'; id: string; problem: WalletProblem; message: string; reason: string };

const MOST_BYTES = 200_000;
const MOST_AT_ONCE = 16;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Null for what is no request of ours. The messages in it are read by what explains them. */
export function readRequest(data: unknown): { id: string; request: WalletRequest } | null {
  const { wallet, id, request: text } = (data ?? {}) as Partial<ToWindow>;
  if (wallet !== 'request' || typeof id !== 'string' || !/^[\w-]{16,64}$/.test(id)) return null;
  if (typeof text !== 'string' || text.length > MOST_BYTES) return null;
  try {
    const request = JSON.parse(text) as WalletRequest;
    return isRequest(request) ? { id, request } : null;
  } catch {
    return null;
  }
}

function isRequest(request: WalletRequest): boolean {
  if (request.kind === 'open') {
    const { how, address, start } = request;
    return ['new', 'usual', 'any'].includes(how) && (address === null || isAddress(address)) && isObject(start);
  }
  if (!isAddress(request.address)) return false;
  switch (request.kind) {
    case 'sign_in':
      return typeof request.text === 'string';
    case 'sign':
      return Array.isArray(request.all) && isCount(request.all.length) && request.all.every(isMessage);
    default:
      return request.kind === 'export';
  }
}

const isCount = (count: number) => count > 0 && count <= MOST_AT_ONCE;
const isAddress = (value: unknown) => typeof value === 'string' && ADDRESS.test(value);
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isMessage = (data: TypedData) => isObject(data) && typeof data.primaryType === 'string' && isObject(data.message);

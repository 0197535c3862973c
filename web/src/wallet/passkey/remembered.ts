// What this browser knows of its passkey: which it is, and its address. Nothing of it can sign.
const KEEP_KEY = 'passkey';
const BEGUN_KEY = 'passkey-begun';

export type Remembered = {
  /** The credential's id, base64url. */
  id: string;
  address: string;
  /** Whether it may be copied to the person's other devices; otherwise it exists on this one alone. */
  isSynced: boolean;
};

/** One that is not proven yet: made here, or chosen here. `address` is what it gave first; null while it gave nothing. */
export type Begun = { id: string; isMade: boolean; address: string | null };

type Listener = () => void;
const listeners = new Set<Listener>();
let latest: { text: string | null; value: Remembered | null } = { text: null, value: null };

/** The same object until it changes. */
export function rememberedPasskey(): Remembered | null {
  const text = localStorage.getItem(KEEP_KEY);
  if (text !== latest.text) latest = { text, value: text === null ? null : parse(text) };
  return latest.value;
}

export function rememberPasskey(passkey: Remembered): void {
  localStorage.setItem(KEEP_KEY, JSON.stringify(passkey));
  for (const listener of listeners) listener();
}

export function onPasskeyChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function begunPasskey(): Begun | null {
  return read(localStorage.getItem(BEGUN_KEY)) as Begun | null;
}

export function keepBegun(begun: Begun | null): void {
  if (begun) localStorage.setItem(BEGUN_KEY, JSON.stringify(begun));
  else localStorage.removeItem(BEGUN_KEY);
}

function parse(text: string): Remembered | null {
  const { id, address, isSynced } = (read(text) ?? {}) as Partial<Remembered>;
  if (typeof id !== 'string' || typeof address !== 'string') return null;
  return { id, address, isSynced: isSynced === true };
}

function read(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

// What this browser knows of its passkey: which it is, and its address. Nothing of it can sign.
const KEEP_KEY = 'passkey';

export type Remembered = {
  /** The credential's id, base64url. */
  id: string;
  /** Null until it has signed in once. */
  address: string | null;
  /** Whether it may be copied to the person's other devices; otherwise it exists on this one alone. */
  isSynced: boolean;
};

type Listener = () => void;
const listeners = new Set<Listener>();
let read: { text: string | null; value: Remembered | null } = { text: null, value: null };

/** The same object until it changes. */
export function rememberedPasskey(): Remembered | null {
  const text = localStorage.getItem(KEEP_KEY);
  if (text !== read.text) read = { text, value: text === null ? null : parse(text) };
  return read.value;
}

export function rememberPasskey(passkey: Remembered): void {
  localStorage.setItem(KEEP_KEY, JSON.stringify(passkey));
  for (const listener of listeners) listener();
}

export function onPasskeyChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function parse(text: string): Remembered | null {
  try {
    const { id, address, isSynced } = JSON.parse(text) as Partial<Remembered>;
    if (typeof id !== 'string') return null;
    return { id, address: typeof address === 'string' ? address : null, isSynced: isSynced === true };
  } catch {
    return null;
  }
}

// The people of the local stack: who they are on each platform, and keys that are public, for play money only.
import type { Address, Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { localStackKey } from '../../src/chain/signing/developmentKeys.ts';

export type Person = {
  name: string;
  /** Their Ampersat handle; dave has none. */
  handle: string | null;
  kind: 'personal' | 'business';
  /** Linked on every platform, funded, with allowance and limits. */
  connected: boolean;
  key: Hex;
  address: Address;
  telegram: { id: number; username: string };
  discord: { id: string; username: string };
  x: { id: string; username: string };
};

/** A key of the local stack: the same in every checkout, so it must never hold anything of worth. */
export function localKey(role: string): { key: Hex; address: Address } {
  const key = localStackKey(role);
  return { key, address: privateKeyToAddress(key) };
}

/** A person with an account on every platform; `number` keeps their ids apart. */
export function person(name: string, number: number, rest: Pick<Person, 'handle' | 'kind' | 'connected'>): Person {
  return {
    name,
    ...rest,
    ...localKey(name),
    telegram: { id: 7_000_000 + number, username: name },
    discord: { id: `11${String(number).padStart(16, '0')}`, username: name },
    x: { id: `12${String(number).padStart(16, '0')}`, username: name },
  };
}

export const PEOPLE: Person[] = [
  person('alice', 1, { handle: 'alice', kind: 'personal', connected: true }),
  person('bob', 2, { handle: 'bob', kind: 'personal', connected: true }),
  person('carol', 3, { handle: 'carol', kind: 'personal', connected: false }),
  person('dave', 4, { handle: null, kind: 'personal', connected: false }),
  person('shop', 5, { handle: 'shop', kind: 'business', connected: true }),
];

export const TELEGRAM_BOT = {
  id: 7_100_000,
  username: 'ampersat_bot',
  first_name: 'Ampersat',
  token: '7100000:local-stack-token-without-any-power',
};
/** The group in which the seeded people meet. */
export const TELEGRAM_GROUP = -1_007_000_000_001;

/** The bot's account on the local X, and the OAuth client that acts for it. */
export const X_BOT = {
  id: '120000000000009999',
  username: 'ampersat_bot',
  name: 'Ampersat',
  clientId: 'local-stack-client',
  clientSecret: 'local-stack-client-secret-without-any-power',
  refreshToken: 'local-stack-refresh-token-without-any-power',
};
export const DISCORD_BOT = {
  id: '119000000000000001',
  username: 'ampersat',
  token: 'bG9jYWwtc3RhY2s.bG9jYWw.token-of-the-local-stack-without-any-power',
};
/** The server on Discord in which the seeded people meet; it is alice's. */
export const DISCORD_GUILD = { id: '119100000000000001', name: 'Ampersat friends', ownerId: '110000000000000001' };
export const DISCORD_CHANNELS = [
  { id: '119200000000000001', name: 'general' },
  { id: '119200000000000002', name: 'tips' },
];
export const DISCORD_CHANNEL = '119200000000000001';

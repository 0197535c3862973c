// The people of the tour: its own, so that it can run again at once, also on a stack that others use.
import { createPublicClient, http, type PublicClient } from 'viem';
import type { ChainConfig } from '../../src/env.ts';
import type { LocalFile } from '../stack/localFile.ts';
import { localKey, type Person, person } from '../stack/people.ts';
import { ROLES } from '../stack/roles.ts';
import { type Seeded, seedMore } from '../stack/seed.ts';

/** Ids of people that no stack seeds by itself and no load uses. */
const FIRST_NUMBER = 600_000;

/** Each may type five commands an hour, so every platform has a sender of its own. */
export type Cast = {
  /** They pay: on Telegram, on Discord, on X. */
  nina: Person;
  otto: Person;
  pia: Person;
  /** They pay, too: whatever happens more than once, and in German. */
  quentin: Person;
  rosa: Person;
  /** He is paid. */
  sven: Person;
  /** They have a wallet and no account. */
  theo: Person;
  uwe: Person;
  sessions: Seeded['sessions'];
};

/** @param suffix keeps this tour's people apart from those of an earlier one */
export async function gatherCast(
  local: LocalFile,
  chainsFile: string,
  config: ChainConfig,
  suffix: string,
): Promise<Cast> {
  const number = FIRST_NUMBER + Number(suffix || 0) * 10;
  const account = (name: string, index: number, hasAccount = true) => {
    const handle = `${name}${suffix}`;
    return person(handle, number + index, {
      handle: hasAccount ? handle : null,
      kind: 'personal',
      connected: hasAccount,
    });
  };
  const people = {
    nina: account('nina', 1),
    otto: account('otto', 2),
    pia: account('pia', 3),
    quentin: account('quentin', 4),
    rosa: account('rosa', 5),
    sven: account('sven', 6),
  };
  const env = {
    AMPERSAT_MODE: 'development',
    DATABASE_URL: local.database_url,
    CHAINS_FILE: chainsFile,
    EXECUTOR_KEYS: ROLES.executors.map((role) => role.key).join(','),
  };
  const { sessions } = await seedMore(env, [{ name: 'base', config }], Object.values(people));
  return { ...people, theo: account('theo', 7, false), uwe: account('uwe', 8, false), sessions };
}

/** An address without an owner in the tour. */
export function strayAddress({ sven }: Cast): `0x${string}` {
  return localKey(`${sven.name} elsewhere`).address;
}

export function openClient(rpcUrl: string): PublicClient {
  return createPublicClient({ transport: http(rpcUrl), cacheTime: 0, pollingInterval: 100 });
}

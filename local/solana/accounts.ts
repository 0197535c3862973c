// Accounts as of any slot that is not long final: each change remembers what was there before it.

import type { Address } from '@solana/kit';
import { lamports } from '@solana/kit';
import { type Account, type Ledger, openBlockOf } from './ledger.ts';

export const SYSTEM_PROGRAM = '11111111111111111111111111111111';

/** The account in the open block. */
export function readAccount({ svm }: Ledger, address: string): Account | null {
  const found = svm.getAccount(address as Address);
  if (!found.exists) return null;
  const { lamports: balance, programAddress, data, executable } = found;
  return { lamports: balance, owner: programAddress, data: data as Uint8Array, executable };
}

/** The account after the block of a slot. */
export function accountAt(ledger: Ledger, address: string, slot: number): Account | null {
  const later = ledger.versions.get(address)?.find((version) => version.slot > slot);
  return later ? later.before : readAccount(ledger, address);
}

/** Those that a program owns after the block of a slot. */
export function accountsOf(ledger: Ledger, program: string, slot: number): [address: string, account: Account][] {
  const found = new Map<string, Account>(
    ledger.svm
      .getProgramAccounts(program as Address)
      .map(({ address, lamports: balance, data, executable }) => [
        address,
        { lamports: balance, owner: program, data: data as Uint8Array, executable },
      ]),
  );
  for (const address of ledger.versions.keys()) {
    const account = accountAt(ledger, address, slot);
    if (account?.owner === program) found.set(address, account);
    else found.delete(address);
  }
  return [...found];
}

/** Writes an account past all programs: what a genesis has. Null removes it. */
export function writeAccount(ledger: Ledger, address: string, account: Account | null): void {
  const { slot } = openBlockOf(ledger);
  replaceAccount(ledger, address, account, slot);
  ledger.entries.push({ kind: 'write', slot, address, account });
  ledger.changes++;
}

/** The same as part of a block, which a fork may leave out. */
export function replaceAccount(ledger: Ledger, address: string, account: Account | null, slot: number): void {
  rememberVersion(ledger, address, readAccount(ledger, address), slot);
  putAccount(ledger, address, account);
}

export function rememberVersion(ledger: Ledger, address: string, before: Account | null, slot: number): void {
  ledger.blocks.get(slot)?.changed.add(address);
  const versions = ledger.versions.get(address);
  if (!versions) ledger.versions.set(address, [{ slot, before }]);
  else if (versions[versions.length - 1]?.slot !== slot) versions.push({ slot, before });
}

/** litesvm removes an account whose balance is zero. */
export function putAccount({ svm }: Ledger, address: string, account: Account | null): void {
  const {
    lamports: balance,
    owner,
    data,
    executable,
  } = account ?? {
    lamports: 0n,
    owner: SYSTEM_PROGRAM,
    data: new Uint8Array(),
    executable: false,
  };
  svm.setAccount({
    address: address as Address,
    lamports: lamports(balance),
    programAddress: owner as Address,
    data,
    executable,
    space: BigInt(data.length),
  });
}

/** Runs work on some accounts as they were after a slot, and puts them back. */
export function withAccountsAt<T>(ledger: Ledger, addresses: readonly string[], slot: number, work: () => T): T {
  const changed = addresses.filter((address) => ledger.versions.get(address)?.some((version) => version.slot > slot));
  const present = changed.map((address) => [address, readAccount(ledger, address)] as const);
  for (const address of changed) putAccount(ledger, address, accountAt(ledger, address, slot));
  try {
    return work();
  } finally {
    for (const [address, account] of present) putAccount(ledger, address, account);
  }
}

/** No one reads older slots than this one. */
export function forgetVersions({ versions }: Ledger, slot: number): void {
  for (const [address, list] of versions) {
    const kept = list.filter((version) => version.slot > slot);
    if (kept.length === 0) versions.delete(address);
    else if (kept.length < list.length) versions.set(address, kept);
  }
}

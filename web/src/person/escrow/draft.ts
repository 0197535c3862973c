// What was typed for a new tab, and how far its opening is: kept in this browser tab, because wallets on phones reload the page while one signs in.

import { findChain } from '../../../../src/domain/chains.ts';
import type { EscrowView, OnChainArgs } from '../../../../src/http/api/escrowAnswers.ts';
import { pageAccount } from '../../app/session/pageAccount.ts';
import { type Platform, readRecipient } from './recipient.ts';

export const LENGTHS = [
  { hours: 24, words: '1 day' },
  { hours: 72, words: '3 days' },
  { hours: 168, words: '7 days' },
  { hours: 720, words: '30 days' },
] as const;

/** The limits of a tab's time, in hours. */
export const LEAST_HOURS = 1;
export const MOST_HOURS = 2_160;
export const MOST_NOTE = 280;

export type Draft = {
  platform: Platform;
  name: string;
  byId: boolean;
  amount: string;
  /** Empty until one was chosen. */
  chain: string;
  /** `own`: what stands in `ownLength`, in `ownUnit`s. */
  length: number | 'own';
  ownLength: string;
  ownUnit: 'hours' | 'days';
  note: string;
};

/**
 * A tab that the service knows and the chain does not yet: with `sender` and its number it can be opened once and never twice.
 * `txHash` is there once the wallet has sent the opening, `requestId` once an executor is to send what the wallet signed.
 */
export type Staged = {
  terms: string;
  /** Unix milliseconds. */
  at: number;
  escrow: EscrowView;
  args: OnChainArgs;
  /** The wallet has let the router take the amount. */
  approved: boolean;
  txHash: string | null;
  requestId?: string | null;
};

/** Nothing of it may be sent a second time. */
export function isUnderWay(staged: Staged | null): boolean {
  return Boolean(staged?.txHash ?? staged?.requestId);
}

/** A draft that began from the same link. */
type Kept = { link: string; draft: Draft; staged: Staged | null };
/** It outlives the document, so it names whose it is. */
type Stored = Kept & { account: string | null };

const KEY = 'new-tab';

function read(): Kept | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Stored | null;
    return stored?.account === pageAccount() ? stored : null;
  } catch {
    return null;
  }
}

export function readKept(link: string): Kept | null {
  const kept = read();
  return kept?.link === link ? kept : null;
}

/** The opening of a tab that was begun in this browser tab. */
export function stagedOf(id: string): Staged | null {
  const staged = read()?.staged ?? null;
  return staged?.escrow.id === id ? staged : null;
}

/** The query of the address under which it goes on. */
export function linkOf(): string {
  const link = read()?.link;
  return link ? `?${link}` : '';
}

export function keep(kept: Kept): void {
  sessionStorage.setItem(KEY, JSON.stringify({ ...kept, account: pageAccount() } satisfies Stored));
}

export function forget(): void {
  sessionStorage.removeItem(KEY);
}

/** @param link the query of the address, `?to=&amount=&chain=&note=` */
export function draftOf(link: string): Draft {
  const search = new URLSearchParams(link);
  const chain = (search.get('chain') ?? '').toLowerCase();
  return {
    ...readRecipient(search.get('to') ?? ''),
    amount: (search.get('amount') ?? '').slice(0, 20),
    chain: findChain(chain) ? chain : '',
    length: 168,
    ownLength: '',
    ownUnit: 'days',
    note: (search.get('note') ?? '').slice(0, MOST_NOTE),
  };
}

/** How long the tab waits, in hours; null when that is no length a tab may have. */
export function hoursOf({ length, ownLength, ownUnit }: Draft): number | null {
  if (length !== 'own') return length;
  if (!/^\d{1,4}$/.test(ownLength.trim())) return null;
  const hours = Number(ownLength.trim()) * (ownUnit === 'days' ? 24 : 1);
  return hours >= LEAST_HOURS && hours <= MOST_HOURS ? hours : null;
}

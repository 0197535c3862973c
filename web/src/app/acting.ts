// For which workspace a tab acts: its account's own, or that of a team that the account chose. The choice is of this tab and this account; each call
// that is about a workspace names it, so that nothing of one is shown or written for another.
import { useSyncExternalStore } from 'react';
import { doorOf } from '../../../src/domain/team.ts';

const KEY = 'acting';

type Kept = {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
  removeItem(key: string): void;
};
/** Typed here, because tests without a browser read this file as well. */
const kept = () => (globalThis as unknown as { sessionStorage: Kept }).sessionStorage;

/** The account that is signed in, as far as this tab knows. */
let account: string | null = null;
const listeners = new Set<() => void>();

function chosen(): { account: string; workspace: string } | null {
  const text = kept().getItem(KEY);
  return text === null ? null : JSON.parse(text);
}

/** Another account in this tab ends the acting of the one before, also when that one comes back. */
export function noteAccountOf(handle: string | null): void {
  if (handle === null || handle === account) return;
  account = handle;
  const before = chosen();
  if (before && before.account !== handle) kept().removeItem(KEY);
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}

/** The workspace of a team; null for the account's own. */
export function actingFor(): string | null {
  const choice = chosen();
  return choice !== null && choice.account === account ? choice.workspace : null;
}

/** @param workspace null for the account's own */
export function chooseActing(workspace: string | null): void {
  if (account === null) return;
  if (workspace === null || workspace === account) kept().removeItem(KEY);
  else kept().setItem(KEY, JSON.stringify({ account, workspace }));
  tell();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useActing(): string | null {
  return useSyncExternalStore(subscribe, actingFor);
}

/** A path from “/api” on, which names the workspace where it is about one and the tab acts for a team. */
export function namedPath(method: string, path: string): string {
  const workspace = actingFor();
  if (workspace === null || doorOf(method, path) === null) return path;
  return `${path}${path.includes('?') ? '&' : '?'}workspace=${encodeURIComponent(workspace)}`;
}

// Who is signed in in this browser, and how that changes.

import { onlineManager, type QueryClient, useQuery } from '@tanstack/react-query';
import { chooseActing, noteAccountOf } from '../acting.ts';
import { type Account, callApi } from '../api.ts';
import { takeAnswer } from '../takeAnswer.ts';
import { meetAccount, nameOf, pageAccount, reloadPage } from './pageAccount.ts';

type Session = { account: Account | null };

const KEY = ['session'];
/** Between the tabs of this browser: the account that signed in, or null when it signed out. */
let tabs: BroadcastChannel | undefined;

export function useSession() {
  return useQuery({ queryKey: KEY, queryFn: ({ signal }) => readSession(signal) });
}

async function readSession(signal: AbortSignal): Promise<Session> {
  const session = await callApi<Session>('GET', '/session', undefined, signal);
  if (session.account) await meetAccount(session.account);
  noteAccountOf(session.account?.handle ?? null);
  return session;
}

/**
 * A user signed in, or their account changed. Another account than the page's begins in a new document. Requests from before the change are
 * cancelled and refetched: their late response would end the new session on this page.
 */
export async function noteAccount(client: QueryClient, account: Account): Promise<void> {
  tabs?.postMessage(nameOf(account));
  await meetAccount(account);
  noteAccountOf(account.handle);
  void client.cancelQueries();
  client.setQueryData<Session>(KEY, { account });
  void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] });
}

/** What other tabs of this browser say of the session that all of them share. */
export function followTabs(client: QueryClient): void {
  tabs = new BroadcastChannel('session');
  tabs.addEventListener('message', ({ data }: MessageEvent<string | null>) => {
    // Signed out on purpose, or in with another account: nothing of the account stays in this tab.
    if (pageAccount() !== null && data !== pageAccount()) void reloadPage();
    else void client.invalidateQueries({ queryKey: KEY });
  });
  // A page that the browser kept has missed what they said.
  addEventListener('pageshow', ({ persisted }) => persisted && void client.invalidateQueries({ queryKey: KEY }));
}

/** The tab acts for another workspace from here on: what is of the one before is dropped, and late answers of it are not shown. */
export function switchWorkspace(client: QueryClient, workspace: string | null): void {
  void client.cancelQueries();
  chooseActing(workspace);
  void client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] && queryKey[0] !== 'teams' });
}

/** The session ended. The page keeps its content until another user signs in, so that nothing typed is lost. */
export function noteSignedOut(client: QueryClient): void {
  takeAnswer<Session>(client, KEY, { account: null });
}

/**
 * Ends the session, or every session of the account, and opens `to` as a new document: nothing of the account stays in the tab. The page
 * requests nothing more from here on: its refreshes would arrive after the session ended.
 */
export async function signOut(client: QueryClient, { everywhere = false, to = '/' } = {}): Promise<void> {
  onlineManager.setOnline(false);
  try {
    await client.cancelQueries();
    await callApi('DELETE', everywhere ? '/sessions' : '/session');
  } catch (error) {
    onlineManager.setOnline(true);
    throw error;
  }
  tabs?.postMessage(null);
  // The browser keeps the page it leaves, and would show it again on "Back".
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
  location.assign(to);
}

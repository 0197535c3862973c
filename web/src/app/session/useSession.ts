// Who is signed in in this browser, and how that changes.

import { onlineManager, type QueryClient, useQuery } from '@tanstack/react-query';
import { chooseActing, noteAccountOf } from '../acting.ts';
import { type Account, callApi } from '../api.ts';
import { takeAnswer } from '../takeAnswer.ts';

type Session = { account: Account | null };

const KEY = ['session'];

export function useSession() {
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      const session = await callApi<Session>('GET', '/session', undefined, signal);
      noteAccountOf(session.account?.handle ?? null);
      return session;
    },
  });
}

/**
 * A user signed in, or their account changed. Data of another wallet is dropped; requests from before the change are
 * cancelled and refetched: their late response would end the new session on this page.
 */
export function noteAccount(client: QueryClient, account: Account): void {
  const before = client.getQueryData<Session>(KEY)?.account;
  noteAccountOf(account.handle);
  void client.cancelQueries();
  client.setQueryData<Session>(KEY, { account });
  const others = { predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== KEY[0] };
  if (before && before.address !== account.address) void client.resetQueries(others);
  else void client.invalidateQueries(others);
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
  // The browser keeps the page it leaves, and would show it again on "Back".
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
  location.assign(to);
}

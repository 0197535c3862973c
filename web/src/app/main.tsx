// The entry: the page of the address, with the data that all pages share.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { announcePlayWallets } from '../wallet/playWallets.ts';
import { ApiError } from './apiError.ts';
import { loadFirstPage, openPage } from './pages.ts';
import { readPath, usePath } from './router.tsx';
import { followTabs, noteSignedOut } from './session/useSession.ts';
import { firstPaint, takeOver } from './takeOver.tsx';
import './theme.css';

/** Whichever call finds the session expired, all pages are notified at once. */
function onError(error: unknown): void {
  if (error instanceof ApiError && error.code === 'session_required') noteSignedOut(client);
}

/** What the service refused once it refuses twice; anything else gets a second try. */
function retry(failures: number, error: unknown): boolean {
  return failures < 1 && !(error instanceof ApiError && error.code !== 'unreachable');
}

const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: { queries: { retry, refetchOnWindowFocus: true } },
});

function App() {
  const path = usePath();
  const { title, component: Page } = openPage(path);
  useEffect(() => {
    if (title) document.title = title;
  }, [title]);
  return (
    <Suspense fallback={null}>
      <Page />
    </Suspense>
  );
}

announcePlayWallets();
followTabs(client);

const show = () => takeOver(client, <App />);

// What fails to load is said by the page that asks for it again.
firstPaint()
  .then(() => loadFirstPage(readPath()))
  .then(show, show);

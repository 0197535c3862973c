// The entry: the page of the address, with the data that all pages share.
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, Suspense, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { announcePlayWallets } from '../wallet/playWallets.ts';
import { ApiError } from './api.ts';
import { loadFirstPage, openPage } from './pages.ts';
import { readPath, usePath } from './router.tsx';
import { noteSignedOut } from './session/useSession.ts';
import './theme.css';

/** Whatever call hears that the session is over, every page learns it at once. */
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

/** In place of the first frame, which came with the document. */
function show(): void {
  const root = document.getElementById('root') as HTMLElement;
  root.inert = false;
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
}

const MOST_PATIENCE_MS = 1_000;

/** Once the first frame is seen: a page that starts before that keeps the processor from painting it. A tab that nobody looks at paints nothing. */
function firstPaint(): Promise<unknown> {
  if (document.visibilityState === 'hidden') return Promise.resolve();
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, MOST_PATIENCE_MS);
  });
}

// What fails to load is said by the page that asks for it again.
firstPaint()
  .then(() => loadFirstPage(readPath()))
  .then(show, show);

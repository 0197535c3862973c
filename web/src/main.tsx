// The entry: two pages, chosen by the address.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { LandingPage } from './landing/LandingPage.tsx';
import './theme.css';

const PlaygroundPage = lazy(async () => {
  const page = await import('./playground/PlaygroundPage.tsx');
  return { default: page.PlaygroundPage };
});

const client = new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: true } } });
const isPlayground = location.pathname.replace(/\/+$/, '') === '/playground';
document.title = isPlayground ? 'Playground · Ampersat' : 'Ampersat: pay any @handle';

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <Suspense fallback={null}>{isPlayground ? <PlaygroundPage /> : <LandingPage />}</Suspense>
    </QueryClientProvider>
  </StrictMode>,
);

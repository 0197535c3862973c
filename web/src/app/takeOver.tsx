// The first render of a page in the browser, in place of the first frame that came with its document.
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

const PAINT_TIMEOUT_MS = 1_000;

/** Resolves after the first frame is painted: a page that starts earlier delays that paint. A hidden tab paints nothing. */
export function firstPaint(): Promise<unknown> {
  if (document.visibilityState === 'hidden') return Promise.resolve();
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, PAINT_TIMEOUT_MS);
  });
}

export function takeOver(client: QueryClient, page: ReactNode): void {
  const root = document.getElementById('root') as HTMLElement;
  root.inert = false;
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>{page}</QueryClientProvider>
    </StrictMode>,
  );
}

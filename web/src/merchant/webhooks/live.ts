// Listens for changes of the workspace's events, and has the open pages refetch. Without a stream they poll every few seconds.

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { namedPath } from '../../app/acting.ts';
import { createAsker } from './asker.ts';

/** Every answer about endpoints, events and deliveries is kept under it. */
export const WEBHOOKS_KEY = ['webhooks'];

const STREAM = '/api/webhooks/stream';
const RECONNECT_MS = 5_000;
const MOST_WAIT_MS = 60_000;
/** Where much happens, pages ask no more often than this. */
const SPACING_MS = 1_500;
const POLL_MS = 4_000;
/** A stream may end silently, so pages also poll now and then. */
const CALM_MS = 30_000;

let isStreaming = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setStreaming(is: boolean): void {
  isStreaming = is;
  for (const listener of listeners) listener();
}

/** How often a page asks by itself, in milliseconds. */
export function usePace(): number {
  return useSyncExternalStore(subscribe, () => isStreaming) ? CALM_MS : POLL_MS;
}

/**
 * While the page is looked at: a browser has few connections to one address, and a page in the background needs none.
 * @param queries what is refetched after a change
 */
export function useLive(queries: readonly string[] = WEBHOOKS_KEY, spacingMs = SPACING_MS): void {
  const client = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page names the same queries each time
  useEffect(() => {
    let stop = () => {};
    const follow = () => {
      stop();
      stop = document.hidden ? () => {} : listen(client, queries, spacingMs);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      stop();
    };
  }, [client]);
}

/** @returns what ends it */
function listen(client: QueryClient, queryKey: readonly string[], spacingMs: number): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = RECONNECT_MS;
  const asker = createAsker(() => client.invalidateQueries({ queryKey }), spacingMs);
  const open = () => {
    source = new EventSource(namedPath('GET', STREAM));
    source.addEventListener('open', () => {
      waitMs = RECONNECT_MS;
      setStreaming(true);
    });
    source.addEventListener('changed', asker.ask);
    source.addEventListener('error', () => {
      setStreaming(false);
      // A break is mended by the browser; after a refusal it gives up, and we come back later, and later still.
      if (source?.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(open, waitMs);
      waitMs = Math.min(2 * waitMs, MOST_WAIT_MS);
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    asker.end();
    source?.close();
    setStreaming(false);
  };
}

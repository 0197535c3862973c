// The way back to the shop: where it leads, and what a window that the shop’s page opened tells that page.
import { useEffect, useSyncExternalStore } from 'react';
import { parsedUrl } from '../../../../src/domain/parsedUrl.ts';
import type { PublicOrder } from './checkoutApi.ts';

/** The name that embed.js gives the window. */
const WINDOW_NAME = 'ampersat-checkout';

/** The origin of the page that opened this window, once it has answered from one that the merchant named. */
let shop: string | null = null;
const watchers = new Set<() => void>();

function watch(tell: () => void): () => void {
  watchers.add(tell);
  return () => watchers.delete(tell);
}

/** Whether a shop’s page opened this window and hears it: it greets each origin that the merchant named, and that page’s embed.js answers. */
export function useShopWindow({ embed_origins }: Pick<PublicOrder, 'embed_origins'>): boolean {
  // Each answer has a list of its own that says the same.
  const origins = embed_origins.join(' ');
  const answered = useSyncExternalStore(watch, () => shop);
  useEffect(() => {
    const opener = window.opener as Window | null;
    if (answered !== null || origins === '' || window.name !== WINDOW_NAME || opener === null) return;
    const named = origins.split(' ');
    const listen = ({ source, origin, data }: MessageEvent<{ type?: unknown } | null>) => {
      if (source !== opener || !named.includes(origin) || data?.type !== 'ampersat.shop') return;
      shop = origin;
      for (const tell of watchers) tell();
    };
    addEventListener('message', listen);
    for (const origin of named) opener.postMessage({ type: 'ampersat.hello' }, origin);
    return () => removeEventListener('message', listen);
  }, [answered, origins]);
  return answered !== null && origins.split(' ').includes(answered);
}

/** Tells the page that opened this window each status of the order. The browser hands it to that page only where its origin is one that the merchant named. */
export function useShopReports(order: PublicOrder): void {
  const { id, status, success_url } = order;
  const isReporting = useShopWindow(order);
  useEffect(() => {
    if (!isReporting || shop === null) return;
    const message = { type: 'ampersat.order', order: id, status, success_url };
    (window.opener as Window | null)?.postMessage(message, shop);
  }, [isReporting, id, status, success_url]);
}

/** The service checks addresses when it stores them; a page that follows one looks again. */
export function webAddress(url: string | null): string | null {
  const protocol = url === null ? undefined : parsedUrl(url)?.protocol;
  return protocol === 'https:' || protocol === 'http:' ? url : null;
}

const unpaidKey = (orderId: string) => `unpaid:${orderId}`;

/** This tab saw the order before it was paid: it goes back by itself, once. One who looks at a paid order later stays. */
export const keepUnpaid = (orderId: string) => sessionStorage.setItem(unpaidKey(orderId), '1');
export const wasUnpaid = (orderId: string) => sessionStorage.getItem(unpaidKey(orderId)) !== null;
export const forgetUnpaid = (orderId: string) => sessionStorage.removeItem(unpaidKey(orderId));

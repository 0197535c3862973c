// The way back to the shop: where it leads, and what a window that the shop’s page opened tells that page.
import { useEffect } from 'react';
import { parsedUrl } from '../../../../src/domain/parsedUrl.ts';
import type { PublicOrder } from './checkoutApi.ts';

/** The name that embed.js gives the window. */
const WINDOW_NAME = 'ampersat-checkout';

/** Whether a shop’s page opened this window and is still there. */
export function isShopWindow({ embed_origins }: Pick<PublicOrder, 'embed_origins'>): boolean {
  return embed_origins.length > 0 && window.name === WINDOW_NAME && window.opener !== null;
}

/** Tells the page that opened this window each status of the order. The browser hands it to that page only where its origin is one that the merchant named. */
export function useShopReports(order: PublicOrder): void {
  const { id, status, success_url, embed_origins } = order;
  const isReporting = isShopWindow(order);
  // Each answer has a list of its own that says the same.
  const origins = embed_origins.join(' ');
  useEffect(() => {
    if (!isReporting) return;
    const message = { type: 'ampersat.order', order: id, status, success_url };
    for (const origin of origins.split(' ')) (window.opener as Window | null)?.postMessage(message, origin);
  }, [isReporting, id, status, success_url, origins]);
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

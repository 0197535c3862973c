// What this browser tab began with a payment link, so that neither a reload nor a way back makes a second order of it.
const orderKey = (linkId: string) => `begun:${linkId}`;
const linkKey = (orderId: string) => `begun-by:${orderId}`;
const draftKey = (linkId: string) => `amount:${linkId}`;

export function keepBegun(linkId: string, orderId: string): void {
  sessionStorage.setItem(orderKey(linkId), orderId);
  sessionStorage.setItem(linkKey(orderId), linkId);
  sessionStorage.removeItem(draftKey(linkId));
}

export const begunOrder = (linkId: string) => sessionStorage.getItem(orderKey(linkId));
export const linkOf = (orderId: string) => sessionStorage.getItem(linkKey(orderId));
export const forgetBegun = (linkId: string) => sessionStorage.removeItem(orderKey(linkId));

/** The amount that was typed for an open-amount link. */
export const readDraft = (linkId: string) => sessionStorage.getItem(draftKey(linkId)) ?? '';
export const keepDraft = (linkId: string, typed: string) => sessionStorage.setItem(draftKey(linkId), typed);

/** Where an order was begun: at a link, or on the page of a handle, which is kept as `@alice`. */
export const placeOf = (begunBy: string) => (begunBy.startsWith('@') ? `/${begunBy}` : `/l/${begunBy}`);

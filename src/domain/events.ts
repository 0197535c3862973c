// The events of the interface: their names, and the version in which they are written.

export const API_VERSION = '2026-11-20';

export type OrderEvent = 'order.created' | 'order.completed' | 'order.cancelled' | 'order.expired' | 'order.refunded';

// Visitors who pay: each call comes from another address, so each is counted, and none is refused for the calls before it.
import type { Stack } from '../local/stack/stack.ts';
import type { ChainName } from '../src/domain/chains.ts';
import type { Server } from './api.ts';

/** All that have a local chain: USDC of each is a source. */
export const SMART_CHAINS: ChainName[] = ['base', 'celo', 'ink', 'bsc', 'base-sepolia'];

/** `api` believes X-Forwarded-For. */
export type SmartBench = { stack: Stack; api: Server };

let visitors = 0;

/** Headers of a call by a visitor who was not here before. */
export function visitorHeaders(): Record<string, string> {
  visitors += 1;
  const address = [10, visitors >> 16, visitors >> 8, visitors].map((byte) => byte & 255).join('.');
  return { 'content-type': 'application/json', 'x-forwarded-for': address };
}

/** A call by a new visitor. @throws Error with the answer that was no success */
export async function ask<T>({ api }: SmartBench, path: string, body: object): Promise<T> {
  const response = await fetch(`${api.base}${path}`, {
    method: 'POST',
    headers: visitorHeaders(),
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

let orders = 0;

/** An order of alice's on Base. @returns its id */
export async function anOrder({ stack, api }: SmartBench, amount: string): Promise<string> {
  orders += 1;
  const response = await fetch(`${api.base}/v1/orders`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${stack.local.accounts['alice']?.api_key}`,
      'content-type': 'application/json',
      'idempotency-key': `smart-${orders}`,
    },
    body: JSON.stringify({ amount, chain: 'base' }),
  });
  const { id } = (await response.json()) as { id?: string };
  if (!id) throw new Error(`an order was answered with ${response.status}`);
  return id;
}

export function round(value: number, digits = 2): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

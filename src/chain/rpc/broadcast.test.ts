// What nodes answer to signed bytes, and what counts where several are asked.
import { createPublicClient } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RpcProxy, startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { broadcast } from './broadcast.ts';
import type { EvmChain } from './client.ts';
import { rpcTransport } from './transport.ts';

let nodes: [RpcProxy, RpcProxy];
beforeAll(async () => {
  nodes = [await startRpcProxy('http://127.0.0.1:1'), await startRpcProxy('http://127.0.0.1:1')];
});
afterAll(() => Promise.all(nodes.map((node) => node.close())));
beforeEach(() => {
  for (const node of nodes) {
    node.refuse(METHOD, null);
    node.answer(METHOD, () => '0x1');
  }
});

const METHOD = 'eth_sendRawTransaction';
const refuse = (node: RpcProxy, message: string) => node.refuse(METHOD, { code: -32_000, message });
const send = () => {
  const endpoints = nodes.map(({ url }) =>
    createPublicClient({ transport: rpcTransport(url, { retryCount: 0 }), cacheTime: 0 }),
  );
  return broadcast({ endpoints, client: endpoints[0], local: false } as unknown as EvmChain, '0x02');
};

test.each([
  ['already known', 'sent'],
  ['transaction already imported', 'sent'],
  ['AlreadyKnown', 'sent'],
  ['Known transaction', 'sent'],
  ['nonce too low: next nonce 5, tx nonce 4', 'nonce_too_low'],
  ['replacement transaction underpriced', 'fee_too_low'],
  ['max fee per gas less than block base fee', 'fee_too_low'],
  ['insufficient funds for gas * price + value', 'refused'],
  ['invalid sender', 'refused'],
  ['nonce too high', 'unknown'],
  ['unknown transaction type', 'unknown'],
  ['something else', 'unknown'],
])('a node that says “%s” calls the transaction %s', async (message, kind) => {
  for (const node of nodes) refuse(node, message);
  expect(await send()).toMatchObject({ kind });
});

test('one node that takes it is enough, whatever another one says', async () => {
  for (const [node, other] of [nodes, nodes.toReversed()] as [RpcProxy, RpcProxy][]) {
    refuse(node, 'insufficient funds');
    other.refuse(METHOD, null);
    expect(await send()).toEqual({ kind: 'sent' });
  }
});

test.each([
  ['nonce too low', 'underpriced', 'fee_too_low'],
  ['insufficient funds', 'underpriced', 'fee_too_low'],
  ['insufficient funds', 'nonce too low', 'nonce_too_low'],
  ['busy', 'insufficient funds', 'refused'],
])('of “%s” and “%s” counts what can be cured: %s', async (first, second, kind) => {
  for (const [node, other] of [nodes, nodes.toReversed()] as [RpcProxy, RpcProxy][]) {
    refuse(node, first);
    refuse(other, second);
    expect(await send()).toMatchObject({ kind });
  }
});

test('a node that hangs is not waited for once another one has taken it', async () => {
  const gate = nodes[0].hold(METHOD, 'before');
  expect(await send()).toEqual({ kind: 'sent' });
  gate.open();
});

// What a node answers to a call that fails: only an execution that reverted is the contract's own word, everything else is no answer.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeErrorResult } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { localKey } from '../../../local/stack/people.ts';
import { createEvmChain, type EvmChain } from '../rpc/client.ts';
import { botRouterAbi } from './abis/BotRouter.ts';
import { simulateCall } from './reverts.ts';

type RpcError = { code: number; message: string; data?: unknown };
type Asked = { id: number };

/** A chain whose only node answers every call with one error. */
async function chainThatSays(error: RpcError): Promise<EvmChain> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as Asked | Asked[];
    const answer = ({ id }: Asked) => ({ jsonrpc: '2.0', id, error });
    const body = Array.isArray(asked) ? asked.map(answer) : answer(asked);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { address } = localKey('a contract');
  return createEvmChain('base', {
    rpcUrls: [url],
    routers: { bot: address, escrow: address, payment: address, business: address, subscription: address },
    wrappedNative: address,
    priceFeeds: [],
    local: true,
  });
}
async function played(error: RpcError) {
  const chain = await chainThatSays(error);
  return simulateCall(chain, { account: localKey('a caller').address, to: chain.routers.bot, data: '0x' });
}
const paused = encodeErrorResult({ abi: botRouterAbi, errorName: 'Paused' });

test.each<[string, RpcError, string]>([
  ['a code and data', { code: 3, message: 'execution reverted', data: paused }, 'Paused'],
  ['words and data', { code: -32_000, message: 'execution reverted', data: paused }, 'Paused'],
  ['words alone', { code: -32_000, message: 'execution reverted' }, 'NoReason'],
  ['a code and a text as data', { code: 3, message: 'execution reverted', data: 'Reverted' }, 'NoReason'],
])('a revert with %s is the contract’s word', async (_, error, name) => {
  expect(await played(error)).toMatchObject({ name });
});

test.each<[string, RpcError]>([
  ['a text as data', { code: -32_005, message: 'request rate limited', data: 'see https://provider.example/limits' }],
  ['bytes as data', { code: -32_005, message: 'request rate limited', data: paused }],
  ['no data', { code: -32_603, message: 'internal error' }],
])('an error of a provider with %s is no revert', async (_, error) => {
  await expect(played(error)).rejects.toMatchObject({ code: 'provider_unavailable' });
});

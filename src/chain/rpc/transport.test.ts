import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createPublicClient, HttpRequestError, RpcRequestError, TimeoutError } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { rpcTransport } from './transport.ts';

type Asked = { body: { id: number; method: string }; headers: Record<string, unknown>; port: number | undefined };

/** A node with given responses, and the requests that it received. */
async function node(answer: (...given: [...Parameters<RequestListener>, Asked]) => void) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const one = {
      body: JSON.parse(String(Buffer.concat(chunks))),
      headers: request.headers,
      port: request.socket.remotePort,
    };
    asked.push(one);
    answer(request, response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = (given = url, timeout = 60_000) =>
    createPublicClient({ transport: rpcTransport(given, { timeout, retryCount: 0 }), cacheTime: 0 });
  return { asked, url, client };
}
const result = ({ body: { id } }: Asked, value: unknown) => JSON.stringify({ jsonrpc: '2.0', id, result: value });

test('calls share a connection, and have the headers of the URL', async () => {
  const { asked, url, client } = await node((_, response, one) => {
    response.setHeader('content-type', 'application/json');
    response.end(result(one, '0x2105'));
  });
  const named = client(url.replace('//', '//user:secret@'));
  expect([await named.getChainId(), await named.getChainId()]).toEqual([8453, 8453]);
  expect(asked.map(({ body }) => body.method)).toEqual(['eth_chainId', 'eth_chainId']);
  expect(new Set(asked.map(({ port }) => port)).size).toBe(1);
  expect(asked[0]?.headers).toMatchObject({
    authorization: `Basic ${Buffer.from('user:secret').toString('base64')}`,
    'content-type': 'application/json',
  });
});

test('an answer may be compressed', async () => {
  const { client } = await node((_, response, one) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(gzipSync(result(one, '0xff')));
  });
  expect(await client().getBlockNumber()).toBe(255n);
});

test.each([
  ['as it is', {}, (body: Buffer) => body],
  ['compressed', { 'content-encoding': 'gzip' }, gzipSync],
])('an answer above 10 MB, %s, is refused', async (_, headers, encode) => {
  const body = encode(Buffer.from(`{"result":"${'0'.repeat(11_000_000)}"}`));
  const { client } = await node((_request, response) => {
    // Without its length, which would be enough to refuse it.
    response.writeHead(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked', ...headers });
    response.end(body);
  });
  await expect(client().getBlockNumber()).rejects.toMatchObject({ name: 'ResponseBodyTooLargeError' });
});

test('an error of the node is its own, whatever the status', async () => {
  const { client } = await node((_, response, { body: { id } }) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'nonce too low' } }));
  });
  const error = await client()
    .request({ method: 'eth_chainId' })
    .catch((caught: Error) => caught);
  expect(String(error)).toContain('nonce too low');
  expect(error).toSatisfy((one: Error) => one instanceof RpcRequestError || 'code' in one);
});

test.each([
  ['a status', (response: Parameters<RequestListener>[1]) => response.writeHead(503).end('busy')],
  ['a connection that breaks before the answer', (response: Parameters<RequestListener>[1]) => response.destroy()],
  [
    'a connection that breaks in the answer',
    (response: Parameters<RequestListener>[1]) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{');
      setTimeout(() => response.destroy(), 20);
    },
  ],
])('%s is a failed request', async (_what, answer) => {
  const { client } = await node((_request, response) => answer(response));
  expect(
    await client()
      .getChainId()
      .catch((caught: Error) => caught),
  ).toBeInstanceOf(HttpRequestError);
});

test('a node that is not there is a failed request, one that says nothing is late', async () => {
  const { client, url } = await node(() => {});
  expect(
    await client('http://127.0.0.1:1')
      .getChainId()
      .catch((caught: Error) => caught),
  ).toBeInstanceOf(HttpRequestError);
  expect(
    await client(url, 300)
      .getChainId()
      .catch((caught: Error) => caught),
  ).toBeInstanceOf(TimeoutError);
});

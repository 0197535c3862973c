// Answers that are held open, to somebody who does not read them: a real connection whose other end takes nothing in.
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Response } from 'express';
import { afterEach, expect, test, vi } from 'vitest';
import { openEventStream } from './eventStream.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closers.splice(0).reverse()) await close();
});

/** A response that somebody asked for who reads nothing of it. */
async function unread(): Promise<ServerResponse> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const asked = new Promise<ServerResponse>((resolve) => server.once('request', (_request, one) => resolve(one)));
  const socket: Socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'));
  socket.pause();
  socket.on('error', () => {});
  closers.push(
    () => new Promise((resolve) => server.close(resolve)),
    () => void socket.destroy(),
  );
  const response = await asked;
  // As an application of Express has it, of which the stream needs no more.
  return Object.assign(response, { status: (code: number) => Object.assign(response, { statusCode: code }) });
}
const streamOf = (response: ServerResponse) => openEventStream(response as Response);
const closed = (response: ServerResponse) => new Promise<void>((resolve) => response.once('close', () => resolve()));
/** Events until the system takes no more of them and some wait with us. */
async function fill(stream: ReturnType<typeof streamOf>, response: ServerResponse): Promise<void> {
  while (response.writableLength < 100_000) {
    stream.send({ event: 'event', data: 'x'.repeat(20_000) });
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

test('who reads nothing is cut off once too much waits', async () => {
  const response = await unread();
  const stream = streamOf(response);
  const gone = closed(response);
  for (let sent = 0; !response.destroyed && sent < 1_000; sent++) {
    stream.send({ event: 'event', data: 'x'.repeat(50_000) });
    await new Promise((resolve) => setImmediate(resolve));
  }
  await gone;
  expect(response.destroyed).toBe(true);
});

test('a stream that is over is cut off where its end is not read', async () => {
  const response = await unread();
  const stream = streamOf(response);
  await fill(stream, response);
  const gone = closed(response);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  stream.end();
  stream.send({ event: 'event', data: 'late' });
  stream.mark('late');
  vi.advanceTimersByTime(4_999);
  expect(response.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  await gone;
  expect(response.destroyed).toBe(true);
});

// A JSON-RPC proxy between our processes and a chain that can hold a call before or after it takes effect, be dead, or lie:
// the gaps that kill tests need, and providers that cannot be trusted.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callJson } from './http.ts';

type Call = { id: number; method: string; params?: unknown[] };
export type Gate = {
  /** Resolves when a call stands at the gate. */
  reached: Promise<void>;
  /** Lets what waits go on, and everything after it. */
  open(): void;
};
type Hold = { method: string; when: 'before' | 'after'; wait: Promise<void>; arrive: () => void };

export type RpcProxy = {
  url: string;
  /** Holds every call of a method, before it reaches the chain or before its answer comes back. */
  hold(method: string, when: 'before' | 'after'): Gate;
  /** While dead, connections are cut. */
  setDead(dead: boolean): void;
  /** Changes every result of a method on its way back, until it is called with null. */
  alter(method: string, lie: ((result: unknown) => unknown) | null): void;
  /** Answers every call of a method with an error, until it is called with null. */
  refuse(method: string, error: { code: number; message: string } | null): void;
  /** Answers every call of a method itself, until it is called with null. */
  answer(method: string, make: ((params: unknown[]) => unknown) | null): void;
  /** How often a method went through to the chain. */
  passed(method: string): number;
  close(): Promise<void>;
};

export async function startRpcProxy(target: string): Promise<RpcProxy> {
  const holds = new Set<Hold>();
  const counts = new Map<string, number>();
  const lies = new Map<string, (result: unknown) => unknown>();
  const refusals = new Map<string, object>();
  const answers = new Map<string, (params: unknown[]) => unknown>();
  let dead = false;

  async function stop(when: Hold['when'], method: string): Promise<void> {
    for (const hold of holds) {
      if (hold.when !== when || hold.method !== method) continue;
      hold.arrive();
      await hold.wait;
    }
  }

  /** Calls of one request go on alone, as in a node: one that is held keeps the answer back, and not what the others do to the chain. */
  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (dead) return void request.socket.destroy();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
    const isGone = () => dead || response.destroyed;
    const answer = Array.isArray(asked)
      ? await Promise.all(asked.map((call) => forwardCall(call, isGone)))
      : await forwardCall(asked, isGone);
    if (isGone()) return void request.socket.destroy();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  async function forwardCall(asked: Call, isGone: () => boolean): Promise<unknown> {
    const { method } = asked;
    await stop('before', method);
    if (isGone()) return null;
    const error = refusals.get(method);
    if (error) return { jsonrpc: '2.0', id: asked.id, error };
    const own = answers.get(method);
    if (own) return { jsonrpc: '2.0', id: asked.id, result: own(asked.params ?? []) };
    const reply = await callJson<{ result?: unknown }>(target, asked);
    counts.set(method, (counts.get(method) ?? 0) + 1);
    await stop('after', method);
    const lie = lies.get(method);
    return lie && reply.result !== undefined ? { ...reply, result: lie(reply.result) } : reply;
  }

  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold(method, when) {
      let open = () => {};
      let arrive = () => {};
      const wait = new Promise<void>((resolve) => {
        open = resolve;
      });
      const reached = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      const hold: Hold = { method, when, wait, arrive };
      holds.add(hold);
      return {
        reached,
        open: () => {
          holds.delete(hold);
          open();
        },
      };
    },
    setDead: (next) => {
      dead = next;
      if (dead) server.closeAllConnections();
    },
    alter: (method, lie) => {
      if (lie) lies.set(method, lie);
      else lies.delete(method);
    },
    refuse: (method, error) => {
      if (error) refusals.set(method, error);
      else refusals.delete(method);
    },
    answer: (method, make) => {
      if (make) answers.set(method, make);
      else answers.delete(method);
    },
    passed: (method) => counts.get(method) ?? 0,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

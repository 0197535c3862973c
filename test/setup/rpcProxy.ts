// A JSON-RPC proxy between our processes and a chain that can hold a call before or after it takes effect, be dead, or lie:
// the gaps that kill tests need, and providers that cannot be trusted.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

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
  /** How often a method went through to the chain. */
  passed(method: string): number;
  close(): Promise<void>;
};

export async function startRpcProxy(target: string): Promise<RpcProxy> {
  const holds = new Set<Hold>();
  const counts = new Map<string, number>();
  const lies = new Map<string, (result: unknown) => unknown>();
  let dead = false;

  async function stop(when: Hold['when'], methods: string[]): Promise<void> {
    for (const hold of holds) {
      if (hold.when !== when || !methods.includes(hold.method)) continue;
      hold.arrive();
      await hold.wait;
    }
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (dead) return void request.socket.destroy();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const parsed = JSON.parse(body) as Call | Call[];
    const methods = (Array.isArray(parsed) ? parsed : [parsed]).map((call) => call.method);
    await stop('before', methods);
    if (response.destroyed || dead) return void request.socket.destroy();
    const answer = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const text = altered(parsed, await answer.text());
    for (const method of methods) counts.set(method, (counts.get(method) ?? 0) + 1);
    await stop('after', methods);
    if (dead) return void request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  }

  function altered(asked: Call | Call[], text: string): string {
    const calls = Array.isArray(asked) ? asked : [asked];
    if (!calls.some((call) => lies.has(call.method))) return text;
    const change = (reply: { id: number; result?: unknown }) => {
      const lie = lies.get(calls.find((call) => call.id === reply.id)?.method ?? '');
      return lie && reply.result !== undefined ? { ...reply, result: lie(reply.result) } : reply;
    };
    const replies = JSON.parse(text);
    return JSON.stringify(Array.isArray(replies) ? replies.map(change) : change(replies));
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
    passed: (method) => counts.get(method) ?? 0,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

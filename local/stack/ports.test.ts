import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { type EventEmitter, once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { FREE_PORTS, freePort, isPortFree } from './ports.ts';

describe('free ports', () => {
  test('none is given twice, and none is among those that the system hands out by itself', async () => {
    const ports: number[] = [];
    for (let n = 0; n < 40; n++) ports.push(await freePort());
    expect(new Set(ports).size).toBe(40);
    const handedOut = Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/)[0]);
    for (const port of ports) {
      expect(port).toBeGreaterThanOrEqual(FREE_PORTS.first);
      expect(port).toBeLessThan(handedOut);
    }
  });

  test('one that somebody listens on is passed over', async () => {
    const server = createServer();
    const next = await nextFree((port) => server.listen(port, '127.0.0.1'), server);
    expect(await isPortFree(next)).toBe(false);
    expect(await freePort()).not.toBe(next);
    await new Promise((resolve) => server.close(resolve));
    expect(await isPortFree(next)).toBe(true);
  });

  test('one that another process was given and does not listen on yet is passed over', async () => {
    const claim = createSocket('udp4');
    const next = await nextFree((port) => claim.bind(port, '127.0.0.1'), claim);
    expect(await isPortFree(next)).toBe(true);
    expect(await freePort()).not.toBe(next);
    await new Promise<void>((resolve) => claim.close(resolve));
  });

  test.skipIf(process.platform !== 'linux')('what is passed over is not held open', async () => {
    const first = await freePort();
    const claims = Array.from({ length: 100 }, () => createSocket('udp4'));
    await Promise.all(claims.map((claim, n) => taken(claim, () => claim.bind(first + 1 + n, '127.0.0.1'))));
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    const next = await freePort();
    expect(next < first || next > first + claims.length).toBe(true);
    expect(open() - before).toBeLessThan(50);
    await Promise.all(claims.map((claim) => new Promise<void>((resolve) => claim.close(resolve))));
  });

  test('processes that ask at once, and look at the same places, are told different ones', async () => {
    const script = `
      Object.defineProperty(process, 'pid', { value: 7 });
      const { freePort } = await import(${JSON.stringify(resolve('local/stack/ports.ts'))});
      const ports = [];
      for (let n = 0; n < 20; n++) ports.push(await freePort());
      process.stdout.write(ports.join(' ') + '\\n');
      setInterval(() => {}, 1000);`;
    const asking = Array.from({ length: 4 }, () => {
      const args = ['--import', 'tsx', '--input-type=module', '-e', script];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      return { child, ended: once(child, 'exit') };
    });
    try {
      const told = await Promise.all(
        asking.map(async ({ child }) => {
          for await (const line of createInterface(child.stdout)) return line.split(' ');
          return [];
        }),
      );
      expect(told.flat()).toHaveLength(80);
      expect(new Set(told.flat()).size).toBe(80);
    } finally {
      for (const { child } of asking) child.kill('SIGKILL');
      await Promise.all(asking.map(({ ended }) => ended));
    }
  });
});

/** Takes the port that `freePort` would tell next. Another process may have it: then the one after it, and so on. */
async function nextFree(take: (port: number) => unknown, taker: EventEmitter): Promise<number> {
  for (;;) {
    const next = (await freePort()) + 1;
    if (await taken(taker, () => take(next))) return next;
  }
}

/** Whether the taker got what it takes, or somebody else has it. */
async function taken(taker: EventEmitter, take: () => unknown): Promise<boolean> {
  const done = once(taker, 'listening').then(
    () => true,
    () => false,
  );
  take();
  return done;
}

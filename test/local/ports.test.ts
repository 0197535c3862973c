import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { FREE_PORTS, freePort, isPortFree } from '../../local/ports.ts';

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
    const next = (await freePort()) + 1;
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(next, '127.0.0.1', resolve));
    expect(await isPortFree(next)).toBe(false);
    expect(await freePort()).not.toBe(next);
    await new Promise((resolve) => server.close(resolve));
    expect(await isPortFree(next)).toBe(true);
  });
});

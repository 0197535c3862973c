// A line between a client and a server that can be cut and mended, as networks are.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export type CutProxy = {
  url: string;
  /** Ends all connections; with `stays`, new ones are refused until it is mended. */
  cut(stays?: boolean): void;
  /** Keeps all connections and passes nothing on; new ones are accepted and never answered. */
  silence(): void;
  mend(): void;
  /** How many connections came so far. */
  count(): number;
  /** How many more came while it was cut. */
  refused(): number;
};

/** Ended with the test that it began in. */
export async function startCutProxy(target: string): Promise<CutProxy> {
  const { hostname, port: targetPort } = new URL(target);
  const open = new Set<Socket>();
  let isCut = false;
  let isSilent = false;
  let count = 0;
  let refused = 0;
  const server = createServer((incoming) => {
    if (isCut) {
      refused += 1;
      return void incoming.destroy();
    }
    count += 1;
    if (isSilent) {
      open.add(incoming);
      incoming.on('error', () => {}).on('close', () => open.delete(incoming));
      return;
    }
    const outgoing = connect(Number(targetPort), hostname);
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => {});
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const one of open) one.destroy();
  };
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  );
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut(stays = false) {
      isCut = stays;
      cut();
    },
    silence() {
      isSilent = true;
      for (const one of open) one.unpipe().pause();
    },
    mend() {
      isCut = false;
      if (isSilent) cut();
      isSilent = false;
    },
    count: () => count,
    refused: () => refused,
  };
}

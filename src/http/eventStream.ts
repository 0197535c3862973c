// An answer that stays open and says what happens, as EventSource reads it: its headers, its heartbeats, and an end for whoever does not read.
import type { Response } from 'express';

export type EventStream = {
  /** Sends one event; its data is one line of JSON. */
  send(event: { id?: string | number; event: string; data: unknown }): void;
  /** Says where it is, so that whoever was told of nothing yet comes back to here. */
  mark(id: string): void;
  /** When what was sent is on its way, or nobody is there any more. */
  drained(): Promise<void>;
  end(): void;
};

const BEAT_EVERY_MS = 15_000;
const RETRY_MS = 3_000;
const MOST_UNREAD = 256 * 1_024;
/** Whoever has not taken what was sent by then is cut off. */
const END_WITHIN_MS = 5_000;

/** Nothing is written before the first event, or before `begin`: until then an error is still an answer. */
export function openEventStream(response: Response): EventStream & { begin(): void } {
  let begun = false;
  let beat: NodeJS.Timeout | undefined;
  response.on('close', () => clearInterval(beat));

  function end(): void {
    clearInterval(beat);
    if (response.writableEnded) return;
    response.end();
    // An end that is not read holds the connection and what was sent, and no limit counts it any more.
    const late = setTimeout(() => response.destroy(), END_WITHIN_MS);
    response.on('close', () => clearTimeout(late));
  }

  function begin(): void {
    if (begun) return;
    begun = true;
    response.status(200);
    response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Accel-Buffering', 'no');
    response.flushHeaders();
    response.write(`retry: ${RETRY_MS}\n\n`);
    beat = setInterval(() => response.write(': beat\n\n'), BEAT_EVERY_MS);
  }

  return {
    begin,
    send({ id, event, data }) {
      // Whoever tells may not have heard of the end yet, and a write after it would end the process.
      if (response.writableEnded) return;
      begin();
      response.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      // Who does not read what is sent keeps it in our memory.
      if (response.writableLength > MOST_UNREAD) response.destroy();
    },
    mark(id) {
      if (response.writableEnded) return;
      begin();
      response.write(`id: ${id}\n\n`);
    },
    async drained() {
      if (!response.writableNeedDrain || response.destroyed) return;
      await new Promise<void>((resolve) => {
        const done = () => {
          response.off('drain', done);
          response.off('close', done);
          resolve();
        };
        response.on('drain', done);
        response.on('close', done);
      });
    },
    end,
  };
}

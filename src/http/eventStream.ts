// A response that stays open and sends events, as EventSource reads it: its headers, its heartbeats, and a timeout for clients that do not read.
import type { Response } from 'express';

export type EventStream = {
  /** Sends one event; its data is one line of JSON. */
  send(event: { id?: string | number; event: string; data: unknown }): void;
  /** Sends a position without an event, so that a client without one reconnects from here. */
  mark(id: string): void;
  /** Resolves when what was sent left the buffer, or the client disconnected. */
  drained(): Promise<void>;
  end(): void;
};

const BEAT_EVERY_MS = 15_000;
const RETRY_MS = 3_000;
const MOST_UNREAD = 256 * 1_024;
/** A client that has not read what was sent by then is disconnected. */
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
    // An end that is not read holds the connection and what was sent, and no limit counts it.
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
      // The caller may not know of the end yet, and a write after it would end the process.
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

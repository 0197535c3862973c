// Streams events as they happen: a lost connection is reopened after the last event received.
import { type Client, lostConnection, patience, refusal, send } from './call.ts';
import type { AmpersatEvent } from './types.ts';

export type StreamOptions = {
  /** Starts after this event. Defaults to new events only. */
  lastEventId?: string;
  /** Ends the stream, and the loop over it. */
  signal?: AbortSignal;
  /** Called when the connection is open, and when it is lost and will be reopened. */
  onState?: (state: 'open' | 'lost') => void;
  /** Milliseconds of silence after which a connection counts as lost. Defaults to 60,000. The service sends heartbeats more often. */
  idleMs?: number;
};

const MOST_REMEMBERED = 10_000;

/** The current message of a connection, as far as it was read. */
type Message = { id?: string; event?: string; data: string[] };

/**
 * Reconnects without limit: it ends by its signal, or with an error that a retry cannot fix.
 * @throws AmpersatError such as `api_key_invalid`
 */
export async function* streamEvents(
  client: Client,
  { lastEventId, signal, onState = () => {}, idleMs = 60_000 }: StreamOptions = {},
): AsyncGenerator<AmpersatEvent, void, undefined> {
  let position = lastEventId;
  const isNew = rememberIds();
  let failures = 0;
  while (!signal?.aborted) {
    const connection = new AbortController();
    const silence = watchSilence(idleMs, () => connection.abort());
    let waitMs: number | null;
    try {
      const ends = signal ? AbortSignal.any([signal, connection.signal]) : connection.signal;
      const chunks = await open(client, position, ends);
      onState('open');
      for await (const { id, event, data } of messages(client, chunks, silence.heard)) {
        failures = 0;
        position = id ?? position;
        if (event !== 'event') continue;
        const told = JSON.parse(data.join('\n')) as AmpersatEvent;
        if (isNew(told.id)) yield told;
      }
      waitMs = patience(lostConnection(client, undefined, false), failures);
    } catch (error) {
      if (signal?.aborted) return;
      waitMs = patience(error, failures);
      if (waitMs === null) throw error;
    } finally {
      silence.end();
      connection.abort();
    }
    failures += 1;
    onState('lost');
    await client.wait(waitMs ?? 0, signal).catch(() => {});
  }
}

async function open(
  client: Client,
  position: string | undefined,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const headers = { accept: 'text/event-stream', ...(position === undefined ? {} : { 'last-event-id': position }) };
  const response = await send(client, { method: 'GET', path: '/v1/events/stream' }, headers, signal).catch((cause) => {
    throw lostConnection(client, cause, false);
  });
  if (response.ok && response.body) return response.body as unknown as AsyncIterable<Uint8Array>;
  throw refusal(response, await response.text().catch(() => ''));
}

/** Yields complete messages. @throws AmpersatConnectionError */
async function* messages(
  client: Client,
  chunks: AsyncIterable<Uint8Array>,
  heard: () => void,
): AsyncGenerator<Message> {
  const decoder = new TextDecoder();
  let rest = '';
  let message: Message = { data: [] };
  try {
    for await (const chunk of chunks) {
      heard();
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const text = line.replace(/\r$/, '');
        if (text !== '') readField(message, text);
        else {
          yield message;
          message = { data: [] };
        }
      }
    }
  } catch (cause) {
    throw lostConnection(client, cause, false);
  }
}

/** A line that begins with a colon is a heartbeat. */
function readField(message: Message, line: string): void {
  const [, name, value = ''] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? [];
  if (name === 'id') message.id = value;
  if (name === 'event') message.event = value;
  if (name === 'data') message.data.push(value);
}

/** Events from shortly before a lost connection may arrive again: the last ones are yielded once. */
function rememberIds(): (id: string) => boolean {
  const known = new Set<string>();
  return (id) => {
    if (known.has(id)) return false;
    known.add(id);
    if (known.size > MOST_REMEMBERED) known.delete(known.values().next().value ?? '');
    return true;
  };
}

function watchSilence(idleMs: number, act: () => void): { heard: () => void; end: () => void } {
  let timer = setTimeout(act, idleMs);
  return {
    heard: () => {
      clearTimeout(timer);
      timer = setTimeout(act, idleMs);
    },
    end: () => clearTimeout(timer),
  };
}

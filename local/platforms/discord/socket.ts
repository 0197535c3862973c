/** One WebSocket of a client (RFC 6455): text in both directions, whatever its frames. Enough for a gateway on this machine. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const MAX_MESSAGE_BYTES = 1024 * 1024;
const OP = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 };

export type Socket = {
  send(text: string): void;
  close(code: number, reason: string): void;
  /** Cuts the connection as a broken line does: no word to the other side. */
  cut(): void;
};
type Listener = { onText(text: string): void; onClose(): void };
type Frame = { opcode: number; final: boolean; payload: Buffer; size: number };

/** Says yes to an upgrade. Whatever is wrong with a frame ends the connection. */
export function acceptSocket(request: IncomingMessage, stream: Duplex, listener: Listener): Socket | null {
  const key = request.headers['sec-websocket-key'];
  if (typeof key !== 'string' || request.headers.upgrade?.toLowerCase() !== 'websocket') {
    stream.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    return null;
  }
  const accept = createHash('sha1').update(`${key}${GUID}`).digest('base64');
  stream.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  let open = true;
  const write = (opcode: number, payload: Buffer) => {
    if (open && !stream.destroyed) stream.write(frame(opcode, payload));
  };
  const end = () => {
    if (!open) return;
    open = false;
    listener.onClose();
  };
  const read = createReader((opcode, payload) => {
    if (opcode === OP.text) listener.onText(payload.toString('utf8'));
    else if (opcode === OP.ping) write(OP.pong, payload);
    else if (opcode === OP.close) {
      write(OP.close, payload.subarray(0, 2));
      stream.end();
      end();
    }
  });
  stream.on('data', (chunk: Buffer) => {
    if (!read(chunk)) stream.destroy();
  });
  stream.on('close', end);
  stream.on('error', () => stream.destroy());
  return {
    send: (text) => write(OP.text, Buffer.from(text)),
    close(code, reason) {
      const payload = Buffer.concat([Buffer.from([code >> 8, code & 0xff]), Buffer.from(reason)]);
      write(OP.close, payload);
      end();
    },
    cut: () => stream.destroy(),
  };
}

function frame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  if (length < 126) head[1] = length;
  else if (length < 65_536) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, payload]);
}

/** Puts frames together to messages. @returns a function that takes bytes and says false when they make no sense */
function createReader(onMessage: (opcode: number, payload: Buffer) => void): (chunk: Buffer) => boolean {
  let waiting = Buffer.alloc(0);
  let parts: Buffer[] = [];
  let kind = 0;
  return (chunk) => {
    waiting = Buffer.concat([waiting, chunk]);
    if (waiting.length > MAX_MESSAGE_BYTES) return false;
    for (;;) {
      const next = readFrame(waiting);
      if (next === null) return true;
      if (next === 'broken') return false;
      waiting = waiting.subarray(next.size);
      if (next.opcode >= OP.close) {
        onMessage(next.opcode, next.payload);
        continue;
      }
      if (next.opcode !== OP.more) kind = next.opcode;
      parts.push(next.payload);
      if (!next.final) continue;
      const whole = Buffer.concat(parts);
      parts = [];
      onMessage(kind, whole);
    }
  };
}

/** The first frame of these bytes; null while it is not all there. A client has to mask what it sends. */
function readFrame(bytes: Buffer): Frame | null | 'broken' {
  if (bytes.length < 2) return null;
  const [first = 0, second = 0] = bytes;
  if ((second & 0x80) === 0) return 'broken';
  const short = second & 0x7f;
  const headSize = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < headSize + 4) return null;
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  if (length > MAX_MESSAGE_BYTES) return 'broken';
  const size = headSize + 4 + length;
  if (bytes.length < size) return null;
  const mask = bytes.subarray(headSize, headSize + 4);
  const payload = Buffer.from(bytes.subarray(headSize + 4, size));
  for (let i = 0; i < payload.length; i++) payload[i] = (payload[i] ?? 0) ^ (mask[i % 4] ?? 0);
  return { opcode: first & 0x0f, final: (first & 0x80) !== 0, payload, size };
}

// Pictures for tests, drawn here, and what attackers do to them.
import { createCanvas } from '@napi-rs/canvas';

type Drawn = { width?: number; height?: number; left?: string; right?: string };

/** Two halves, each of one colour. */
export function drawnPicture(
  kind: 'png' | 'jpeg' | 'webp',
  { width = 40, height = 20, left = '#ff0000', right = '#0000ff' }: Drawn = {},
): Promise<Buffer> {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = left;
  context.fillRect(0, 0, width / 2, height);
  context.fillStyle = right;
  context.fillRect(width / 2, 0, width / 2, height);
  return kind === 'png' ? canvas.encode('png') : canvas.encode(kind, 95);
}

/** A segment of a JPEG with its length. */
export function segmentOf(marker: number, body: Uint8Array): Buffer {
  const length = body.length + 2;
  return Buffer.concat([Buffer.from([0xff, marker, length >> 8, length & 0xff]), body]);
}

/** The start of a frame of a JPEG with three components. */
export function frameOf(marker: number, width: number, height: number): Buffer {
  const size = [8, height >> 8, height & 0xff, width >> 8, width & 0xff];
  return segmentOf(marker, Buffer.from([...size, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]));
}

/** Where a JPEG has the first segment with this marker. */
export function segmentAt(jpeg: Buffer, marker: number): number {
  let at = 2;
  while (jpeg[at + 1] !== marker) at += 2 + jpeg.readUInt16BE(at + 2);
  return at;
}

/** Puts bytes into a file. */
export function inserted(file: Buffer, at: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([file.subarray(0, at), bytes, file.subarray(at)]);
}

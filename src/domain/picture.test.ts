// What a picture is, read from its bytes: nothing gets past the limit of pixels, whatever a file claims and wherever it claims it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawnPicture, frameOf, inserted, segmentAt, segmentOf } from '../../test/setup/pictures.ts';
import { PICTURE_PIXELS, readPictureHead } from './picture.ts';

const KINDS = ['png', 'jpeg', 'webp'] as const;
const BROKEN = { problem: 'broken' };
function chunk(tag: string, body: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from(tag), length, body, Buffer.alloc(body.length % 2)]);
}

function riff(...chunks: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  return Buffer.concat([Buffer.from('RIFF'), Buffer.from(Uint32Array.of(body.length).buffer), body]);
}

/** The chunk that is the picture itself. */
async function lossyPicture(): Promise<Buffer> {
  const file = await drawnPicture('webp');
  const at = file.indexOf('VP8 ');
  return chunk('VP8 ', file.subarray(at + 8, at + 8 + file.readUInt32LE(at + 4)));
}

const EOI = Buffer.from([0xff, 0xd9]);

test.each(KINDS)('a %s: its kind and size', async (kind) => {
  const head = readPictureHead(await drawnPicture(kind, { width: 123, height: 45 }));
  expect(head).toEqual({ kind, width: 123, height: 45 });
});

test.each([
  ['nothing', ''],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
  ['SVG behind an XML declaration', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['HTML', '<!doctype html><script>alert(1)</script>'],
  ['GIF', 'GIF89a\x01\x00\x01\x00'],
  ['PDF', '%PDF-1.7'],
  ['RIFF of sound', 'RIFF\x24\x00\x00\x00WAVEfmt '],
  ['WEBP without RIFF', 'RIFX\x24\x00\x00\x00WEBPVP8 '],
  ['a PNG behind a blank', ' \x89PNG\r\n\x1a\n'],
])('no picture: %s', (_name, text) => {
  expect(readPictureHead(Buffer.from(text, 'latin1'))).toEqual({ problem: 'unknown_kind' });
});

describe('too many pixels', () => {
  test('a PNG whose header claims them', async () => {
    const file = await drawnPicture('png');
    file.writeUInt32BE(100_000, 16);
    file.writeUInt32BE(100_000, 20);
    expect(readPictureHead(file)).toEqual({ problem: 'too_many_pixels' });
  });

  test('a JPEG whose frame claims them, behind other segments', async () => {
    const file = await drawnPicture('jpeg');
    const at = segmentAt(file, 0xc0);
    file.writeUInt16BE(65_500, at + 5);
    file.writeUInt16BE(65_500, at + 7);
    const behind = inserted(file, 2, segmentOf(0xe5, Buffer.alloc(60_000)));
    expect(readPictureHead(behind)).toEqual({ problem: 'too_many_pixels' });
  });

  test('a lossy and a lossless WebP', async () => {
    const lossy = riff(await lossyPicture());
    const at = lossy.indexOf('VP8 ') + 8;
    lossy.writeUInt16LE(0x3fff, at + 6);
    lossy.writeUInt16LE(0x3fff, at + 8);
    expect(readPictureHead(lossy)).toEqual({ problem: 'too_many_pixels' });
    const lossless = Buffer.concat([
      Buffer.from('RIFF\0\0\0\0WEBPVP8L\x05\0\0\0\x2f', 'latin1'),
      Buffer.alloc(5, 0xff),
    ]);
    lossless.writeUInt32LE(lossless.length - 8, 4);
    expect(readPictureHead(lossless)).toEqual({ problem: 'too_many_pixels' });
  });

  test('the limit itself passes', async () => {
    const file = await drawnPicture('png');
    file.writeUInt32BE(PICTURE_PIXELS / 1_000, 16);
    file.writeUInt32BE(1_000, 20);
    expect(readPictureHead(file)).toMatchObject({ kind: 'png' });
    file.writeUInt32BE(1_001, 20);
    expect(readPictureHead(file)).toEqual({ problem: 'too_many_pixels' });
  });
});

describe('a JPEG that says its size twice, or late', () => {
  const frames = [0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];

  test.each(frames)('a second frame %i, before the first', async (marker) => {
    const file = await drawnPicture('jpeg');
    expect(readPictureHead(inserted(file, segmentAt(file, 0xc0), frameOf(marker, 65_000, 65_000)))).toEqual(BROKEN);
  });

  test.each(frames)('a second frame %i, behind the first', async (marker) => {
    const file = await drawnPicture('jpeg');
    expect(readPictureHead(inserted(file, segmentAt(file, 0xda), frameOf(marker, 65_000, 65_000)))).toEqual(BROKEN);
  });

  test.each(frames)('a second frame %i, behind a scan', async (marker) => {
    const file = await drawnPicture('jpeg');
    expect(readPictureHead(inserted(file, file.length - 2, frameOf(marker, 65_000, 65_000)))).toEqual(BROKEN);
  });

  test.each([
    ['lines counted afterwards (DNL)', 0xdc],
    ['a hierarchy (DHP)', 0xde],
    ['an expansion (EXP)', 0xdf],
    ['arithmetic conditions (DAC)', 0xcc],
  ])('%s', async (_name, marker) => {
    const file = await drawnPicture('jpeg');
    for (const at of [2, segmentAt(file, 0xda), file.length - 2])
      expect(readPictureHead(inserted(file, at, segmentOf(marker, Buffer.from([0xff, 0xff, 0xff]))))).toEqual(BROKEN);
  });

  test('no lines, which a decoder would look for later', async () => {
    const file = await drawnPicture('jpeg');
    file.writeUInt16BE(0, segmentAt(file, 0xc0) + 5);
    expect(readPictureHead(file)).toEqual(BROKEN);
  });

  test('bytes between segments, which decoders skip', async () => {
    const file = await drawnPicture('jpeg');
    expect(readPictureHead(inserted(file, segmentAt(file, 0xc0), Buffer.from([0x00])))).toEqual(BROKEN);
  });

  test('a frame inside an application’s segment is none: a preview has one', async () => {
    const file = await drawnPicture('jpeg');
    const preview = segmentOf(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), frameOf(0xc0, 65_000, 65_000)]));
    expect(readPictureHead(inserted(file, 2, preview))).toMatchObject({ width: 40, height: 20 });
  });

  test('fill bytes before a marker are none', async () => {
    const file = await drawnPicture('jpeg');
    expect(readPictureHead(inserted(file, 2, Buffer.from([0xff, 0xff])))).toMatchObject({ width: 40, height: 20 });
  });

  test('more scans than any picture has', async () => {
    const file = await drawnPicture('jpeg');
    const scan = file.subarray(segmentAt(file, 0xda), -2);
    const withScans = (count: number) => Buffer.concat([file.subarray(0, -2), ...Array(count).fill(scan), EOI]);
    expect(readPictureHead(withScans(10))).toMatchObject({ width: 40 });
    expect(readPictureHead(withScans(1_000))).toEqual(BROKEN);
  });
});

test('a PNG with a second header, or with another chunk before it', async () => {
  const file = await drawnPicture('png');
  const header = file.subarray(8, 33);
  expect(readPictureHead(inserted(file, 33, header))).toEqual(BROKEN);
  const text = Buffer.concat([Buffer.from([0, 0, 0, 0]), Buffer.from('tEXt'), Buffer.alloc(4)]);
  expect(readPictureHead(inserted(file, 8, text))).toEqual(BROKEN);
});

test('a WebP that moves, has two pictures, or a canvas of another size', async () => {
  const picture = await lossyPicture();
  const canvas = (width: number, height: number) => {
    const body = Buffer.alloc(10);
    body.writeUIntLE(width - 1, 4, 3);
    body.writeUIntLE(height - 1, 7, 3);
    return chunk('VP8X', body);
  };
  expect(readPictureHead(riff(canvas(40, 20), picture))).toEqual({ kind: 'webp', width: 40, height: 20 });
  expect(readPictureHead(riff(canvas(16_000, 16_000), picture))).toEqual(BROKEN);
  expect(readPictureHead(riff(canvas(40, 20), canvas(40, 20), picture))).toEqual(BROKEN);
  expect(readPictureHead(riff(picture, picture))).toEqual(BROKEN);
  expect(readPictureHead(riff(picture, chunk('ANMF', Buffer.alloc(16))))).toEqual(BROKEN);
  expect(readPictureHead(riff(canvas(40, 20)))).toEqual(BROKEN);
});

test.each(KINDS)('a %s that ends early', async (kind) => {
  const file = await drawnPicture(kind);
  for (let length = 12; length < file.length - 2; length++)
    expect(readPictureHead(file.subarray(0, length))).toEqual(BROKEN);
});

test('whatever the bytes are, the answer is a size within the limit or a problem', async () => {
  const files = await Promise.all(KINDS.map((kind) => drawnPicture(kind)));
  const changes = fc.array(fc.tuple(fc.nat(2_000), fc.integer({ min: 0, max: 255 })), { maxLength: 12 });
  fc.assert(
    fc.property(fc.constantFrom(...files), changes, fc.nat(2_000), (file, changed, length) => {
      const bytes = Uint8Array.from(file.subarray(0, Math.max(16, length)));
      for (const [at, byte] of changed) if (at < bytes.length) bytes[at] = byte;
      const head = readPictureHead(bytes);
      if ('problem' in head) return;
      expect(head.width * head.height).toBeGreaterThan(0);
      expect(head.width * head.height).toBeLessThanOrEqual(PICTURE_PIXELS);
    }),
  );
});

// What is kept of a picture: our own pixels in a square, and nothing else of its file.
import { randomBytes } from 'node:crypto';
import { createCanvas, Image } from '@napi-rs/canvas';
import { expect, test } from 'vitest';
import { drawnPicture, inserted, segmentOf } from '../../test/setup/pictures.ts';
import { PICTURE_BYTES, readPictureHead } from '../domain/picture.ts';
import { encodePicture, PICTURE_SIDE } from './encode.ts';

/** Red, green, blue and opacity of a place, from 0 to 1 in both directions. */
async function pixelAt(file: Buffer, x: number, y: number): Promise<number[]> {
  const image = new Image();
  image.src = file;
  await image.decode();
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  return [...context.getImageData(Math.floor(x * image.width), Math.floor(y * image.height), 1, 1).data];
}

const near = (pixel: number[], [r = 0, g = 0, b = 0, a = 255]: number[]) =>
  pixel.every((value, index) => Math.abs(value - ([r, g, b, a][index] ?? 0)) < 12);

test.each(['png', 'jpeg', 'webp'] as const)('a %s becomes a square WebP', async (kind) => {
  const encoded = await encodePicture(await drawnPicture(kind, { width: 300, height: 100 }), 'page');
  if (!encoded) throw new Error('not decoded');
  expect(readPictureHead(encoded)).toEqual({ kind: 'webp', width: PICTURE_SIDE, height: PICTURE_SIDE });
  expect(near(await pixelAt(encoded, 0.1, 0.1), [255, 0, 0])).toBe(true);
  expect(near(await pixelAt(encoded, 0.9, 0.9), [0, 0, 255])).toBe(true);
});

test('a logo stands whole in its square, on nothing', async () => {
  const encoded = await encodePicture(await drawnPicture('png', { width: 300, height: 100 }), 'logo');
  if (!encoded) throw new Error('not decoded');
  expect((await pixelAt(encoded, 0.5, 0.1))[3]).toBe(0);
  expect(near(await pixelAt(encoded, 0.05, 0.5), [255, 0, 0])).toBe(true);
  expect(near(await pixelAt(encoded, 0.95, 0.5), [0, 0, 255])).toBe(true);
});

test('a picture taken with the camera on its side stands upright', async () => {
  const rotated = Buffer.from('457869660000' + '4d4d002a00000008' + '0001' + '01120003000000010006000000000000', 'hex');
  const file = inserted(await drawnPicture('jpeg'), 2, segmentOf(0xe1, rotated));
  const encoded = await encodePicture(file, 'logo');
  if (!encoded) throw new Error('not decoded');
  expect(near(await pixelAt(encoded, 0.5, 0.1), [255, 0, 0])).toBe(true);
  expect(near(await pixelAt(encoded, 0.5, 0.9), [0, 0, 255])).toBe(true);
});

test('metadata and what else the file was are gone', async () => {
  const script = '<script>alert(document.cookie)</script>';
  const zip = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.from(script)]);
  const jpeg = inserted(await drawnPicture('jpeg'), 2, segmentOf(0xfe, Buffer.from(`/*${script}*/`)));
  for (const file of [Buffer.concat([jpeg, zip]), Buffer.concat([await drawnPicture('png'), zip])]) {
    expect(file.includes(script)).toBe(true);
    expect(readPictureHead(file)).not.toHaveProperty('problem');
    const encoded = await encodePicture(file, 'page');
    expect(encoded?.includes('alert')).toBe(false);
    expect(encoded?.includes('PK\x03\x04')).toBe(false);
    expect(encoded?.subarray(8, 12).toString()).toBe('WEBP');
  }
});

test('noise, which compresses worst, stays within the limit', async () => {
  const canvas = createCanvas(700, 700);
  const context = canvas.getContext('2d');
  const noise = context.createImageData(700, 700);
  noise.data.set(randomBytes(noise.data.length));
  context.putImageData(noise, 0, 0);
  const encoded = await encodePicture(await canvas.encode('png'), 'page');
  expect(encoded?.length).toBeGreaterThan(10_000);
  expect(encoded?.length).toBeLessThanOrEqual(PICTURE_BYTES);
});

test('what has the right header and no picture is refused', async () => {
  const png = await drawnPicture('png');
  const broken = Buffer.from(png);
  broken.fill(0x55, 45, broken.length - 12);
  expect(await encodePicture(broken, 'page')).toBeNull();
  expect(await encodePicture(Buffer.from('nonsense'), 'page')).toBeNull();
});

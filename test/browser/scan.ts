// What a camera reads out of a code on a page.
import type { Locator } from 'playwright-core';
import { decodeQR } from 'qr/decode.js';

const SCALE = 4;

export async function scan(code: Locator): Promise<string> {
  return read(await code.evaluate((svg) => (svg as unknown as { outerHTML: string }).outerHTML));
}

function read(svg: string): string {
  const side = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  const size = side * SCALE;
  const data = new Uint8Array(size * size * 4).fill(255);
  for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let row = Number(y) * SCALE; row < (Number(y) + 1) * SCALE; row += 1) {
      const start = row * size + Number(x) * SCALE;
      for (let at = start; at < start + Number(width) * SCALE; at += 1) data.fill(0, at * 4, at * 4 + 3);
    }
  }
  return decodeQR({ width: size, height: size, data });
}

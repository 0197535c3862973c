// Decodes a picture from outside and draws it again: what is kept has its pixels alone, without metadata and without what else its file may have been.
import { PICTURE_BYTES, type PictureUse } from '../domain/picture.ts';

/** Width and height in pixels. */
export const PICTURE_SIDE = 512;
/** Tried in order until one is small enough; the last ones are for noise. */
const SIZES: [side: number, quality: number][] = [
  [PICTURE_SIDE, 92],
  [PICTURE_SIDE, 75],
  [PICTURE_SIDE / 2, 75],
];

/**
 * @param bytes a picture that `readPictureHead` has read
 * @returns a square WebP: one for a page is cut to the middle, a logo stands whole on nothing. Null when it cannot be decoded
 */
export async function encodePicture(bytes: Uint8Array, use: PictureUse): Promise<Buffer | null> {
  const { createCanvas, Image } = await import('@napi-rs/canvas');
  const image = new Image();
  try {
    // Without a listener a fault is thrown where it cannot be caught.
    image.onerror = () => {};
    image.src = Buffer.from(bytes);
    await image.decode();
  } catch {
    return null;
  }
  if (!(image.width > 0) || !(image.height > 0)) return null;
  for (const [side, quality] of SIZES) {
    const canvas = createCanvas(side, side);
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    const chosen = use === 'logo' ? Math.min : Math.max;
    const scale = chosen(side / image.width, side / image.height);
    const [width, height] = [image.width * scale, image.height * scale];
    context.drawImage(image, (side - width) / 2, (side - height) / 2, width, height);
    const encoded = await canvas.encode('webp', quality);
    if (encoded.length <= PICTURE_BYTES) return encoded;
  }
  return null;
}

// What a picture from outside is, read from its own bytes before anything decodes it: a decoder given a few bytes can be made to take gigabytes.

/** Bytes of an upload. */
export const PICTURE_UPLOAD_BYTES = 2 * 1024 * 1024;
/** Bytes of a picture as it is kept. */
export const PICTURE_BYTES = 256 * 1024;
/** Pixels that are decoded. */
export const PICTURE_PIXELS = 16_000_000;
/** Uploads of a handle. */
export const PICTURE_UPLOADS = { points: 20, windowMs: 60 * 60_000 } as const;

/** What a picture is for, one of each a handle: on its page, or as the logo of its shop. */
export const PICTURE_USES = ['page', 'logo'] as const;
export type PictureUse = (typeof PICTURE_USES)[number];

export const PICTURE_TYPES = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const;
export type PictureKind = keyof typeof PICTURE_TYPES;
/** `unknown_kind`: no PNG, JPEG or WebP. `broken`: not as its kind has it, or in a form of it that pages do not need. */
export type PictureProblem = 'unknown_kind' | 'broken' | 'too_many_pixels';
export type PictureHead = { kind: PictureKind; width: number; height: number };

type Size = { width: number; height: number };

/** Reads the header of a picture, and all that follows it as far as a decoder would. */
export function readPictureHead(bytes: Uint8Array): PictureHead | { problem: PictureProblem } {
  const kind = pictureKind(bytes);
  if (!kind) return { problem: 'unknown_kind' };
  const size = SIZES[kind](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (!size || size.width === 0 || size.height === 0) return { problem: 'broken' };
  if (size.width * size.height > PICTURE_PIXELS) return { problem: 'too_many_pixels' };
  return { kind, ...size };
}

const SIGNATURES: [kind: PictureKind, at: number, bytes: number[]][] = [
  ['png', 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['jpeg', 0, [0xff, 0xd8, 0xff]],
  ['webp', 8, [0x57, 0x45, 0x42, 0x50]],
];

/** By its first bytes, whatever its name or type says. */
function pictureKind(bytes: Uint8Array): PictureKind | null {
  const found = SIGNATURES.find(([, at, signature]) => signature.every((byte, index) => bytes[at + index] === byte));
  if (found?.[0] === 'webp' && textAt(bytes, 0) !== 'RIFF') return null;
  return found?.[0] ?? null;
}

const textAt = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4));
const tagOf = (view: DataView, at: number) => textAt(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), at);

/** Chunks to the end: exactly one header, the first. */
function sizeOfPng(view: DataView): Size | null {
  let size: Size | null = null;
  for (let at = 8; at + 12 <= view.byteLength; ) {
    const length = view.getUint32(at);
    const tag = tagOf(view, at + 4);
    if (tag === 'IEND') return size;
    if ((tag === 'IHDR') !== (at === 8) || at + 12 + length > view.byteLength) return null;
    if (tag === 'IHDR') {
      if (length !== 13) return null;
      size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    }
    at += 12 + length;
  }
  return null;
}

/** Frames that decoders know: baseline, extended and progressive. Others, or a second one, change the size after it was read. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);
/** Tables, restart intervals, applications and comments. */
const HARMLESS = (marker: number) =>
  marker === 0xc4 || marker === 0xdb || marker === 0xdd || marker === 0xfe || (marker >= 0xe0 && marker <= 0xef);
/** A progressive picture has about ten; each costs a decoder a walk over all pixels, however short it is. */
const MOST_SCANS = 24;

/** Segments to the end: exactly one frame, and a bounded number of scans. */
function sizeOfJpeg(view: DataView): Size | null {
  let size: Size | null = null;
  let scans = 0;
  for (let at = 2; at + 4 <= view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    // Any number of them may stand before a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    const length = view.getUint16(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > view.byteLength) return null;
    if (FRAMES.has(marker)) {
      if (size || length < 8) return null;
      size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    } else if (marker === 0xda) {
      if (!size || ++scans > MOST_SCANS) return null;
    } else if (!HARMLESS(marker)) return null;
    at = marker === 0xda ? endOfScan(view, end) : end;
    if (at + 2 <= view.byteLength && view.getUint16(at) === 0xffd9) return scans > 0 ? size : null;
  }
  return null;
}

/** The next marker: in a scan, 0xff stands before a zero or a restart only. */
function endOfScan(view: DataView, from: number): number {
  for (let at = from; at + 1 < view.byteLength; at++) {
    const next = view.getUint8(at + 1);
    if (view.getUint8(at) === 0xff && next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return view.byteLength;
}

/** Chunks to the end: one still picture, no larger than its canvas. */
function sizeOfWebp(view: DataView): Size | null {
  if (view.byteLength < 12) return null;
  const end = 8 + view.getUint32(4, true);
  if (end > view.byteLength) return null;
  let canvas: Size | null = null;
  let picture: Size | null = null;
  for (let at = 12; at + 8 <= end; ) {
    const length = view.getUint32(at + 4, true);
    const tag = tagOf(view, at);
    if (at + 8 + length > end) return null;
    const body = new DataView(view.buffer, view.byteOffset + at + 8, length);
    if (tag === 'ANIM' || tag === 'ANMF') return null;
    if (tag === 'VP8X') {
      if (canvas || length < 10) return null;
      canvas = { width: 1 + threeBytes(body, 4), height: 1 + threeBytes(body, 7) };
    } else if (tag === 'VP8 ' || tag === 'VP8L') {
      if (picture) return null;
      picture = tag === 'VP8L' ? sizeOfLossless(body) : sizeOfLossy(body);
      if (!picture) return null;
    }
    at += 8 + length + (length % 2);
  }
  if (!picture) return null;
  if (canvas && (canvas.width !== picture.width || canvas.height !== picture.height)) return null;
  return picture;
}

const threeBytes = (view: DataView, at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;

function sizeOfLossy(body: DataView): Size | null {
  if (body.byteLength < 10 || (body.getUint8(0) & 1) !== 0 || threeBytes(body, 3) !== 0x2a019d) return null;
  return { width: body.getUint16(6, true) & 0x3fff, height: body.getUint16(8, true) & 0x3fff };
}

function sizeOfLossless(body: DataView): Size | null {
  if (body.byteLength < 5 || body.getUint8(0) !== 0x2f) return null;
  const bits = body.getUint32(1, true);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
}

const SIZES: Record<PictureKind, (view: DataView) => Size | null> = {
  png: sizeOfPng,
  jpeg: sizeOfJpeg,
  webp: sizeOfWebp,
};

// The picture that stands where the address of a handle page is shared: 1200 × 630, as chats and networks show it.
import type { Image, SKRSContext2D } from '@napi-rs/canvas';
import { drawable, loadFonts } from './fonts.ts';

/** What is on it. `picture`: where its bytes are, which change with it. */
export type Card = {
  handle: string;
  name: string | null;
  line: string | null;
  /** "Pay in USDC on Base". */
  pays: string;
  testWords: string | null;
  picture: string | null;
};

export const CARD_SIZE = { width: 1_200, height: 630 };

const PAPER = '#f7f5ef';
const SURFACE = '#ffffff';
const INK = '#1a1c19';
const MUTED = '#565c54';
const ACCENT = '#0b5d3b';
const SOFT = '#e2f0e7';
const LINE = '#e0ddd2';

const LEFT = 96;
const FACE = 208;
const TEXT_LEFT = LEFT + FACE + 56;
const TEXT_WIDTH = CARD_SIZE.width - TEXT_LEFT - LEFT;
const MOST_LINES = 3;

/** @param bytes of the picture, which the service drew itself. @returns a PNG */
export async function drawCard(card: Card, bytes: Uint8Array | null): Promise<Buffer> {
  // Some 30 MB of native code, which only a process that draws loads.
  const { createCanvas, GlobalFonts, loadImage } = await import('@napi-rs/canvas');
  const font = loadFonts(GlobalFonts);
  const picture = bytes && (await loadImage(bytes).catch(() => null));
  const canvas = createCanvas(CARD_SIZE.width, CARD_SIZE.height);
  const pen = canvas.getContext('2d');
  pen.textBaseline = 'alphabetic';
  ground(pen);
  face(pen, font, card, picture);
  words(pen, font, card);
  foot(pen, font, card);
  return canvas.encode('png');
}

type Font = ReturnType<typeof loadFonts>;

function ground(pen: SKRSContext2D): void {
  const { width, height } = CARD_SIZE;
  pen.fillStyle = PAPER;
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = SURFACE;
  pen.strokeStyle = LINE;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.roundRect(40, 40, width - 80, height - 80, 36);
  pen.fill();
  pen.stroke();
}

function face(pen: SKRSContext2D, font: Font, { handle }: Card, picture: Image | null): void {
  const [x, y] = [LEFT + FACE / 2, 236];
  pen.save();
  pen.beginPath();
  pen.arc(x, y, FACE / 2, 0, 2 * Math.PI);
  pen.clip();
  pen.fillStyle = SOFT;
  pen.fillRect(x - FACE / 2, y - FACE / 2, FACE, FACE);
  if (picture) {
    const side = Math.min(picture.width, picture.height);
    const [left, top] = [(picture.width - side) / 2, (picture.height - side) / 2];
    pen.drawImage(picture, left, top, side, side, x - FACE / 2, y - FACE / 2, FACE, FACE);
  } else {
    pen.fillStyle = ACCENT;
    pen.textAlign = 'center';
    pen.font = font(700, 104);
    pen.fillText(handle.charAt(0).toUpperCase(), x, y + 37);
    pen.textAlign = 'left';
  }
  pen.restore();
}

function words(pen: SKRSContext2D, font: Font, { handle, name, line }: Card): void {
  const shownName = name === null ? null : drawable(name);
  const shownLine = line === null ? null : drawable(line);
  const title = shownName ?? `@${handle}`;
  let y = 200;
  pen.fillStyle = INK;
  pen.font = font(700, fitting(pen, font, title, [84, 72, 60, 48, 40]));
  pen.fillText(cut(pen, title, TEXT_WIDTH), TEXT_LEFT, y);
  if (shownName !== null) {
    y += 56;
    pen.fillStyle = ACCENT;
    pen.font = font(700, 36);
    pen.fillText(`@${handle}`, TEXT_LEFT, y);
  }
  if (shownLine === null) return;
  y += 68;
  pen.fillStyle = MUTED;
  pen.font = font(400, 38);
  for (const row of wrapped(pen, shownLine)) {
    pen.fillText(row, TEXT_LEFT, y);
    y += 52;
  }
}

function foot(pen: SKRSContext2D, font: Font, { pays, testWords }: Card): void {
  const y = 520;
  pen.strokeStyle = LINE;
  pen.beginPath();
  pen.moveTo(LEFT, 444);
  pen.lineTo(CARD_SIZE.width - LEFT, 444);
  pen.stroke();
  pen.fillStyle = ACCENT;
  pen.beginPath();
  pen.roundRect(LEFT, y - 42, 56, 56, 14);
  pen.fill();
  pen.fillStyle = SURFACE;
  pen.font = font(700, 36);
  pen.textAlign = 'center';
  pen.fillText('@', LEFT + 28, y - 4);
  pen.textAlign = 'left';
  pen.fillStyle = INK;
  pen.font = font(700, 34);
  pen.fillText('Ampersat', LEFT + 76, y - 2);
  pen.textAlign = 'right';
  pen.fillStyle = MUTED;
  pen.font = font(400, 34);
  pen.fillText(testWords === null ? pays : `${pays} · ${testWords}`, CARD_SIZE.width - LEFT, y - 2);
  pen.textAlign = 'left';
}

function fitting(pen: SKRSContext2D, font: Font, text: string, sizes: number[]): number {
  const fits = sizes.find((size) => {
    pen.font = font(700, size);
    return pen.measureText(text).width <= TEXT_WIDTH;
  });
  return fits ?? sizes.at(-1) ?? 40;
}

function cut(pen: SKRSContext2D, text: string, width: number): string {
  if (pen.measureText(text).width <= width) return text;
  const letters = [...text];
  while (letters.length > 0 && pen.measureText(`${letters.join('')}…`).width > width) letters.pop();
  return `${letters.join('').trimEnd()}…`;
}

/** A line may be one word of 160 letters. */
function wrapped(pen: SKRSContext2D, text: string): string[] {
  const rows: string[] = [];
  for (const word of text.split(' ')) {
    const last = rows.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && pen.measureText(longer).width <= TEXT_WIDTH) rows[rows.length - 1] = longer;
    else rows.push(word);
  }
  const shown = rows.slice(0, MOST_LINES);
  if (rows.length > MOST_LINES) shown[MOST_LINES - 1] = `${shown[MOST_LINES - 1]} …`;
  return shown.map((row) => cut(pen, row, TEXT_WIDTH));
}

// A QR code as one path of an SVG: nothing is fetched and nothing needs a style of its own. Always dark on white, because that is what cameras read.
import { encodeQR } from 'qr';
import { useMemo } from 'react';

/** The quiet zone that the standard asks for, in modules. */
const QUIET = 4;

/**
 * @param value what a camera reads out of it
 * @param label what it is, for screen readers
 */
export function QrCode({ value, label, className = 'size-48' }: { value: string; label: string; className?: string }) {
  const { path, side } = useMemo(() => draw(value), [value]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
      className={`rounded-lg ${className}`}
    >
      <rect width={side} height={side} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}

/** Each row's runs of dark modules as rectangles, so that the path stays short. */
function draw(value: string): { path: string; side: number } {
  const rows = encodeQR(value, 'raw', { border: QUIET });
  const parts: string[] = [];
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x += 1;
      const width = x - start + 1;
      parts.push(`M${start} ${y}h${width}v1h-${width}z`);
    }
  });
  return { path: parts.join(''), side: rows.length };
}

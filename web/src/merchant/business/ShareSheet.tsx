// A page's QR code, to be scanned from here, taken away as a picture, or printed as a sheet to put up.
import { Download, Printer } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CopyField } from '../../ui/CopyField.tsx';
import { QrCode } from '../../ui/QrCode.tsx';

export function ShareSheet({
  id,
  url,
  title,
  price,
  label,
  children,
}: {
  /** Names the picture's file. */
  id: string;
  url: string;
  title: string;
  price: string;
  /** `Payment link` */
  label: string;
  /** More ways to share it. */
  children?: ReactNode;
}) {
  const code = useRef<HTMLDivElement>(null);
  const codeLabel = `QR code of the ${label.toLowerCase()}`;
  const download = () => {
    const drawing = code.current?.querySelector('svg');
    if (drawing) saveDrawing(drawing, `${id}.svg`);
  };
  return (
    <>
      <div className="print:hidden">
        <Card title="Share">
          <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
            <div ref={code} className="shrink-0">
              <QrCode value={url} label={codeLabel} className="size-40" />
            </div>
            <div className="flex grow basis-40 flex-col items-stretch gap-2">
              <Button onClick={download}>
                <Download aria-hidden="true" className="size-4" />
                Download QR
              </Button>
              <Button onClick={() => print()}>
                <Printer aria-hidden="true" className="size-4" />
                Print
              </Button>
            </div>
          </div>
          <CopyField label={label} value={url} kind="filled" />
          {children}
        </Card>
      </div>
      <section aria-hidden="true" className="hidden flex-col items-center gap-6 py-12 text-center print:flex">
        <p className="text-2xl font-semibold text-balance">{title}</p>
        <p className="text-xl amount">{price}</p>
        <QrCode value={url} label={codeLabel} className="size-96" />
        <p className="font-mono text-sm break-all">{url}</p>
      </section>
    </>
  );
}

/** Written out with a size of its own, because a file has no page around it. */
function saveDrawing(drawing: SVGSVGElement, name: string): void {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  copy.removeAttribute('class');
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', '512');
  copy.setAttribute('height', '512');
  const address = URL.createObjectURL(new Blob([copy.outerHTML], { type: 'image/svg+xml' }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(address);
}

// A link's QR code, to be scanned from here, taken away as a picture, or printed as a sheet to put up.
import { Download, Printer } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CopyField } from '../../ui/CopyField.tsx';
import { QrCode } from '../../ui/QrCode.tsx';
import type { PaymentLink } from './linksApi.ts';
import { asksFor } from './linkWords.ts';

export function LinkShare({ link }: { link: PaymentLink }) {
  const code = useRef<HTMLDivElement>(null);
  const label = 'QR code of the payment link';
  const download = () => {
    const drawing = code.current?.querySelector('svg');
    if (drawing) saveDrawing(drawing, `${link.id}.svg`);
  };
  return (
    <>
      <div className="print:hidden">
        <Card title="Share">
          <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
            <div ref={code} className="shrink-0">
              <QrCode value={link.url} label={label} className="size-40" />
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
          <CopyField label="Payment link" value={link.url} kind="filled" />
        </Card>
      </div>
      <section aria-hidden="true" className="hidden flex-col items-center gap-6 py-12 text-center print:flex">
        <p className="text-2xl font-semibold text-balance">{link.label}</p>
        <p className="text-xl amount">{asksFor(link)}</p>
        <QrCode value={link.url} label={label} className="size-96" />
        <p className="font-mono text-sm break-all">{link.url}</p>
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

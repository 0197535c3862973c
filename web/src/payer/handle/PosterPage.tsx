// A poster to print: the handle and a QR code of its page, on A4 or A6.
import { Printer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { usePath } from '../../app/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { QrCode } from '../../ui/QrCode.tsx';
import { CheckoutFrame } from '../checkout/CheckoutFrame.tsx';
import { useWords } from '../checkout/language.ts';
import { Loading } from '../checkout/Missing.tsx';
import { problemWords } from '../checkout/problems.ts';
import { handleAt } from './handlePageApi.ts';
import { NoPage } from './NoPage.tsx';
import { PageHead } from './PageHead.tsx';
import { usePage } from './usePage.ts';

const SIZES = [
  ['a4', 'A4'],
  ['a6', 'A6'],
] as const;
type Size = (typeof SIZES)[number][0];

export function PosterPage() {
  const words = useWords();
  const { page, error, isMissing, refetch } = usePage(handleAt(usePath()));
  const [size, setSize] = useState<Size>('a4');
  const title = page ? words.handlePage.titleOf(page.handle) : words.pay;
  useEffect(() => {
    document.title = `${title} · Ampersat`;
  }, [title]);
  if (page)
    return (
      <main className="mx-auto flex min-h-dvh max-w-110 flex-col gap-6 px-4 py-6 print:contents">
        <div className="flex flex-wrap items-end justify-between gap-4 print:hidden">
          <Choice label={words.handlePage.sizes} value={size} choices={SIZES} onValue={setSize} />
          <Button kind="filled" className="min-h-12!" onClick={() => print()}>
            <Printer aria-hidden="true" className="size-4" />
            {words.handlePage.print}
          </Button>
        </div>
        <article
          className={`poster poster-${size} flex flex-col items-center justify-center gap-6 rounded-2xl border border-line bg-surface p-8 text-center print:rounded-none print:border-0`}
        >
          <PageHead page={page} businessWord={words.business} />
          <QrCode value={page.url} label={words.handlePage.qr(page.url)} className="poster-code w-full max-w-80" />
          <div className="flex flex-col gap-1">
            <p className="text-lg font-semibold">{words.handlePage.scan}</p>
            <p className="break-all">{page.url.replace(/^https?:\/\//, '')}</p>
            <p className="text-sm text-muted">{words.handlePage.posterHelp}</p>
          </div>
        </article>
      </main>
    );
  return (
    <CheckoutFrame>
      {isMissing ? (
        <NoPage />
      ) : error ? (
        <>
          <h1 className="sr-only">{words.pay}</h1>
          <ErrorNote retry={refetch} retryWord={words.tryAgain}>
            {problemWords(error)}
          </ErrorNote>
        </>
      ) : (
        <Loading />
      )}
    </CheckoutFrame>
  );
}

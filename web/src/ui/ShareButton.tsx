// Shares a page's address: by the system's share sheet where there is one, by copying elsewhere.
import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from './Button.tsx';

export type ShareWords = Record<'share' | 'copyLink' | 'linkCopied' | 'copyAbove', string>;

export function ShareButton({
  path,
  title,
  text,
  words,
}: {
  path: string;
  title: string;
  text: string;
  words: ShareWords;
}) {
  const [told, setTold] = useState<string | null>(null);
  const share = async () => {
    const url = new URL(path, location.href).href;
    try {
      if ('share' in navigator) await navigator.share({ title, text, url });
      else {
        await (navigator as Navigator).clipboard.writeText(url);
        setTold(words.linkCopied);
      }
    } catch (error) {
      // Closing the share sheet is no failure.
      if ((error as Error).name !== 'AbortError') setTold(words.copyAbove);
    }
  };
  return (
    <Button className="min-h-12!" onClick={() => void share()}>
      <Share2 aria-hidden="true" className="size-4" />
      <span aria-live="polite">{told ?? ('share' in navigator ? words.share : words.copyLink)}</span>
    </Button>
  );
}

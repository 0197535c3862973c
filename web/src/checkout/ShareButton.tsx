// Hands a page's address on: by the system's sheet where there is one, by copying elsewhere.
import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { useWords } from './language.ts';

export function ShareButton({ path, title, text }: { path: string; title: string; text: string }) {
  const words = useWords();
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
      // Whoever closes the sheet of their system has changed their mind.
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

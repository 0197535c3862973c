// A short message that disappears: the bot's answer to a pressed button.
import { useCallback, useEffect, useState } from 'react';

const SHOWN_MS = 4_000;

export function useToast(): { text: string | null; show: (text: string) => void } {
  const [toast, setToast] = useState<{ text: string } | null>(null);
  useEffect(() => {
    if (!toast) return;
    const timer = setTimeout(() => setToast(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  const show = useCallback((text: string) => setToast({ text }), []);
  return { text: toast?.text ?? null, show };
}

export function Toast({ text }: { text: string | null }) {
  return (
    <div role="status" className="relative h-0">
      {text && (
        <p className="absolute top-3 left-1/2 z-10 w-max max-w-[90%] -translate-x-1/2 rounded-lg bg-ink px-4 py-2 text-sm text-paper arrives">
          {text}
        </p>
      )}
    </div>
  );
}

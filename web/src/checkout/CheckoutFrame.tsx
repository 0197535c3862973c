// The frame of the checkout's pages: one narrow column with the sign on top, and what the buyer may rely on at the bottom.
import type { ReactNode } from 'react';
import { Pill } from '../ui/Pill.tsx';
import { Wordmark } from '../ui/Wordmark.tsx';

export function CheckoutFrame({ livemode = true, children }: { livemode?: boolean; children: ReactNode }) {
  return (
    <div className="mx-auto flex min-h-dvh max-w-110 flex-col gap-6 px-4 py-6">
      <header className="flex min-h-8 items-center justify-between gap-4">
        <Wordmark />
        {!livemode && <Pill tone="busy">Test mode: play money</Pill>}
      </header>
      <main className="flex flex-col gap-6">{children}</main>
      <footer className="mt-auto pt-4 text-center text-sm text-muted print:hidden">
        The money goes straight to the recipient. Ampersat never holds it.
      </footer>
    </div>
  );
}

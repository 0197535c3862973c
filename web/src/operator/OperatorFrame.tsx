// The frame of every page for operators but the first: its header, the way back, and the door for who is not signed in.
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../app/apiError.ts';
import { Link } from '../app/router.tsx';
import { CONTENT_PROPS, SkipLink } from '../ui/SkipLink.tsx';
import { Wordmark } from '../ui/Wordmark.tsx';
import { OperatorSignIn } from './OperatorSignIn.tsx';
import { SearchBox } from './SearchBox.tsx';

/** @param error of what the page asked for */
export function OperatorFrame({ title, error, children }: { title: string; error: Error | null; children: ReactNode }) {
  if (error instanceof ApiError && error.code === 'admin_secret_invalid') return <OperatorSignIn />;
  return (
    <div className="mx-auto flex min-h-dvh max-w-220 flex-col gap-6 px-4 py-6 sm:px-8">
      <SkipLink />
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="flex items-center gap-4">
          <Wordmark />
          <Link href="/operations" className="inline-flex min-h-10 items-center gap-1 text-muted hover:text-accent">
            <ArrowLeft aria-hidden="true" className="size-4" />
            Operations
          </Link>
        </div>
      </header>
      <main {...CONTENT_PROPS} className="flex min-w-0 flex-col gap-4 outline-none sm:gap-6">
        <SearchBox />
        <h1 className="min-w-0 text-xl font-semibold break-words">{title}</h1>
        {children}
      </main>
    </div>
  );
}

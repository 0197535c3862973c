// What stands where data is not there: a skeleton while it loads, a note with a retry when it failed, advice when it is empty.
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';

export function Skeleton({ className = '' }: { className?: string }) {
  return <span aria-hidden="true" className={`block rounded-lg bg-sunken waits ${className}`} />;
}

export function ErrorNote({
  children,
  retry,
  retryWord = 'Try again',
}: {
  children: ReactNode;
  retry?: () => void;
  retryWord?: string;
}) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg bg-brick-soft px-4 py-2 text-sm text-brick"
    >
      <p className="min-w-0 break-words">{children}</p>
      {retry && (
        <Button className="min-h-8! border-brick! px-2! text-brick!" onClick={retry}>
          <RotateCw aria-hidden="true" className="size-4" />
          {retryWord}
        </Button>
      )}
    </div>
  );
}

export function EmptyNote({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-80 flex-col items-center gap-2 px-4 py-8 text-center">
      <p className="font-semibold">{title}</p>
      <div className="text-sm text-muted">{children}</div>
    </div>
  );
}

// The page: loads the local stack's accounts and platforms, then shows the chats and the trace of a message.
import { useQuery } from '@tanstack/react-query';
import { ErrorNote, Skeleton } from '../../../web/src/ui/notices.tsx';
import { Wordmark } from '../../../web/src/ui/Wordmark.tsx';
import { LocalDate } from './LocalDate.tsx';
import { fetchStack } from './localApi.ts';
import { Windows } from './Windows.tsx';

/** People connect and disconnect on other pages. */
const REFRESH_MS = 5_000;

export function PlaygroundPage() {
  const stack = useQuery({ queryKey: ['stack'], queryFn: fetchStack, refetchInterval: REFRESH_MS });
  return (
    <div className="flex h-dvh flex-col">
      <header className="flex items-center justify-between gap-4 border-b border-line px-4 py-2">
        <h1 className="sr-only">Playground</h1>
        <Wordmark />
        <LocalDate />
        <p className="text-right text-sm text-muted">
          <span className="max-sm:hidden">Everything runs on this machine. </span>Play money only.
        </p>
      </header>
      {stack.data && <Windows stack={stack.data} />}
      {stack.isPending && <LoadingPage />}
      {stack.isError && !stack.data && (
        <div className="mx-auto w-full max-w-110 p-4">
          <ErrorNote retry={() => void stack.refetch()}>{stack.error.message}</ErrorNote>
        </div>
      )}
    </div>
  );
}

function LoadingPage() {
  return (
    <output
      aria-label="Loading the playground"
      className="grid min-h-0 grow gap-4 p-4 lg:grid-cols-[14rem_minmax(0,1fr)_minmax(0,1fr)]"
    >
      <Skeleton className="h-16 lg:h-80" />
      <Skeleton className="h-full" />
      <Skeleton className="h-full max-lg:hidden" />
    </output>
  );
}

// What is shown where an order is not there yet, or is not there at all.
import { ButtonLink } from '../../ui/Button.tsx';
import { EmptyNote, Skeleton } from '../../ui/notices.tsx';
import { useWords } from './language.ts';

export function Loading() {
  const words = useWords();
  return (
    <>
      <h1 className="sr-only">{words.loading}</h1>
      <Skeleton className="mx-auto h-30 w-60" />
      <Skeleton className="h-33" />
      <Skeleton className="h-12" />
    </>
  );
}

export function NotFound({ what }: { what: 'order' | 'link' | 'receipt' | 'plan' }) {
  const words = useWords();
  return (
    <>
      <h1 className="sr-only">{words.notFound[what]}</h1>
      <EmptyNote title={words.notFound[what]}>
        <p className="mb-4">{words.notFoundHelp}</p>
        <ButtonLink href="/">{words.toHomepage}</ButtonLink>
      </EmptyNote>
    </>
  );
}

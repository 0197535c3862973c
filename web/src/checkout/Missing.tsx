// What stands where an order is not there yet, or is not there at all.
import { ButtonLink } from '../ui/Button.tsx';
import { EmptyNote, Skeleton } from '../ui/notices.tsx';

export function Loading() {
  return (
    <>
      <h1 className="sr-only">Loading</h1>
      <Skeleton className="mx-auto h-30 w-60" />
      <Skeleton className="h-33" />
      <Skeleton className="h-12" />
    </>
  );
}

export function NotFound({ what }: { what: 'order' | 'payment link' | 'receipt' }) {
  return (
    <>
      <h1 className="sr-only">Not found</h1>
      <EmptyNote title={`There is no such ${what}`}>
        <p className="mb-4">Check the address: it may have been cut. Or ask whoever sent it to you for a new one.</p>
        <ButtonLink href="/">To the front page</ButtonLink>
      </EmptyNote>
    </>
  );
}

// One of the workspace's own things on a page of its own: skeletons until it is there, and what to do where it is not.
import type { ReactNode } from 'react';
import { ApiError } from '../../app/apiError.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../../ui/notices.tsx';

export function Loaded<T>({
  query: { data, error, refetch },
  thing,
  all,
  children,
}: {
  query: { data: T | undefined; error: Error | null; refetch: () => unknown };
  /** What it is, and more than one of it: `payment link`, `links`. */
  thing: readonly [one: string, many: string];
  /** Where all of them are. */
  all: string;
  children: (data: T) => ReactNode;
}) {
  const [one, many] = thing;
  if (error instanceof ApiError && error.code === 'resource_missing')
    return (
      <EmptyNote title={`${one.charAt(0).toUpperCase()}${one.slice(1)} not found`}>
        <p className="mb-4">Check the link; it may be incomplete. You can only see {many} of your own workspace.</p>
        <ButtonLink href={all}>View all {many}</ButtonLink>
      </EmptyNote>
    );
  if (!data)
    return error ? (
      <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>
    ) : (
      <output aria-label={`Loading the ${one}`} className="grid gap-6 lg:grid-cols-2">
        <Skeleton className="h-80" />
        <Skeleton className="h-80" />
      </output>
    );
  return (
    <>
      {error && <ErrorNote retry={() => void refetch()}>{error.message} This may be out of date.</ErrorNote>}
      {children(data)}
    </>
  );
}

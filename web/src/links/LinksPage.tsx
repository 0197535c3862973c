// A merchant's payment links: each asks for the same again and again.
import { Plus } from 'lucide-react';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { Link } from '../router.tsx';
import { Button, ButtonLink } from '../ui/Button.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../ui/notices.tsx';
import { Pill } from '../ui/Pill.tsx';
import { type PaymentLink, useLinks } from './linksApi.ts';
import { asksFor, broughtIn } from './linkWords.ts';

export function LinksPage() {
  return (
    <BusinessShell
      title="Payment links"
      aside={
        <ButtonLink kind="filled" href="/links/new">
          <Plus aria-hidden="true" className="size-4" />
          New link
        </ButtonLink>
      }
    >
      {() => (
        <>
          <p className="-mt-4 max-w-160 text-muted max-[900px]:mt-0">
            One address, as many payments as people make: for a tip jar, a price on a poster, a button on a page.
          </p>
          <Links />
        </>
      )}
    </BusinessShell>
  );
}

function Links() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useLinks();
  if (error && !data) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  if (!data)
    return (
      <output aria-label="Loading links" className="flex flex-col gap-2">
        <Skeleton className="h-16" />
        <Skeleton className="h-16" />
        <Skeleton className="h-16" />
      </output>
    );
  const links = data.pages.flatMap((page) => page.data);
  if (links.length === 0)
    return (
      <EmptyNote title="No links yet">
        Make one with a fixed price, or let the buyer type how much. Its page and its QR code are there at once.
      </EmptyNote>
    );
  return (
    <>
      {error && <ErrorNote retry={() => void refetch()}>{error.message} What you see may be old.</ErrorNote>}
      <ul aria-label="Payment links" className="rounded-2xl border border-line bg-surface px-2 sm:px-4">
        {links.map((link) => (
          <LinkRow key={link.id} link={link} />
        ))}
      </ul>
      {hasNextPage && (
        <Button className="self-center" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? 'Loading…' : 'Show more'}
        </Button>
      )}
    </>
  );
}

function LinkRow({ link }: { link: PaymentLink }) {
  return (
    <li className="not-first:border-t border-line">
      <Link
        href={`/links/${link.id}`}
        className="flex min-h-16 items-center gap-3 rounded-lg px-2 py-2 -outline-offset-2! hover:bg-paper"
      >
        <span className="min-w-0 grow">
          <span className="block truncate">{link.label}</span>
          <span className="block truncate text-sm text-muted">
            {broughtIn(link)} · {link.chain_label}
          </span>
        </span>
        <span className="flex shrink-0 flex-col items-end gap-0.5">
          <span className={`font-semibold amount ${link.active ? '' : 'text-muted'}`}>{asksFor(link)}</span>
          {!link.active && <Pill tone="quiet">Ended</Pill>}
        </span>
      </Link>
    </li>
  );
}

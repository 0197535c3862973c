// The frame of the documentation: name and search on top, all pages with the contents of the open one at the side of wide screens and folded on
// phones, and the way to the pages before and after.
import { type ReactNode, useEffect } from 'react';
import { Link, usePath } from '../app/router.tsx';
import { CONTENT_PROPS, SkipLink } from '../ui/SkipLink.tsx';
import { Wordmark } from '../ui/Wordmark.tsx';
import { DOCS } from './places.ts';
import { SearchBox } from './SearchBox.tsx';

export type Entry = { id: string; text: string; mono?: boolean };
export type Group = { title: string; entries: Entry[] };

type Props = {
  title: string;
  groups: Group[];
  /** Whether everything that an address with # may mean is there. */
  isWhole?: boolean;
  children: ReactNode;
};

export function DocsFrame({ title, groups, isWhole = true, children }: Props) {
  useEffect(() => {
    if (isWhole && location.hash !== '') location.replace(location.hash);
  }, [isWhole]);
  return (
    <div className="mx-auto max-w-288 px-4 sm:px-8">
      <SkipLink />
      <header className="sticky top-0 z-10 grid grid-cols-[1fr_auto] items-center gap-x-6 gap-y-2 border-b border-line bg-paper py-3 min-[900px]:grid-cols-[14rem_minmax(0,1fr)_auto] min-[900px]:gap-x-12 max-[899px]:static">
        <Wordmark />
        <SearchBox className="max-[899px]:col-span-2 max-[899px]:row-start-2" />
        <Link href="/account" className="min-h-8 content-center text-sm font-medium text-accent hover:underline">
          Dashboard
        </Link>
      </header>
      <div className="min-[900px]:grid min-[900px]:grid-cols-[14rem_minmax(0,1fr)] min-[900px]:gap-12">
        <aside className="min-[900px]:sticky min-[900px]:top-16 min-[900px]:max-h-[calc(100dvh-4rem)] min-[900px]:self-start min-[900px]:overflow-y-auto min-[900px]:py-8 quiet-scroll">
          <details className="py-4 min-[900px]:hidden">
            <summary className="min-h-10 content-center rounded-lg border border-edge px-4 text-sm">Contents</summary>
            <Contents groups={groups} />
          </details>
          <div className="max-[899px]:hidden">
            <Contents groups={groups} />
          </div>
        </aside>
        <main {...CONTENT_PROPS} className="flex min-w-0 flex-col gap-4 py-4 outline-none min-[900px]:py-8">
          <h1 className="text-xl font-semibold tracking-tight text-balance">{title}</h1>
          {children}
          <Neighbours />
        </main>
      </div>
    </div>
  );
}

function Contents({ groups }: { groups: Group[] }) {
  const path = usePath();
  return (
    <nav aria-label="Documentation" className="py-2 text-sm min-[900px]:py-0">
      <ul className="flex flex-col gap-1">
        {[{ href: '/docs', title: 'Overview' }, ...DOCS].map(({ href, title }) => (
          <li key={href}>
            <Link
              href={href}
              {...(href === path ? { 'aria-current': 'page' as const } : {})}
              className="block py-1 font-medium hover:text-accent aria-[current=page]:text-accent"
            >
              {title}
            </Link>
            {href === path && groups.map((group) => <Within key={group.title} {...group} />)}
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Within({ title, entries }: Group) {
  return (
    <div className="ml-px flex flex-col border-l border-line pb-2 pl-3">
      {title && <p className="pt-3 pb-1 font-semibold">{title}</p>}
      <ul>
        {entries.map(({ id, text, mono }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className={`block py-1 break-words text-muted hover:text-accent ${mono ? 'font-mono' : ''}`}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Neighbours() {
  const path = usePath();
  const at = DOCS.findIndex(({ href }) => href === path);
  if (at === -1) return null;
  const [before, after] = [DOCS[at - 1], DOCS[at + 1]];
  return (
    <nav
      aria-label="Previous and next page"
      className="mt-6 flex flex-wrap justify-between gap-4 border-t border-line pt-6 text-sm"
    >
      {before && (
        <Link href={before.href} className="text-accent hover:underline">
          <span className="block text-muted">Previous</span>← {before.title}
        </Link>
      )}
      {after && (
        <Link href={after.href} className="ml-auto text-right text-accent hover:underline">
          <span className="block text-muted">Next</span>
          {after.title} →
        </Link>
      )}
    </nav>
  );
}

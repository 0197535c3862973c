// The frame of the reference: the name on top, the contents at the side of wide screens and folded on phones.
import { type ReactNode, useEffect } from 'react';
import { Link, usePath } from '../router.tsx';
import { Wordmark } from '../ui/Wordmark.tsx';

export type Entry = { id: string; text: string; mono?: boolean };
export type Group = { title: string; entries: Entry[] };

const PAGES = [
  { href: '/docs', text: 'API reference' },
  { href: '/docs/errors', text: 'Errors' },
];

export function DocsFrame({ title, groups, children }: { title: string; groups: Group[]; children: ReactNode }) {
  const path = usePath();
  const isThere = groups.length > 0;
  useEffect(() => {
    // What an address with # means is there only now.
    if (isThere && location.hash !== '') location.replace(location.hash);
  }, [isThere]);
  return (
    <div className="mx-auto max-w-288 px-4 sm:px-8">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line py-4">
        <Wordmark />
        <nav aria-label="Documentation" className="flex gap-6 text-sm">
          {PAGES.map(({ href, text }) => (
            <Link
              key={href}
              href={href}
              {...(href === path ? { 'aria-current': 'page' as const } : {})}
              className="min-h-8 content-center font-medium text-muted hover:text-accent aria-[current=page]:text-accent"
            >
              {text}
            </Link>
          ))}
        </nav>
      </header>
      <div className="min-[900px]:grid min-[900px]:grid-cols-[14rem_minmax(0,1fr)] min-[900px]:gap-12">
        <aside className="min-[900px]:sticky min-[900px]:top-0 min-[900px]:max-h-dvh min-[900px]:self-start min-[900px]:overflow-y-auto min-[900px]:py-8 quiet-scroll">
          <details className="group py-4 min-[900px]:hidden">
            <summary className="min-h-10 content-center rounded-lg border border-edge px-4 text-sm">Contents</summary>
            <Contents groups={groups} />
          </details>
          <div className="max-[899px]:hidden">
            <Contents groups={groups} />
          </div>
        </aside>
        <main className="flex min-w-0 flex-col gap-10 py-4 min-[900px]:py-8">
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          {children}
        </main>
      </div>
    </div>
  );
}

function Contents({ groups }: { groups: Group[] }) {
  return (
    <nav aria-label="On this page" className="flex flex-col gap-4 py-2 text-sm">
      {groups.map(({ title, entries }) => (
        <div key={title} className="flex flex-col gap-1">
          <p className="font-semibold">{title}</p>
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
      ))}
    </nav>
  );
}

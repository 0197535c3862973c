// The lists of what went wrong, beside each other above each of them.
import { Link } from '../app/router.tsx';

const LISTS = {
  tips: { title: 'Failed tips', href: '/operations/failed?what=tips' },
  replies: { title: 'Failed replies', href: '/operations/failed?what=replies' },
  stuck: { title: 'Stuck work', href: '/operations/dead' },
  transfers: { title: 'Transfers', href: '/operations/transfers' },
} as const;

export function FailureTabs({ shown }: { shown: keyof typeof LISTS }) {
  return (
    <nav aria-label="Lists" className="flex flex-wrap gap-x-4">
      {Object.entries(LISTS).map(([name, { title, href }]) => (
        <Link
          key={name}
          href={href}
          aria-current={name === shown ? 'page' : undefined}
          className="inline-flex min-h-10 items-center text-accent hover:underline aria-[current]:font-semibold aria-[current]:text-ink"
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}

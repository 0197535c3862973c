// The menu of a row: what can be done with it without opening it.
import { Ellipsis } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { navigate } from '../app/router.tsx';

/** Leads to a page of ours or of others, or copies a text. */
export type MenuItem = { label: string } & ({ href: string } | { copy: string });

export function RowMenu({ items }: { items: MenuItem[] }) {
  return (
    // Not modal: scrolling stays possible, and no style element is put into the page, which its policy refuses.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        aria-label="Actions"
        className="relative z-1 inline-flex size-8 items-center justify-center rounded-lg text-muted hover:bg-sunken hover:text-ink"
      >
        <Ellipsis aria-hidden="true" className="size-4" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          className="z-20 min-w-48 rounded-lg border border-line bg-surface p-1 text-sm shadow-lg"
        >
          {items.map((item) => (
            <DropdownMenu.Item
              key={item.label}
              onSelect={() => act(item)}
              className="flex min-h-10 cursor-pointer items-center rounded-md px-3 outline-none data-highlighted:bg-sunken"
            >
              {item.label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function act(item: MenuItem): void {
  if ('copy' in item) void navigator.clipboard.writeText(item.copy);
  else if (item.href.startsWith('/')) navigate(item.href);
  else window.open(item.href, '_blank', 'noopener,noreferrer');
}

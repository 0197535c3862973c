// The columns of a table of events, and the menu of each.
import { shortId } from '../../app/format.ts';
import { Pill } from '../../ui/Pill.tsx';
import type { MenuItem } from '../../ui/RowMenu.tsx';
import type { Column } from '../../ui/Table.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import type { ListedEvent } from '../webhooks/shapes.ts';
import { resourcePath } from '../webhooks/typeWords.ts';
import { countsWords, resourceOf } from './eventWords.ts';

const type: Column<ListedEvent> = {
  header: 'Type',
  cell: (event) => (
    <>
      <code className="block truncate font-mono font-medium">{event.type}</code>
      <span className="block text-muted md:hidden">
        <TimeAgo at={event.created_at} /> · <Resource event={event} />
      </span>
    </>
  ),
};
const created: Column<ListedEvent> = {
  header: 'Created',
  width: 'w-36',
  wide: true,
  cell: ({ created_at }) => <TimeAgo at={created_at} className="text-muted" />,
};
const delivered: Column<ListedEvent> = {
  header: 'Delivery',
  width: 'w-32',
  cell: (event) => <Delivered event={event} />,
};

export const EVENT_COLUMNS: readonly Column<ListedEvent>[] = [
  type,
  { header: 'Resource', width: 'w-40', wide: true, cell: (event) => <Resource event={event} /> },
  created,
  delivered,
];

/** Where all are of one resource. */
export const EVENT_COLUMNS_OF_ONE: readonly Column<ListedEvent>[] = [type, delivered];

export function eventMenu(event: ListedEvent): MenuItem[] {
  const resource = resourceOf(event);
  const path = resource && resourcePath(resource);
  return [
    { label: 'View event', href: `/events/${event.id}` },
    { label: 'Copy event ID', copy: event.id },
    ...(path ? [{ label: path.startsWith('/orders/') ? 'View order' : 'View tab', href: path }] : []),
    ...(resource ? [{ label: 'Copy resource ID', copy: resource }] : []),
  ];
}

function Resource({ event }: { event: ListedEvent }) {
  const resource = resourceOf(event);
  return resource && <code className="font-mono text-muted">{shortId(resource)}</code>;
}

/** Empty where no endpoint was to receive it. */
function Delivered({ event }: { event: ListedEvent }) {
  const words = countsWords(event.deliveries);
  if (!words)
    return (
      <span className="text-muted">
        <span aria-hidden="true">–</span>
        <span className="sr-only">No endpoints</span>
      </span>
    );
  return <Pill tone={words.tone}>{words.word}</Pill>;
}

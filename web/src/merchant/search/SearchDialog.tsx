// The dialog of the search: what is typed is looked for once the typing pauses; arrows choose, Enter opens, Escape closes.
import { useEffect, useId, useRef, useState } from 'react';
import { padAmount, shortId } from '../../app/format.ts';
import { Link, navigate } from '../../app/router.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { useMode } from '../business/workspaceApi.ts';
import { statusWord } from '../orders/orderWords.ts';
import { type Found, pathOf, useFound } from './searchApi.ts';

const PAUSE_MS = 200;
const MOST = 100;

export function SearchDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [typed, setTyped] = useState('');
  const [q, setQ] = useState('');
  const [chosen, setChosen] = useState(0);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    const timer = setTimeout(() => setQ(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const mode = useMode();
  const { data, error, isPlaceholderData, refetch } = useFound(q);
  const found = q.length < 2 ? [] : (data ?? []);
  const at = Math.min(chosen, found.length - 1);
  const optionId = (index: number) => `${id}-${index}`;
  const choose = (index: number) => {
    setChosen(index);
    document.getElementById(optionId(index))?.scrollIntoView({ block: 'nearest' });
  };
  const press = (event: React.KeyboardEvent) => {
    if (event.key === 'ArrowDown') choose(Math.min(at + 1, found.length - 1));
    else if (event.key === 'ArrowUp') choose(Math.max(at - 1, 0));
    else if (event.key === 'Enter' && found[at] && !isPlaceholderData && typed.trim() === q) {
      navigate(pathOf(found[at]));
      onClose();
    } else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, as it does every dialog
    <dialog
      ref={dialog}
      aria-label="Search"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
      className="mx-auto mt-[12vh] mb-auto w-[min(40rem,calc(100vw-2rem))] rounded-2xl border border-line bg-surface p-0 text-ink shadow-lg backdrop:bg-[rgb(0_0_0/0.5)]"
    >
      <div className="flex flex-col">
        <input
          autoFocus
          type="text"
          role="combobox"
          aria-label="Search"
          aria-expanded={found.length > 0}
          aria-controls={id}
          aria-activedescendant={found.length > 0 ? optionId(at) : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={MOST}
          placeholder="ID, transaction, description, metadata…"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setChosen(0);
          }}
          onKeyDown={press}
          className="min-h-14 w-full rounded-t-2xl bg-transparent px-4 outline-none placeholder:text-muted"
        />
        {mode === 'test' && <p className="px-4 pb-2 text-sm text-amber">Test mode: play money</p>}
        <div className="flex max-h-[60vh] min-h-24 flex-col overflow-y-auto border-t border-line p-2">
          {error && q.length >= 2 && <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>}
          <div id={id} role="listbox" aria-label="Results" aria-busy={isPlaceholderData}>
            {found.map((one, index) => (
              <Link
                key={`${one.kind} ${one.id}`}
                id={optionId(index)}
                href={pathOf(one)}
                role="option"
                aria-selected={index === at}
                tabIndex={-1}
                onClick={onClose}
                onMouseMove={() => setChosen(index)}
                className="flex min-h-12 items-center gap-3 rounded-lg px-3 py-1.5 aria-selected:bg-soft"
              >
                <Line found={one} />
              </Link>
            ))}
          </div>
          <p role="status" className="px-3 py-2 text-sm text-muted empty:hidden">
            {q.length < 2
              ? 'Search orders, payment links, events and tabs.'
              : data && found.length === 0 && !isPlaceholderData && `No results for “${q}”.`}
          </p>
        </div>
      </div>
    </dialog>
  );
}

const KINDS: Record<Found['kind'], string> = { order: 'Order', payment_link: 'Link', event: 'Event', tab: 'Tab' };

const OTHER_WORDS: Record<string, string> = {
  active: 'Active',
  inactive: 'Inactive',
  pending_create: 'Not funded',
  open: 'Waiting',
  claimed: 'Claimed',
  refunded: 'Returned',
};

/** As the lists name it. */
function wordOf(kind: Found['kind'], status: string): string {
  return kind === 'order' ? statusWord(status) : (OTHER_WORDS[status] ?? status);
}

function Line({ found: { kind, id, title, amount, currency, status, at } }: { found: Found }) {
  return (
    <>
      <span className="min-w-0 grow">
        <span className="block truncate text-sm font-medium">{title ?? shortId(id)}</span>
        <span className="block text-sm text-muted">
          {KINDS[kind]} · <code className="font-mono">{shortId(id)}</code>
          {status && ` · ${wordOf(kind, status)}`} · <TimeAgo at={at} />
        </span>
      </span>
      {amount && (
        <span className="shrink-0 text-sm font-semibold amount">
          {padAmount(amount)} <span className="font-normal text-muted">{currency}</span>
        </span>
      )}
    </>
  );
}

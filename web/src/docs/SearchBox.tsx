// The search field of the documentation: “/” leads to it, the arrow keys through what was found, Enter opens it. The index is read at the first focus.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { navigate } from '../app/router.tsx';
import type { Found } from './search.ts';

export function SearchBox({ className = '' }: { className?: string }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const [at, setAt] = useState(0);
  const { index, find, isError } = useIndex(isOpen);
  const found = index && find ? find(index, typed) : [];
  const isShown = isOpen && typed.trim() !== '';

  useEffect(() => {
    const focus = (event: globalThis.KeyboardEvent) => {
      const { target } = event;
      const isTyping =
        target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
      if (event.key !== '/' || isTyping || event.metaKey || event.ctrlKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);

  const open = ({ href }: Found) => {
    setTyped('');
    setIsOpen(false);
    input.current?.blur();
    const [path, hash] = href.split('#');
    if (path === location.pathname && hash) location.hash = hash;
    else navigate(href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      setTyped('');
      input.current?.blur();
    }
    const chosen = found[at];
    if (event.key === 'Enter' && isShown && chosen) open(chosen);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || found.length === 0) return;
    event.preventDefault();
    setAt((at + step + found.length) % found.length);
  };
  return (
    <search className={`relative ${className}`}>
      <span className="flex min-h-10 items-center gap-2 rounded-lg border border-edge bg-surface px-3 text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent">
        <Search aria-hidden="true" className="size-4 shrink-0 text-muted" />
        <input
          ref={input}
          role="combobox"
          aria-label="Search the documentation"
          aria-expanded={isShown}
          aria-controls={`${id}-list`}
          aria-activedescendant={isShown && found[at] ? `${id}-${at}` : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder="Search guides, endpoints, errors, events"
          className="min-w-0 grow bg-transparent py-1 outline-none placeholder:text-muted"
          value={typed}
          onFocus={() => setIsOpen(true)}
          onBlur={() => setIsOpen(false)}
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd className="rounded border border-line px-1.5 font-mono text-muted max-[899px]:hidden">/</kbd>
      </span>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Results"
        hidden={!isShown}
        className="absolute inset-x-0 top-full z-20 mt-1 max-h-96 overflow-y-auto rounded-2xl border border-line bg-surface p-1 text-sm shadow-lg quiet-scroll"
      >
        {found.map((one, position) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and its keys choose and open
          <div
            key={one.href}
            id={`${id}-${position}`}
            role="option"
            tabIndex={-1}
            aria-selected={position === at}
            // The field would lose the focus, and the list with it, before the click.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => open(one)}
            onMouseMove={() => setAt(position)}
            className="flex cursor-pointer items-baseline justify-between gap-4 rounded-lg px-3 py-2 aria-selected:bg-soft aria-selected:text-accent"
          >
            <span className="min-w-0 break-words">{one.title}</span>
            <span className="text-muted">{one.kind}</span>
          </div>
        ))}
        {found.length === 0 && (
          <p className="px-3 py-2 text-muted">
            {index ? 'No results.' : isError ? 'Search is unavailable. Try again.' : 'Loading…'}
          </p>
        )}
      </div>
    </search>
  );
}

/** The index and its search function, loaded on first use. */
function useIndex(isWanted: boolean) {
  const client = useQueryClient();
  const { data, isError } = useQuery({
    queryKey: ['docs search'],
    queryFn: async () => {
      const { find, readIndex } = await import('./search.ts');
      return { find, index: await readIndex(client) };
    },
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isWanted,
  });
  return { index: data?.index, find: data?.find, isError };
}

// The search of all of the account's pages: a button, and ⌘K or Ctrl K from anywhere.
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { SearchDialog } from './SearchDialog.tsx';

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function SearchButton() {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
        return;
      // Of the two buttons of a page, the one that is to be seen answers.
      if (!button.current?.offsetParent) return;
      event.preventDefault();
      setIsOpen(true);
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts={IS_APPLE ? 'Meta+K' : 'Control+K'}
        onClick={() => setIsOpen(true)}
        title={`Search (${IS_APPLE ? '⌘K' : 'Ctrl K'})`}
        className="inline-flex size-10 shrink-0 items-center justify-center rounded-lg text-muted hover:text-accent"
      >
        <Search aria-hidden="true" className="size-5" />
        <span className="sr-only">Search</span>
      </button>
      {isOpen && <SearchDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}

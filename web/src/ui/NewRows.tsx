// The button that shows rows which arrived meanwhile. It floats above its list and takes no place of its own.
import { ArrowUp } from 'lucide-react';

/** @param name of the list, in the plural: `Orders` */
export function NewRows({ held, name, onShow }: { held: number; name: string; onShow: () => void }) {
  const plural = name.toLowerCase();
  const word = held === 1 ? plural.replace(/ies$/, 'y').replace(/s$/, '') : plural;
  return (
    <div role="status" className="pointer-events-none sticky top-4 z-10 -mb-4 flex h-0 justify-center print:hidden">
      {held > 0 && (
        <button
          type="button"
          onClick={onShow}
          className="pointer-events-auto -mt-7 inline-flex h-9 items-center gap-1.5 rounded-full border border-accent bg-surface px-4 text-sm font-semibold whitespace-nowrap text-accent shadow-md hover:bg-soft focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent"
        >
          <ArrowUp aria-hidden="true" className="size-4" />
          {held} new {word}
        </button>
      )}
    </div>
  );
}

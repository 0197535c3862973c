// The last place of a phone's bar: a sheet with the pages that are seldom needed, and the way out.
import { Ellipsis, LogOut } from 'lucide-react';
import { useRef } from 'react';
import { ErrorNote } from '../../ui/notices.tsx';
import { Link, usePath } from '../router.tsx';
import { isAt, MORE_PLACES, PHONE_PLACES } from './places.ts';

const ROW =
  'flex min-h-12 w-full items-center gap-3 rounded-lg px-3 aria-[current]:bg-soft aria-[current]:font-semibold aria-[current]:text-accent';

export function MoreButton({ look, onLeave, failed }: { look: string; onLeave: () => void; failed: Error | null }) {
  const path = usePath();
  const sheet = useRef<HTMLDialogElement>(null);
  const close = () => sheet.current?.close();
  // What another place of the bar stands for as well is marked there.
  const isHere = [PHONE_PLACES, MORE_PLACES].findIndex((places) => places.some((place) => isAt(path, place))) === 1;
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-current={isHere ? 'true' : undefined}
        className={look}
        onClick={() => sheet.current?.showModal()}
      >
        <Ellipsis aria-hidden="true" className="size-5" />
        More
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, as it does every dialog */}
      <dialog
        ref={sheet}
        aria-label="More pages"
        onClick={(event) => event.target === sheet.current && close()}
        className="mx-0 mt-auto mb-0 w-full max-w-full rounded-t-2xl bg-surface p-0 text-ink backdrop:bg-[rgb(0_0_0/0.5)]"
      >
        <div className="flex flex-col gap-1 p-4 pb-[max(1rem,env(safe-area-inset-bottom))]">
          {MORE_PLACES.map((place) => (
            <Link
              key={place.href}
              href={place.href}
              aria-current={isAt(path, place) ? 'page' : undefined}
              className={ROW}
              onClick={close}
            >
              <place.icon aria-hidden="true" className="size-5" />
              {place.name}
            </Link>
          ))}
          <button type="button" className={`${ROW} text-accent`} onClick={onLeave}>
            <LogOut aria-hidden="true" className="size-5" />
            Sign out
          </button>
          {failed && <ErrorNote>{failed.message}</ErrorNote>}
          <button type="button" className={`${ROW} justify-center text-muted`} onClick={close}>
            Close
          </button>
        </div>
      </dialog>
    </>
  );
}

// What a payer may write with a payment: a name and a note, for the owner alone unless the payer agrees that the page shows them.
import { useId } from 'react';
import { NOTE_LENGTH } from '../../../../src/domain/note.ts';
import { Field } from '../../ui/Field.tsx';
import { useWords } from '../checkout/language.ts';

export type Written = { name: string; note: string; mayShow: boolean };

const NOTHING: Written = { name: '', note: '', mayShow: false };
const keyOf = (page: string) => `words:${page}`;

/** What was written in this tab survives a reload. */
export function readWords(page: string): Written {
  try {
    return { ...NOTHING, ...(JSON.parse(sessionStorage.getItem(keyOf(page)) ?? '{}') as Partial<Written>) };
  } catch {
    return NOTHING;
  }
}
export const keepWords = (page: string, words: Written) => sessionStorage.setItem(keyOf(page), JSON.stringify(words));
export const forgetWords = (page: string) => sessionStorage.removeItem(keyOf(page));

const NAME_LENGTH = 40;
/** From here on it is said how much is left. */
const FEW_LEFT = 60;

export function WordsFields({
  handle,
  canShow,
  written: { name, note, mayShow },
  onWrite,
}: {
  handle: string;
  /** The owner shows what payers write, where they agree. */
  canShow: boolean;
  written: Written;
  onWrite: (change: Partial<Written>) => void;
}) {
  const { handlePage: words } = useWords();
  const id = useId();
  const left = NOTE_LENGTH - [...note].length;
  return (
    <details open={name !== '' || note !== ''} className="flex flex-col">
      <summary className="min-h-10 content-center text-sm text-accent">{words.addNote}</summary>
      <div className="flex flex-col gap-3 pt-2">
        <Field
          label={words.name}
          name="name"
          autoComplete="name"
          maxLength={NAME_LENGTH}
          value={name}
          onChange={(event) => onWrite({ name: event.target.value })}
        />
        <div className="flex flex-col gap-1">
          <label htmlFor={id} className="text-sm font-medium">
            {words.note}
          </label>
          <textarea
            id={id}
            name="note"
            rows={3}
            dir="auto"
            maxLength={NOTE_LENGTH}
            value={note}
            aria-describedby={`${id}-hint`}
            onChange={(event) => onWrite({ note: event.target.value })}
            className="rounded-lg border border-edge bg-surface px-3 py-2"
          />
          <p id={`${id}-hint`} className="text-sm text-muted">
            {left <= FEW_LEFT
              ? words.left(left)
              : canShow && mayShow
                ? words.mayShowHint(handle)
                : words.noteHint(handle)}
          </p>
        </div>
        {canShow && (
          <label className="flex min-h-10 items-center gap-3 text-sm">
            <input
              type="checkbox"
              name="may_show"
              checked={mayShow}
              onChange={(event) => onWrite({ mayShow: event.target.checked })}
              className="size-5 shrink-0 accent-accent"
            />
            {words.mayShow}
          </label>
        )}
      </div>
    </details>
  );
}

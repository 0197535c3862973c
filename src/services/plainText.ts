// Text that users write for each other, as a parameter of a request.
import { AppError } from '../domain/errors.ts';
import { NOTE_LENGTH, readNote } from '../domain/note.ts';

/** The trimmed text, or null without one. @throws AppError `parameter_invalid` for hidden characters and for more than {@link NOTE_LENGTH} */
export function readPlainText(text: string | null | undefined, param: string): string | null {
  const read = readNote(text ?? '');
  if ('note' in read) return read.note;
  const words =
    read.problem === 'too_long'
      ? `${param} must be at most ${NOTE_LENGTH} characters.`
      : `${param} must be plain text without hidden or direction-changing characters.`;
  throw new AppError('parameter_invalid', words, { param });
}

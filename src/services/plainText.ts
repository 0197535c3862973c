// Text that users write for each other, as a parameter of a request.
import { AppError } from '../domain/errors.ts';
import { NOTE_LENGTH, readNote } from '../domain/note.ts';

/** The trimmed text, or null without one. @throws AppError `parameter_invalid` for hidden characters and for too many */
export function readPlainText(text: string | null | undefined, param: string, most = NOTE_LENGTH): string | null {
  const read = readNote(text ?? '', most);
  if ('note' in read) return read.note;
  const words =
    read.problem === 'too_long'
      ? `${param} must be at most ${most} characters.`
      : `${param} must be plain text without hidden or direction-changing characters.`;
  throw new AppError('parameter_invalid', words, { param });
}

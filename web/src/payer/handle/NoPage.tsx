// Where there is no page: the same words for a handle that does not exist and for a page that is off.
import { ButtonLink } from '../../ui/Button.tsx';
import { EmptyNote } from '../../ui/notices.tsx';
import { useWords } from '../checkout/language.ts';

export function NoPage() {
  const words = useWords();
  const { missing, missingHelp } = words.handlePage;
  return (
    <>
      <h1 className="sr-only">{missing}</h1>
      <EmptyNote title={missing}>
        <p className="mb-4">{missingHelp}</p>
        <ButtonLink href="/">{words.toHomepage}</ButtonLink>
      </EmptyNote>
    </>
  );
}

// In which language the bots speak to this handle.
import type { Language } from '../../../../src/domain/language.ts';
import { Card } from '../../ui/Card.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { useChangeSettings, useSettings } from './settings.ts';

/** Each language by its own name, so that everybody finds theirs. */
const NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch', es: 'Español' };

export function LanguageCard() {
  const { data, error, refetch } = useSettings();
  const change = useChangeSettings();
  const shown = change.isPending ? change.variables.language : data?.language;
  return (
    <Card title="Language">
      {error && !data && <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>}
      {!data && !error && <Skeleton className="h-14" />}
      {data && (
        <SelectField
          label="Bot language"
          value={shown ?? ''}
          disabled={change.isPending}
          onChange={(event) => change.mutate({ language: (event.target.value || null) as Language | null })}
        >
          <option value="">The language of each chat app</option>
          {Object.entries(NAMES).map(([language, name]) => (
            <option key={language} value={language} lang={language}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      {change.error && <ErrorNote>{change.error.message}</ErrorNote>}
    </Card>
  );
}

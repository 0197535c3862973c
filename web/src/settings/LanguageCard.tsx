// In which language the bots speak to this handle.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Language } from '../../../src/domain/language.ts';
import { callApi } from '../api.ts';
import { takeAnswer } from '../takeAnswer.ts';
import { Card } from '../ui/Card.tsx';
import { SelectField } from '../ui/Field.tsx';
import { ErrorNote, Skeleton } from '../ui/notices.tsx';
import { SETTINGS_KEY, type Settings } from './settings.ts';

/** Each language by its own name, so that everybody finds theirs. */
const NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch', es: 'Español' };

export function LanguageCard() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: SETTINGS_KEY,
    queryFn: ({ signal }) => callApi<Settings>('GET', '/settings', undefined, signal),
  });
  const choose = useMutation({
    mutationFn: (language: Language | null) => callApi<Settings>('PATCH', '/settings', { language }),
    onSuccess: (settings) => takeAnswer(client, SETTINGS_KEY, settings),
  });
  const shown = choose.isPending ? choose.variables : data?.language;
  return (
    <Card title="Language">
      {error && !data && <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>}
      {!data && !error && <Skeleton className="h-14" />}
      {data && (
        <SelectField
          label="The bots answer me in"
          value={shown ?? ''}
          disabled={choose.isPending}
          onChange={(event) => choose.mutate((event.target.value || null) as Language | null)}
        >
          <option value="">The language of each chat app</option>
          {Object.entries(NAMES).map(([language, name]) => (
            <option key={language} value={language} lang={language}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      {choose.error && <ErrorNote>{choose.error.message}</ErrorNote>}
    </Card>
  );
}

// Whether the bots write when money arrives.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../api.ts';
import { takeAnswer } from '../takeAnswer.ts';
import { Card } from '../ui/Card.tsx';
import { SelectField } from '../ui/Field.tsx';
import { ErrorNote, Skeleton } from '../ui/notices.tsx';
import { SETTINGS_KEY, type Settings } from './settings.ts';

export function NoticesCard() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: SETTINGS_KEY,
    queryFn: ({ signal }) => callApi<Settings>('GET', '/settings', undefined, signal),
  });
  const choose = useMutation({
    mutationFn: (notices: boolean) => callApi<Settings>('PATCH', '/settings', { notices }),
    onSuccess: (settings) => takeAnswer(client, SETTINGS_KEY, settings),
  });
  const shown = choose.isPending ? choose.variables : data?.notices;
  return (
    <Card title="Notices">
      {error && !data && <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>}
      {!data && !error && <Skeleton className="h-14" />}
      {data && (
        <SelectField
          label="When money arrives"
          value={shown ? 'on' : 'off'}
          disabled={choose.isPending}
          onChange={(event) => choose.mutate(event.target.value === 'on')}
        >
          <option value="on">Message me on Telegram or Discord</option>
          <option value="off">Don’t message me</option>
        </SelectField>
      )}
      {choose.error && <ErrorNote>{choose.error.message}</ErrorNote>}
    </Card>
  );
}

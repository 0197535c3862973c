// Whether the bots write when money arrives.
import { Card } from '../../ui/Card.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { useChangeSettings, useSettings } from './settings.ts';

export function NoticesCard() {
  const { data, error, refetch } = useSettings();
  const change = useChangeSettings();
  const shown = change.isPending ? change.variables.notices : data?.notices;
  return (
    <Card title="Notifications">
      {error && !data && <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>}
      {!data && !error && <Skeleton className="h-14" />}
      {data && (
        <SelectField
          label="When money arrives, on Telegram or Discord"
          value={shown ? 'on' : 'off'}
          disabled={change.isPending}
          onChange={(event) => change.mutate({ notices: event.target.value === 'on' })}
        >
          <option value="on">Message me</option>
          <option value="off">Don’t message me</option>
        </SelectField>
      )}
      {change.error && <ErrorNote>{change.error.message}</ErrorNote>}
    </Card>
  );
}

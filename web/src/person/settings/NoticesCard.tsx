// Whether the bots write when money arrives, and when a subscription takes some.
import { Card } from '../../ui/Card.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { useChangeSettings, useSettings } from './settings.ts';

export function NoticesCard() {
  const { data, error, refetch } = useSettings();
  const change = useChangeSettings();
  const shown = data && { ...data, ...(change.isPending ? change.variables : {}) };
  return (
    <Card title="Notifications">
      {error && !data && <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>}
      {!data && !error && <Skeleton className="h-32" />}
      {shown && (
        <>
          <Choice
            label="When money arrives, on Telegram or Discord"
            isOn={shown.notices}
            disabled={change.isPending}
            onChange={(notices) => change.mutate({ notices })}
          />
          <Choice
            label="When a subscription charges you"
            isOn={shown.charges}
            disabled={change.isPending}
            onChange={(charges) => change.mutate({ charges })}
          />
          <p className="text-sm text-muted">You are always told when a charge fails or a subscription ends.</p>
        </>
      )}
      {change.error && <ErrorNote>{change.error.message}</ErrorNote>}
    </Card>
  );
}

function Choice({
  label,
  isOn,
  disabled,
  onChange,
}: {
  label: string;
  isOn: boolean;
  disabled: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <SelectField
      label={label}
      value={isOn ? 'on' : 'off'}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value === 'on')}
    >
      <option value="on">Message me</option>
      <option value="off">Don’t message me</option>
    </SelectField>
  );
}

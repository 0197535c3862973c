// What an owner does with an endpoint: try it, change it, roll its secret, disable, enable and delete it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ROLL_HOURS } from '../../../src/domain/webhookEndpoint.ts';
import { navigate } from '../router.tsx';
import { ConfirmButton } from '../settings/ConfirmButton.tsx';
import { Button } from '../ui/Button.tsx';
import { ErrorNote } from '../ui/notices.tsx';
import { RollForm } from '../ui/RollForm.tsx';
import { WEBHOOKS_KEY } from './live.ts';
import type { Endpoint, WithSecret } from './shapes.ts';
import { TestForm } from './TestForm.tsx';
import { changeEndpoint, deleteEndpoint, rollSecret } from './webhooksApi.ts';

const OVERLAPS = [ROLL_HOURS.least, 1, 6, ROLL_HOURS.most];

export function EndpointTools({
  endpoint,
  onEdit,
  onChanged,
  onRolled,
}: {
  endpoint: Endpoint;
  onEdit: () => void;
  onChanged: (endpoint: Endpoint) => void;
  onRolled: (made: WithSecret) => void;
}) {
  const client = useQueryClient();
  const [open, setOpen] = useState<'test' | 'roll' | null>(null);
  const close = () => setOpen(null);
  const change = useMutation({
    mutationFn: (disabled: boolean) => changeEndpoint(endpoint.id, { disabled }),
    onSuccess: (answer) => onChanged(answer.endpoint),
  });
  const remove = useMutation({
    mutationFn: () => deleteEndpoint(endpoint.id),
    onSuccess: () => {
      navigate('/webhooks', { replace: true });
      void client.invalidateQueries({ queryKey: WEBHOOKS_KEY });
    },
  });
  const failed = change.error ?? remove.error;
  const isEnabled = endpoint.status === 'enabled';
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        {isEnabled ? (
          <Button
            kind="filled"
            aria-expanded={open === 'test'}
            onClick={() => setOpen(open === 'test' ? null : 'test')}
          >
            Send a test event…
          </Button>
        ) : (
          <Button kind="filled" disabled={change.isPending} onClick={() => change.mutate(false)}>
            {change.isPending ? 'One moment…' : 'Enable it'}
          </Button>
        )}
        <Button onClick={onEdit}>Change…</Button>
        <Button aria-expanded={open === 'roll'} onClick={() => setOpen(open === 'roll' ? null : 'roll')}>
          Roll the secret…
        </Button>
        {isEnabled && (
          <ConfirmButton
            question="What waits for it fails; you can replay it later."
            yes="Disable it"
            busy={change.isPending}
            onYes={() => change.mutate(true)}
          >
            Disable…
          </ConfirmButton>
        )}
        <ConfirmButton
          question="It is told of nothing any more, and it cannot be brought back."
          yes="Delete it"
          busy={remove.isPending}
          onYes={() => remove.mutate()}
        >
          Delete…
        </ConfirmButton>
      </div>
      {failed && <ErrorNote>{failed.message}</ErrorNote>}
      {open === 'test' && isEnabled && <TestForm endpoint={endpoint} onCancel={close} />}
      {open === 'roll' && (
        <RollForm
          overlaps={OVERLAPS}
          usual={ROLL_HOURS.usual}
          yes="Roll the secret"
          roll={(hours) => rollSecret(endpoint.id, hours)}
          onRolled={(made) => {
            close();
            onRolled(made);
          }}
          onCancel={close}
        >
          A new secret takes the place of this one. Until this one ends we sign with both, so that nothing stops while
          you change it.
        </RollForm>
      )}
    </div>
  );
}

// What an owner does with an endpoint: test it, edit it, roll its secret, disable, enable and delete it.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ROLL_HOURS } from '../../../../src/domain/webhookEndpoint.ts';
import { navigate } from '../../app/router.tsx';
import { Allowed } from '../../app/team/Allowed.tsx';
import { useCan } from '../../app/team/teamsApi.ts';
import { ConfirmButton } from '../../person/settings/ConfirmButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { RollForm } from '../../ui/RollForm.tsx';
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
  const [maySend, mayChange] = [useCan('resend'), useCan('endpoints')];
  if (!maySend) return <Allowed door="resend">{null}</Allowed>;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        {isEnabled ? (
          <Button
            kind="filled"
            aria-expanded={open === 'test'}
            onClick={() => setOpen(open === 'test' ? null : 'test')}
          >
            Send test event…
          </Button>
        ) : (
          mayChange && (
            <Button kind="filled" disabled={change.isPending} onClick={() => change.mutate(false)}>
              {change.isPending ? 'Enabling…' : 'Enable'}
            </Button>
          )
        )}
        {mayChange && (
          <>
            {' '}
            <Button onClick={onEdit}>Edit…</Button>
            <Button aria-expanded={open === 'roll'} onClick={() => setOpen(open === 'roll' ? null : 'roll')}>
              Roll secret…
            </Button>
            {isEnabled && (
              <ConfirmButton
                question="Disable this endpoint? Pending deliveries fail; you can resend them later."
                yes="Disable endpoint"
                busy={change.isPending}
                onYes={() => change.mutate(true)}
              >
                Disable…
              </ConfirmButton>
            )}
            <ConfirmButton
              question="Delete this endpoint permanently? It stops receiving events."
              yes="Delete endpoint"
              busy={remove.isPending}
              onYes={() => remove.mutate()}
            >
              Delete…
            </ConfirmButton>
          </>
        )}
      </div>
      <Allowed door="endpoints">{null}</Allowed>
      {failed && <ErrorNote>{failed.message}</ErrorNote>}
      {open === 'test' && isEnabled && <TestForm endpoint={endpoint} onCancel={close} />}
      {open === 'roll' && (
        <RollForm
          overlaps={OVERLAPS}
          usual={ROLL_HOURS.usual}
          yes="Roll secret"
          roll={(hours) => rollSecret(endpoint.id, hours)}
          onRolled={(made) => {
            close();
            onRolled(made);
          }}
          onCancel={close}
        >
          Creates a new signing secret. Until this one expires, events are signed with both, so you can switch without
          downtime.
        </RollForm>
      )}
    </div>
  );
}

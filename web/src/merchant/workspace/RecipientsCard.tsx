// Whom else the workspace's keys may name as the recipient of an order: changed by a signature of its wallet only.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { handleProblem } from '../../../../src/domain/handles.ts';
import { takeAnswer } from '../../app/takeAnswer.ts';
import { Allowed } from '../../app/team/Allowed.tsx';
import { useCan } from '../../app/team/teamsApi.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Field } from '../../ui/Field.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { signTyped } from '../../wallet/requests.ts';
import { WalletButtons } from '../../wallet/WalletButtons.tsx';
import { rememberWallet, useWallets, usualWallet, type Wallet } from '../../wallet/wallets.ts';
import { prepareRecipient, submitRecipient, WORKSPACE_KEY, type Workspace } from '../business/workspaceApi.ts';

export function RecipientsCard({ workspace }: { workspace: Workspace }) {
  const client = useQueryClient();
  const mayChange = useCan('recipients');
  const wallets = useWallets();
  const [chosen, setChosen] = useState<Wallet | null>(null);
  const [typed, setTyped] = useState('');
  const app = chosen ?? (wallets && usualWallet(wallets));
  const slug = typed.trim().replace(/^@/, '').toLowerCase();
  const problem = slug === '' ? null : problemOf(slug, workspace);
  const change = useMutation({
    mutationFn: async ({ recipient, allowed }: { recipient: string; allowed: boolean }) => {
      if (!app) throw new Error('Choose a wallet first.');
      const prepared = await prepareRecipient(recipient, allowed);
      const signature = await signTyped(app.provider, workspace.wallet ?? '', prepared.typed_data);
      return submitRecipient(prepared, signature);
    },
    onSuccess: (answer, { allowed }) => {
      takeAnswer(client, WORKSPACE_KEY, answer);
      if (allowed) setTyped('');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (slug && !problem && !change.isPending) change.mutate({ recipient: `@${slug}`, allowed: true });
  };
  return (
    <Card title="Allow list">
      <p className="text-sm text-muted">
        Payments created with your API keys go to @{workspace.handle}. Only these other handles can receive them too.
        Your wallet signs each change; signing is free.
      </p>
      {workspace.recipients.length > 0 && (
        <ul aria-label="Allow list" className="flex flex-col">
          {workspace.recipients.map(({ handle, kind, created_at }) => (
            <li
              key={handle}
              className="flex min-h-14 items-center justify-between gap-4 border-t border-line first:border-t-0"
            >
              <span className="flex min-w-0 items-center gap-3">
                <Avatar name={handle.slice(1)} />
                <span className="flex min-w-0 flex-col">
                  <b className="truncate font-semibold">{handle}</b>
                  <span className="truncate text-sm text-muted">
                    {kind === 'business' ? 'Business' : 'Personal'}, allowed <TimeAgo at={created_at} />
                  </span>
                </span>
              </span>
              {mayChange && (
                <Button
                  aria-label={`Remove ${handle}`}
                  disabled={change.isPending || !app}
                  onClick={() => change.mutate({ recipient: handle, allowed: false })}
                >
                  Remove
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <Allowed door="recipients">
        {wallets && !app ? (
          <WalletButtons
            verb="Use"
            onChoose={(next) => {
              rememberWallet(next);
              setChosen(next);
            }}
          />
        ) : (
          <form onSubmit={submit} className="flex flex-col gap-3 sm:max-w-110">
            <Field
              label="Allow a handle"
              name="recipient"
              before="@"
              maxLength={31}
              autoCapitalize="none"
              value={typed}
              error={problem}
              onChange={(event) => setTyped(event.target.value)}
            />
            <Button
              type="submit"
              className="min-h-12! self-start max-sm:w-full"
              disabled={slug === '' || problem !== null || change.isPending || !app}
            >
              {change.isPending ? 'Waiting for your wallet…' : slug && !problem ? `Allow @${slug}` : 'Allow handle'}
            </Button>
          </form>
        )}
      </Allowed>
      {change.isError && <ErrorNote>{change.error.message}</ErrorNote>}
    </Card>
  );
}

function problemOf(slug: string, workspace: Workspace): string | null {
  if (handleProblem(slug) === 'format') return 'A handle has 3 to 30 letters, digits or underscores.';
  if (slug === workspace.handle) return 'Your own handle is always allowed.';
  return workspace.recipients.some(({ handle }) => handle === `@${slug}`) ? 'This handle is already allowed.' : null;
}

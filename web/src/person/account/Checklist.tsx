// What is still to do until the first tip can be sent; the next of it is the only filled button. Goes away when all is done.

import { Check, Circle } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SpendingOverview } from '../../../../src/http/api/spendingAnswers.ts';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { hasAllowance, hasRight } from '../spending/allowed.ts';
import { useSpending } from '../spending/spendingApi.ts';

type Task = { name: string; text: ReactNode; done: boolean; action: ReactNode };

export function Checklist({ account }: { account: OwnAccount }) {
  const { data } = useSpending();
  if (!data || data.chains.length === 0) return null;
  const tasks = tasksOf(account, data);
  const next = tasks.findIndex((task) => !task.done);
  if (next === -1) return null;
  return (
    <Card title="Ready to tip?" aside={<span className="text-sm text-muted">{`${next} of ${tasks.length} done`}</span>}>
      <ol className="flex flex-col">
        {tasks.map(({ name, text, done, action }, index) => (
          <li key={name} className="flex gap-3 border-line py-3 not-first:border-t">
            {done ? (
              <Check aria-label="done" className="mt-0.5 size-5 shrink-0 text-accent" />
            ) : (
              <Circle aria-label="to do" className="mt-0.5 size-5 shrink-0 text-muted" />
            )}
            <div className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <div className="min-w-0">
                <p className={done ? 'text-muted' : 'font-semibold'}>{name}</p>
                {!done && <p className="text-sm text-muted">{text}</p>}
              </div>
              {index === next && action}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function tasksOf(account: OwnAccount, spending: SpendingOverview): Task[] {
  return [
    { name: `Your handle is @${account.handle}`, text: '', done: true, action: null },
    {
      name: 'Connect a chat',
      text: 'Connect Telegram, Discord or X, so that people can tip you there.',
      done: spending.connections.length > 0,
      action: (
        <ButtonLink kind="filled" href="/connections">
          Connect a chat
        </ButtonLink>
      ),
    },
    {
      name: 'Allow spending',
      text: 'Choose how much a chat may spend. Your wallet signs it, and you can stop it at any time.',
      done: hasAllowance(spending) && hasRight(spending),
      action: (
        <ButtonLink kind="filled" href="/spending">
          Allow spending
        </ButtonLink>
      ),
    },
  ];
}

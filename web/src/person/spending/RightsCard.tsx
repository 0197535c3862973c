// Which chats may spend, and the caps that hold for all of them.

import { useState } from 'react';
import type { ConnectionView } from '../../../../src/http/api/connectionAnswers.ts';
import type { SpendingOverview } from '../../../../src/http/api/spendingAnswers.ts';
import { compareAmounts, isAmount, padAmount, typedAmount } from '../../app/format.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Field } from '../../ui/Field.tsx';
import { EmptyNote } from '../../ui/notices.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { rightWords } from './allowWords.ts';
import { ConnectionName } from './ConnectionName.tsx';
import { type SigningWallet, SignStep } from './SignStep.tsx';

export function RightsCard({ signer, spending }: { signer: SigningWallet; spending: SpendingOverview }) {
  const [changing, setChanging] = useState<string | null>(null);
  return (
    <Card
      title="Chats"
      aside={
        <ButtonLink kind="plain" href="/settings">
          Disconnect in settings
        </ButtonLink>
      }
    >
      {spending.connections.length === 0 && (
        <EmptyNote title="No chat is connected">
          Type <code className="font-mono">/connect</code> to the bot in your direct chat.
        </EmptyNote>
      )}
      <ul className="flex flex-col">
        {spending.connections.map((connection) => (
          <li
            key={connection.id}
            className="flex flex-col gap-4 border-line py-3 not-first:border-t first:pt-0 last:pb-0"
          >
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <ConnectionName connection={connection} />
              <span className="flex items-center gap-3">
                <Pill tone={connection.can_spend ? 'good' : 'quiet'}>
                  {connection.can_spend ? 'Can spend' : 'Receive only'}
                </Pill>
                {changing !== connection.id && (
                  <Button onClick={() => setChanging(connection.id)}>
                    {connection.can_spend ? 'Change limits of this chat' : 'Allow spending'}
                  </Button>
                )}
              </span>
            </div>
            {changing === connection.id && (
              <ChangeRight
                signer={signer}
                connection={connection}
                spending={spending}
                onClose={() => setChanging(null)}
              />
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function ChangeRight({
  signer,
  connection,
  spending,
  onClose,
}: {
  signer: SigningWallet;
  connection: ConnectionView;
  spending: SpendingOverview;
  onClose: () => void;
}) {
  const [command, setCommand] = useState(spending.command_cap);
  const [day, setDay] = useState(spending.day_cap);
  const isTooMuch = compareAmounts(command, spending.max_command_cap) > 0;
  const isInOrder = compareAmounts(day, command) >= 0;
  const isTooMuchADay = compareAmounts(day, spending.max_day_cap) > 0;
  const isGood = isAmount(command) && isAmount(day) && !isTooMuch && !isTooMuchADay && isInOrder;
  const read = (set: (text: string) => void) => (event: { target: { value: string } }) =>
    set(typedAmount(event.target.value));
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Limit per command"
          name="command_cap"
          after="USD"
          inputMode="decimal"
          maxLength={12}
          value={command}
          error={
            !isAmount(command)
              ? 'Enter a number, such as 100 or 2.50.'
              : isTooMuch
                ? `Up to ${padAmount(spending.max_command_cap)}.`
                : null
          }
          onChange={read(setCommand)}
        />
        <Field
          label="Limit in 24 hours"
          name="day_cap"
          after="USD"
          inputMode="decimal"
          maxLength={12}
          value={day}
          error={
            !isAmount(day)
              ? 'Enter a number, such as 500 or 2.50.'
              : isTooMuchADay
                ? `Up to ${padAmount(spending.max_day_cap)}.`
                : isInOrder
                  ? null
                  : 'Must be at least the limit per command.'
          }
          hint="Both limits apply to all of your chats together."
          onChange={read(setDay)}
        />
      </div>
      <SignStep
        signer={signer}
        chainLabel="this network"
        job={{ kind: 'right', connection_id: connection.id, command_cap: command, day_cap: day }}
        allows={rightWords(connection, command, day)}
        button="Sign the right to spend"
        disabled={!isGood}
        onDone={onClose}
        onCancel={onClose}
      />
    </div>
  );
}

// One subscription: its price, what comes next, what it has taken, its receipts, and the ways to renew and to leave it.
import { type ReactNode, useState } from 'react';
import { chainLabel } from '../../../../src/domain/chains.ts';
import { dayName, padAmount } from '../../app/format.ts';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { everyWords } from '../../app/spans.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { ManageStep } from './ManageStep.tsx';
import { Receipts } from './Receipts.tsx';
import { SwitchBox } from './SwitchBox.tsx';
import { fetchSubscription, type SubscriptionView } from './subscriptionsApi.ts';
import { priceWords, stateWords, statusOf } from './words.ts';

type Open = 'receipts' | 'renew' | 'cancel' | 'switch' | null;

export function SubscriptionCard({ sub, account }: { sub: SubscriptionView; account: OwnAccount }) {
  const [open, setOpen] = useState<Open>(null);
  const toggle = (next: Open) => setOpen(open === next ? null : next);
  const { tone, word } = statusOf(sub);
  const isActive = sub.status === 'active';
  const creator = sub.creatorHandle === null ? 'its creator' : `@${sub.creatorHandle}`;
  return (
    <Card
      title={
        <>
          <span className="break-words">{sub.plan_name}</span>
          <span className="font-normal text-muted"> by {creator}</span>
        </>
      }
      aside={<Pill tone={tone}>{word}</Pill>}
    >
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4">
        <Term name="Price">{priceWords(sub)}</Term>
        <Term name={isActive && !sub.failing ? 'Next charge' : 'Status'}>
          {isActive && !sub.failing && sub.next_charge_at !== null
            ? dayName(Date.parse(sub.next_charge_at))
            : stateWords(sub)}
        </Term>
        <Term name="Total paid">
          {padAmount(sub.total_paid)} {sub.currency}
        </Term>
        <Term name="Network">
          {chainLabel(sub.chain)}
          {!sub.livemode && ' (test)'}
        </Term>
      </dl>
      {sub.failing && <FailingNote sub={sub} />}
      <div className="flex flex-wrap gap-2">
        <Button aria-expanded={open === 'receipts'} onClick={() => toggle('receipts')}>
          Receipts ({sub.chargesPaid})
        </Button>
        {isActive && (
          <>
            <Button aria-expanded={open === 'renew'} onClick={() => toggle('renew')}>
              Renew allowance
            </Button>
            {sub.replaced_by && (
              <Button aria-expanded={open === 'switch'} onClick={() => toggle('switch')}>
                New price
              </Button>
            )}
            <Button aria-expanded={open === 'cancel'} onClick={() => toggle('cancel')}>
              Cancel subscription
            </Button>
          </>
        )}
        {!isActive && <ButtonLink href={`/p/${sub.plan}`}>Subscribe again</ButtonLink>}
      </div>
      {open === 'receipts' && <Receipts sub={sub} />}
      {open === 'renew' && <Renew sub={sub} onDone={() => setOpen(null)} />}
      {open === 'switch' && <SwitchBox sub={sub} account={account} onDone={() => setOpen(null)} />}
      {open === 'cancel' && (
        <ManageStep
          job={{ action: 'cancel', subscriptionId: sub.id }}
          chain={sub.chain}
          address={sub.subscriber}
          why="which subscribes"
          kind="danger"
          button="Cancel it now"
          allows={`You won’t be charged again. What is paid stays paid${
            sub.next_charge_at === null || sub.failing ? '.' : ` until ${dayName(Date.parse(sub.next_charge_at))}.`
          } Your wallet signs; Ampersat pays the network fee.`}
          isDone={async () => (await fetchSubscription(sub.id)).status === 'cancelled'}
          onDone={() => setOpen(null)}
          onCancel={() => setOpen(null)}
          cancelWord="Keep it"
        />
      )}
    </Card>
  );
}

function FailingNote({ sub }: { sub: SubscriptionView }) {
  const cure =
    sub.failing?.code === 'insufficient_balance'
      ? `Add at least ${padAmount(sub.amount)} ${sub.currency} on ${chainLabel(sub.chain)}: it is charged within the hour.`
      : sub.failing?.code === 'insufficient_allowance'
        ? 'Renew the allowance below: it is charged within the hour.'
        : 'Nothing to do: it goes on by itself.';
  return (
    <p role="status" className="rounded-lg bg-amber-soft px-4 py-2 text-sm text-amber">
      {cure}
    </p>
  );
}

const PERIODS = [3, 6, 12, 24];

function Renew({ sub, onDone }: { sub: SubscriptionView; onDone: () => void }) {
  const [periods, setPeriods] = useState(12);
  return (
    <div className="flex flex-col gap-3">
      <SelectField
        label="Allow this many charges more"
        value={String(periods)}
        onChange={({ target }) => setPeriods(Number(target.value))}
      >
        {PERIODS.map((count) => (
          <option key={count} value={count}>
            {count} charges, {everyWords(sub.period)}
          </option>
        ))}
      </SelectField>
      <ManageStep
        key={periods}
        job={{ action: 'renew', subscriptionId: sub.id, periods }}
        chain={sub.chain}
        address={sub.subscriber}
        why="which subscribes"
        kind="filled"
        button="Renew"
        allows={`Your wallet signs an allowance that is higher by ${periods} times ${padAmount(sub.amount)} ${sub.currency}. The network fee is on us, and it is still taken only once a period.`}
        isDone={async () => true}
        onDone={onDone}
        onCancel={onDone}
      />
    </div>
  );
}

function Term({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="font-medium break-words tabular-nums">{children}</dd>
    </div>
  );
}

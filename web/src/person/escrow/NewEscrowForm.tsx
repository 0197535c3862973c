// The form of a new tab, and beside it its terms, before the wallet opens.

import type { ReactNode } from 'react';
import type { ChainSpending } from '../../../../src/http/api/spendingAnswers.ts';
import { compareAmounts, isAmount, padAmount, typedAmount } from '../../app/format.ts';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { Card } from '../../ui/Card.tsx';
import { Field, SelectField } from '../../ui/Field.tsx';
import { isEvm, usdcOf } from '../spending/spendingApi.ts';
import { type Draft, hoursOf, isUnderWay, MOST_NOTE, type Staged } from './draft.ts';
import type { NewEscrow } from './escrowApi.ts';
import { LengthField } from './LengthField.tsx';
import { OpenStep } from './OpenStep.tsx';
import { termsInWords } from './openWords.ts';
import { RecipientField } from './RecipientField.tsx';
import { labelOf, recipientProblem, slugOf } from './recipient.ts';

const MOST_DECIMALS = 6;

export function NewEscrowForm({
  account,
  draft,
  chain,
  chains,
  staged,
  onChange,
  onKeep,
}: {
  account: OwnAccount;
  draft: Draft;
  chain: ChainSpending;
  chains: ChainSpending[];
  staged: Staged | null;
  onChange: (draft: Draft) => void;
  onKeep: (staged: Staged | null) => void;
}) {
  const balance = usdcOf(chain)?.balance ?? '0';
  const isSent = isUnderWay(staged);
  const terms = termsOf(draft, chain.chain, account.handle);
  const amountError = amountProblem(draft.amount, balance, chain.label);
  const isReady = terms !== null && amountError === null;
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change });
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <fieldset disabled={isSent} aria-label="The tab" className="flex min-w-0 flex-col gap-4">
        <RecipientField value={draft} own={account.handle} onChange={set} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Amount"
            name="amount"
            after="USDC"
            inputMode="decimal"
            maxLength={20}
            placeholder="5.00"
            value={draft.amount}
            error={draft.amount === '' ? null : amountError}
            hint={`You have ${padAmount(balance)} USDC.`}
            onChange={(event) => set({ amount: typedAmount(event.target.value) })}
          />
          <SelectField
            label="Network"
            value={chain.chain}
            disabled={isSent}
            onChange={(event) => set({ chain: event.target.value })}
          >
            {chains.map((one) => (
              <option key={one.chain} value={one.chain}>
                {one.label}
              </option>
            ))}
          </SelectField>
        </div>
        <LengthField draft={draft} onChange={set} />
        <Field
          label="Note (optional)"
          name="note"
          maxLength={MOST_NOTE}
          placeholder="For lunch"
          hint={
            draft.note.length > MOST_NOTE - 60
              ? `${MOST_NOTE - draft.note.length} characters left.`
              : 'Only you and the recipient can see it.'
          }
          value={draft.note}
          onChange={(event) => set({ note: event.target.value })}
        />
      </fieldset>
      <Card title={isSent ? 'Sent from your wallet' : 'Before you sign'}>
        {isReady || isSent ? (
          <Meaning draft={draft} chain={chain} />
        ) : (
          <p className="text-sm text-muted">Enter a recipient and amount to see the terms.</p>
        )}
        <OpenStep
          isContract={account.kind === 'contract'}
          terms={isReady || isSent ? terms : null}
          chain={chain}
          label={isReady ? `Lock ${padAmount(draft.amount)} USDC for ${labelOf(draft)}` : 'Lock money'}
          staged={staged}
          onKeep={onKeep}
        />
      </Card>
    </div>
  );
}

function Meaning({ draft, chain }: { draft: Draft; chain: ChainSpending }): ReactNode {
  const hours = hoursOf(draft);
  if (hours === null) return null;
  return (
    <>
      <p className="text-2xl font-semibold tracking-tight amount">
        {padAmount(draft.amount)} <span className="text-lg font-medium text-muted">USDC</span>
      </p>
      <ul className="flex list-disc flex-col gap-2 pl-5 text-sm">
        {termsInWords({
          to: draft,
          amount: draft.amount,
          chainLabel: chain.label,
          hours,
          isSponsored: !isEvm(chain),
        }).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  );
}

/** What goes to the service; null while the form is not filled in. */
function termsOf(draft: Draft, chain: string, own: string): NewEscrow | null {
  const hours = hoursOf(draft);
  if (hours === null || recipientProblem(draft) !== null || slugOf(draft) === own) return null;
  if (!isAmount(draft.amount)) return null;
  const note = draft.note.trim();
  return { handleSlug: slugOf(draft), amount: draft.amount, chain, dueInHours: hours, ...(note && { note }) };
}

function amountProblem(amount: string, balance: string, chainLabel: string): string | null {
  if (!isAmount(amount) || (amount.split('.')[1] ?? '').length > MOST_DECIMALS) return 'Plain digits, like 5 or 2.50.';
  if (compareAmounts(amount, balance) > 0)
    return `You have ${padAmount(balance)} USDC on ${chainLabel}. Add funds, choose another network, or enter a smaller amount.`;
  return null;
}

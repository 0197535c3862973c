// What one's page says and takes, with how it will look. What was typed stays, also when it could not be saved.
import { type FormEvent, useState } from 'react';
import { LINE_LENGTH, MOST_AMOUNTS } from '../../../../src/domain/handlePage.ts';
import type { OwnHandlePage } from '../../../../src/http/api/handlePageAnswers.ts';
import { isAmount, padAmount, typedAmount } from '../../app/format.ts';
import { PageHead } from '../../payer/handle/PageHead.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Field, SelectField } from '../../ui/Field.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { type PageChange, useChangePage } from './ownPageApi.ts';
import { PictureField } from './PictureField.tsx';

type Draft = {
  line: string;
  amounts: string[];
  chain: string;
  currency: string;
  showMessages: boolean;
  showAmounts: boolean;
};

function draftOf(page: OwnHandlePage): Draft {
  const amounts = Array.from({ length: MOST_AMOUNTS }, (_, index) => page.suggested_amounts[index] ?? '');
  return {
    ...{ line: page.line ?? '', amounts, chain: page.chain, currency: page.currency },
    ...{ showMessages: page.show_messages, showAmounts: page.show_amounts },
  };
}

const PLACES = Array.from({ length: MOST_AMOUNTS }, (_, index) => index);

export function ShapeForm({ page }: { page: OwnHandlePage }) {
  const [draft, setDraft] = useState(() => draftOf(page));
  const change = useChangePage();
  const set = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part });
    change.reset();
  };
  const chain = page.chains.find((one) => one.chain === draft.chain) ?? page.chains[0];
  const isWrong = draft.amounts.some((amount) => amount !== '' && !isAmount(amount));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isWrong || change.isPending) return;
    change.mutate(changeOf(draft, page), { onSuccess: (answer) => setDraft(draftOf(answer.page)) });
  };
  return (
    <form onSubmit={submit} className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Card title="What it shows">
        <PictureField page={page} />
        <Field
          label="A line about you"
          name="line"
          maxLength={LINE_LENGTH}
          placeholder="Thanks for supporting my work"
          hint="Under your handle, and where your link is shared."
          value={draft.line}
          onChange={({ target }) => set({ line: target.value })}
        />
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-1 text-sm font-medium">Suggested amounts (optional)</legend>
          <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
            {PLACES.map((index) => (
              <Field
                key={index}
                label={`Amount ${index + 1}`}
                isLabelHidden
                name={`amount${index + 1}`}
                inputMode="decimal"
                maxLength={24}
                placeholder="–"
                value={draft.amounts[index] ?? ''}
                error={problemOf(draft.amounts[index])}
                onChange={({ target }) => set({ amounts: draft.amounts.with(index, typedAmount(target.value)) })}
              />
            ))}
          </div>
        </fieldset>
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label="Network"
            value={draft.chain}
            onChange={({ target }) => set({ chain: target.value, currency: 'USDC' })}
          >
            {page.chains.map((one) => (
              <option key={one.chain} value={one.chain} disabled={one.problem !== null}>
                {one.livemode ? one.label : `${one.label} (test)`}
              </option>
            ))}
          </SelectField>
          <SelectField
            label="Currency"
            value={draft.currency}
            onChange={({ target }) => set({ currency: target.value })}
          >
            {(chain?.currencies ?? [draft.currency]).map((one) => (
              <option key={one}>{one}</option>
            ))}
          </SelectField>
        </div>
        <p className="text-sm text-muted">
          {chain?.problem ??
            `Payers can use money on other networks; it arrives here. ${page.kind === 'business' ? 'A fee of 1 % is taken from each payment.' : 'There’s no fee.'}`}
        </p>
        <Check
          label="Show supporters’ messages"
          hint="Only those of paid payments whose payer agreed. You can hide each one."
          isOn={draft.showMessages}
          onChange={(showMessages) => set({ showMessages })}
        />
        <Check
          label="Show amounts beside messages"
          isOn={draft.showAmounts}
          disabled={!draft.showMessages}
          onChange={(showAmounts) => set({ showAmounts })}
        />
        <div className="flex flex-wrap items-center gap-4">
          <Button
            type="submit"
            kind={page.enabled ? 'filled' : 'outlined'}
            className="min-h-12!"
            disabled={isWrong || change.isPending}
          >
            {change.isPending ? 'Saving…' : 'Save'}
          </Button>
          <output className="text-sm text-muted">{change.isSuccess ? 'Saved' : ''}</output>
        </div>
        {change.isError && <ErrorNote>{change.error.message}</ErrorNote>}
      </Card>
      <Card title="Preview">
        <PageHead
          page={{
            handle: page.handle,
            kind: page.kind,
            picture: page.picture ?? page.branding?.logo_url ?? null,
            branding: page.branding,
            line: draft.line.trim() || null,
          }}
          businessWord="business"
          heading="p"
        />
        <ul aria-label="Suggested amounts" className="flex flex-wrap justify-center gap-2">
          {amountsOf(draft).map((amount) => (
            <li key={amount} className="amount rounded-lg border border-edge px-4 py-2 text-sm">
              {`${padAmount(amount)} ${draft.currency}`}
            </li>
          ))}
        </ul>
      </Card>
    </form>
  );
}

function problemOf(amount = ''): string | null {
  return amount === '' || isAmount(amount) ? null : 'Enter an amount like 5.';
}

const amountsOf = ({ amounts }: Draft) => [...new Set(amounts.filter(isAmount))];

/** Where and in what the page is paid goes along only where it was changed here: another tab may have changed it meanwhile. */
function changeOf(draft: Draft, page: OwnHandlePage): PageChange {
  const { chain, currency } = draft;
  return {
    ...{ line: draft.line.trim() || null, suggested_amounts: amountsOf(draft) },
    ...((chain !== page.chain || currency !== page.currency) && { chain, currency }),
    ...{ show_messages: draft.showMessages, show_amounts: draft.showAmounts },
  };
}

function Check({
  label,
  hint,
  isOn,
  disabled = false,
  onChange,
}: {
  label: string;
  hint?: string;
  isOn: boolean;
  disabled?: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <label className={`flex items-start gap-3 ${disabled ? 'opacity-60' : ''}`}>
      <input
        type="checkbox"
        checked={isOn}
        disabled={disabled}
        onChange={({ target }) => onChange(target.checked)}
        className="mt-0.5 size-5 shrink-0 accent-accent"
      />
      <span className="flex flex-col text-sm">
        {label}
        {hint && <span className="text-muted">{hint}</span>}
      </span>
    </label>
  );
}

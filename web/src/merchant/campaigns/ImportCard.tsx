// Adding grants: from a file, checked and shown before anything is queued, or one by one.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import { type GrantRow, grantCalls, readGrantsFile } from '../../../../src/domain/grantsFile.ts';
import { addAmounts, isAmount, padAmount } from '../../app/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Field } from '../../ui/Field.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { AmountField } from '../business/newThing.tsx';
import { addGrants, type CampaignView, refreshCampaign } from './campaignsApi.ts';
import { peopleWords } from './campaignWords.ts';

/** Rows of one call, and the bytes that a call to the pages' service may have. */
const ROWS = 250;
const BYTES = 50_000;
const SHOWN = 8;

type Problem = { line: number; message: string };
type Checked = { name: string; good: GrantRow[]; existing: number; bad: Problem[] };

export function ImportCard({ campaign }: { campaign: CampaignView }) {
  const client = useQueryClient();
  const [checked, setChecked] = useState<Checked | null>(null);
  const [done, setDone] = useState(0);
  const [total, setTotal] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const send = async (rows: readonly GrantRow[], check: boolean) => {
    const bad: Problem[] = [];
    const good: GrantRow[] = [];
    let known = 0;
    setDone(0);
    setTotal(rows.length);
    for (const call of grantCalls(rows, ROWS, BYTES)) {
      const { existing, rejected } = await addGrants(
        campaign.id,
        call.map(({ line: _, ...grant }) => grant),
        check,
      );
      known += existing.length;
      const there = new Set(existing);
      const wrong = new Map(rejected.map(({ index, message }) => [index, message]));
      for (const [index, row] of call.entries()) {
        const message = wrong.get(index);
        if (message !== undefined) bad.push({ line: row.line, message });
        else if (!there.has(row.key)) good.push(row);
      }
      setDone((count) => count + call.length);
    }
    return { good, existing: known, bad };
  };
  const check = useMutation({
    mutationFn: async (file: File): Promise<Checked> => {
      const { rows, problems } = readGrantsFile(await file.text());
      const { good, existing, bad } = await send(rows, true);
      return {
        name: file.name,
        good,
        existing,
        bad: [...problems, ...bad].sort((one, other) => one.line - other.line),
      };
    },
    onSuccess: setChecked,
  });
  const queue = useMutation({
    mutationFn: ({ good }: Checked) => send(good, false),
    onSuccess: async ({ bad }, { name }) => {
      setChecked(bad.length > 0 ? { name, good: [], existing: 0, bad } : null);
      await refreshCampaign(client, campaign.id);
    },
  });
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? [];
    event.target.value = '';
    setChecked(null);
    if (file) check.mutate(file);
  };
  const isBusy = check.isPending || queue.isPending;
  return (
    <Card title="Add grants">
      <p className="text-sm text-muted">
        A CSV file with the columns <code>recipient</code>, <code>amount</code>, and optionally <code>key</code> and{' '}
        <code>note</code>. Recipients: <code>@handle</code>, <code>telegram:id:42</code>, <code>discord:name</code> or
        an address. Without keys, each recipient is paid once.
      </p>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv,text/plain"
        aria-label="CSV file"
        className="sr-only"
        onChange={choose}
      />
      {!checked && !isBusy && (
        <Button className="self-start" onClick={() => input.current?.click()}>
          <FileUp aria-hidden="true" className="size-4" />
          Choose a file
        </Button>
      )}
      {isBusy && (
        <Meter
          label={check.isPending ? 'Checking' : 'Queuing'}
          used={done.toLocaleString()}
          of={`${total.toLocaleString()} rows`}
          share={total === 0 ? 0 : done / total}
          isGoal
        />
      )}
      {check.isError && <ErrorNote>{check.error.message}</ErrorNote>}
      {queue.isError && <ErrorNote retry={() => checked && queue.mutate(checked)}>{queue.error.message}</ErrorNote>}
      {checked && !isBusy && (
        <Preview
          {...checked}
          onQueue={() => queue.mutate(checked)}
          onDrop={() => {
            setChecked(null);
            check.reset();
          }}
        />
      )}
      {!checked && !isBusy && <OneGrant campaign={campaign} />}
    </Card>
  );
}

function Preview({
  name,
  good,
  existing,
  bad,
  onQueue,
  onDrop,
}: Checked & { onQueue: () => void; onDrop: () => void }) {
  const sum = padAmount(addAmounts(good.map(({ amount }) => amount)));
  return (
    <div className="flex flex-col gap-4">
      <p role="status">
        <b className="font-semibold">{name}</b>:{' '}
        {good.length === 0 && existing > 0 ? (
          'nothing to add'
        ) : (
          <>
            {peopleWords(good.length)} of <b className="font-semibold amount">{sum} USDC</b>
          </>
        )}
        {existing > 0 && `, ${existing.toLocaleString()} in the campaign already`}
        {bad.length > 0 && `, and ${bad.length === 1 ? '1 row' : `${bad.length.toLocaleString()} rows`} with problems`}.
      </p>
      {good.length > 0 && (
        <ol aria-label="First rows" className="flex flex-col text-sm">
          {good.slice(0, SHOWN).map((row) => (
            <li
              key={row.line}
              className="flex min-h-8 items-center justify-between gap-4 border-line not-first:border-t"
            >
              <span className="min-w-0 truncate">{row.recipient}</span>
              <span className="shrink-0 tabular-nums">{padAmount(row.amount)} USDC</span>
            </li>
          ))}
          {good.length > SHOWN && (
            <li className="flex min-h-8 items-center border-t border-line text-muted">
              and {(good.length - SHOWN).toLocaleString()} more
            </li>
          )}
        </ol>
      )}
      {bad.length > 0 && (
        <details open={good.length === 0} className="rounded-lg bg-brick-soft px-4 py-2 text-sm text-brick">
          <summary className="cursor-pointer">Rows that are left out</summary>
          <ol className="mt-2 flex max-h-60 flex-col gap-1 overflow-y-auto">
            {bad.map(({ line, message }) => (
              <li key={`${line} ${message}`}>
                Line {line}: {message}
              </li>
            ))}
          </ol>
        </details>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {good.length > 0 && (
          <Button kind="filled" className="min-h-12! max-sm:w-full" onClick={onQueue}>
            Queue {peopleWords(good.length)}
          </Button>
        )}
        <Button kind="plain" onClick={onDrop}>
          {good.length > 0 ? 'Cancel' : 'Choose another file'}
        </Button>
      </div>
    </div>
  );
}

/** The same person may be paid again; a second try of the same form is the same grant. */
const newKey = () => `page_${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`;

function OneGrant({ campaign }: { campaign: CampaignView }) {
  const client = useQueryClient();
  const [key, setKey] = useState(newKey);
  const [recipient, setRecipient] = useState('');
  const [amount, setAmount] = useState('');
  const add = useMutation({
    mutationFn: async () => {
      const to = recipient.trim();
      const { rejected } = await addGrants(campaign.id, [{ key, recipient: to, amount, note: null }], false);
      const [problem] = rejected;
      if (problem) throw new Error(problem.message);
      return `${padAmount(amount)} USDC for ${to}: queued.`;
    },
    onSuccess: async () => {
      setKey(newKey());
      setRecipient('');
      setAmount('');
      await refreshCampaign(client, campaign.id);
    },
  });
  const isReady = recipient.trim() !== '' && isAmount(amount);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !add.isPending) add.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3 border-t border-line pt-4">
      <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_9rem]">
        <Field
          label="Or one recipient"
          name="recipient"
          placeholder="@alice"
          maxLength={120}
          value={recipient}
          onChange={({ target }) => setRecipient(target.value)}
        />
        <AmountField label="Amount" name="amount" placeholder="5.00" value={amount} onValue={setAmount} />
      </div>
      {add.isError && <ErrorNote>{add.error.message}</ErrorNote>}
      <p role="status" className="text-sm text-muted empty:hidden">
        {add.data}
      </p>
      <Button type="submit" className="self-start" disabled={!isReady || add.isPending}>
        {add.isPending ? 'Adding…' : 'Add grant'}
      </Button>
    </form>
  );
}

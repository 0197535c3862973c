// A new plan: what it is, what it takes and how often, with its page beside the form; then the wallet creates it on the chain.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { familyOf } from '../../../../src/domain/walletFamily.ts';
import { isAmount, padAmount, shortHex } from '../../app/format.ts';
import { navigate, useSearch } from '../../app/router.tsx';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { spanWords } from '../../app/spans.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Card } from '../../ui/Card.tsx';
import { Figure } from '../../ui/Facts.tsx';
import { Field, SelectField } from '../../ui/Field.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { AmountField, type Ground, isPaidOn, NetworkField, SubmitRow, WithNetworks } from '../business/newThing.tsx';
import type { Workspace } from '../business/workspaceApi.ts';
import { createPlan, type NewPlan, notePlan, type PlanView, usePlan } from './plansApi.ts';
import { PERIODS, shares } from './planWords.ts';
import { solanaProblem, useSolanaSubs } from './solanaSubs.ts';
import { PictureField, ReturnField, urlProblem } from './urlFields.tsx';

export function NewPlanPage() {
  return (
    <BusinessShell door="plans" title="New plan">
      {(account) => <Prepared account={account} />}
    </BusinessShell>
  );
}

function Prepared({ account }: { account: OwnAccount }) {
  const search = useSearch();
  const replaces = search.get('replaces');
  return replaces === null ? (
    <Fresh account={account} old={null} wish={search} />
  ) : (
    <Replacing account={account} id={replaces} />
  );
}

function Replacing({ account, id }: { account: OwnAccount; id: string }) {
  const { data, error, refetch } = usePlan(id);
  if (error && !data) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  if (!data) return <Skeleton className="h-96 max-w-140" />;
  return <Fresh account={account} old={data.plan} wish={NO_WISH} />;
}

const NO_WISH = new URLSearchParams();

function Fresh({ account, old, wish }: { account: OwnAccount; old: PlanView | null; wish: URLSearchParams }) {
  return (
    <WithNetworks
      account={account}
      only={(chain) => (old ? chain.chain === old.chain : chain.family === 'solana' || isPaidOn(chain))}
    >
      {(ground) => <PlanForm {...ground} solanaWallet={account.wallets.solana} old={old} given={wish} />}
    </WithNetworks>
  );
}

const MOST = { name: 80, description: 500 };
const TRIALS = [0, 3, 7, 14, 30, 90];

type Draft = {
  name: string;
  description: string;
  amount: string;
  period: number;
  chain: string;
  trial: number;
  image: string;
  back: string;
};

function PlanForm({
  workspace,
  chains,
  preferred,
  solanaWallet,
  old,
  given,
}: Ground & {
  solanaWallet: string | null;
  old: PlanView | null;
  /** What a chat filled in. */
  given: URLSearchParams;
}) {
  const client = useQueryClient();
  const { data: subs } = useSolanaSubs();
  const problem = solanaProblem(subs, solanaWallet);
  const shown = problem === null || chains.some(isSolana) ? chains : [...chains, SOLANA];
  const closed: Record<string, string> = problem === null ? {} : { solana: problem };
  const first = problem === null || !isSolana(preferred) ? preferred : chains.find((one) => !isSolana(one));
  const [draft, setDraft] = useState<Draft>({
    name: old?.name ?? given.get('name')?.slice(0, MOST.name) ?? '',
    description: old?.description ?? '',
    amount: isAmount(given.get('amount') ?? '') ? (given.get('amount') ?? '') : '',
    period: old?.period ?? periodNamed(given.get('period')),
    chain: (first ?? preferred).chain,
    trial: 0,
    image: old?.image_url ?? '',
    back: old?.return_url ?? '',
  });
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const chain = chains.find((one) => one.chain === draft.chain) ?? preferred;
  const hasTrials = chain.family === 'evm';
  const wish =
    chain.chain in closed ? null : wishOf({ ...draft, chain: chain.chain, trial: hasTrials ? draft.trial : 0 }, old);
  const create = useMutation({
    mutationFn: createPlan,
    onSuccess: (staged) => {
      notePlan(client, staged);
      navigate(`/plans/${staged.plan.id}`, { replace: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wish && !create.isPending) create.mutate(wish);
  };
  const periods = PERIODS.some(([length]) => length === draft.period)
    ? PERIODS
    : [...PERIODS, [draft.period, spanWords(draft.period, 'en')] as const];
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,35rem)_minmax(0,1fr)]">
      <form onSubmit={submit} className="flex w-full flex-col">
        <Card title={old ? `New price for ${old.name}` : 'Plan details'}>
          {old && (
            <p className="text-sm text-muted">
              A price never changes on the chain, so this creates a new plan. Subscribers of the old one keep their
              price until they switch.
            </p>
          )}
          <Field
            label="Name"
            name="name"
            maxLength={MOST.name}
            placeholder="Supporters"
            value={draft.name}
            onChange={(event) => set({ name: event.target.value })}
          />
          <Field
            label="Description (optional)"
            name="description"
            maxLength={MOST.description}
            placeholder="What subscribers get"
            value={draft.description}
            onChange={(event) => set({ description: event.target.value })}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <AmountField
              label="Price"
              name="amount"
              placeholder="5.00"
              value={draft.amount}
              onValue={(amount) => set({ amount })}
            />
            <SelectField
              label="Charged"
              value={String(draft.period)}
              onChange={(event) => set({ period: Number(event.target.value) })}
            >
              {periods.map(([length, label]) => (
                <option key={length} value={length}>
                  {label}
                </option>
              ))}
            </SelectField>
            <NetworkField
              chains={shown}
              closed={closed}
              value={chain.chain}
              onValue={(value) => set({ chain: value })}
            />
            {hasTrials ? (
              <SelectField
                label="Free trial"
                value={String(draft.trial)}
                onChange={(event) => set({ trial: Number(event.target.value) })}
              >
                {TRIALS.map((days) => (
                  <option key={days} value={days}>
                    {days === 0 ? 'None' : `${days} days`}
                  </option>
                ))}
              </SelectField>
            ) : (
              <p className="self-end pb-2 text-sm text-muted">
                No free trials on {chain.label}: a signature there is good for about a minute, so it can’t be kept until
                a trial ends.
              </p>
            )}
          </div>
          {problem !== null && (
            <p role="status" className="text-sm text-muted">
              Solana can’t be chosen: {problem}
            </p>
          )}
          <PictureField value={draft.image} onValue={(image) => set({ image })} />
          <ReturnField value={draft.back} onValue={(back) => set({ back })} />
          <PayoutWords
            to={(hasTrials ? workspace.payout_address : solanaPayout(workspace, solanaWallet)) ?? ''}
            isSent={!hasTrials}
            amount={draft.amount}
          />
          <SubmitRow
            task={create}
            isReady={Boolean(wish)}
            button="Continue"
            busy="One moment…"
            back={old ? `/plans/${old.id}` : '/plans'}
          />
        </Card>
      </form>
      <Preview
        draft={{ ...draft, trial: hasTrials ? draft.trial : 0 }}
        handle={workspace.handle}
        network={chain.label}
      />
    </div>
  );
}

const SOLANA = { chain: 'solana', label: 'Solana' };
const isSolana = ({ chain }: { chain: string }) => chain === SOLANA.chain;

/** Where charges on Solana go: what the business named, or its own wallet. */
function solanaPayout({ business_address: named }: Workspace, wallet: string | null): string | null {
  return named !== null && familyOf(named) === 'solana' ? named : wallet;
}

/** @param isSent Ampersat sends the creation, and pays for it */
function PayoutWords({ to: address, isSent, amount }: { to: string; isSent: boolean; amount: string }) {
  const known = isAmount(amount) ? shares(amount) : null;
  const to = shortHex(address);
  return (
    <p className="text-sm text-muted">
      {known ? (
        <>
          You get <b className="font-semibold text-ink amount">{padAmount(known.youGet)} USDC</b> of each charge in {to}
          , after a fee of {padAmount(known.fee)} USDC (1%).
        </>
      ) : (
        `You get each charge less a fee of 1% in ${to}.`
      )}{' '}
      {isSent
        ? 'Your wallet signs the plan’s creation, which Ampersat sends. Creating and charging cost you nothing.'
        : 'Your wallet creates the plan and pays a small network fee once. Charging costs you nothing.'}
    </p>
  );
}

/** As subscribers see it. */
function Preview({ draft, handle, network }: { draft: Draft; handle: string; network: string }) {
  return (
    <section
      aria-label="Preview"
      className="flex flex-col items-center gap-4 rounded-2xl border border-dashed border-edge bg-paper p-6 text-center"
    >
      <p className="text-sm text-muted">Preview</p>
      <Avatar name={handle} size="large" />
      <p className="text-muted">
        Subscribe to <b className="font-semibold break-words text-ink">{draft.name.trim() || 'your plan'}</b>
      </p>
      <Figure amount={isAmount(draft.amount) ? draft.amount : '0'} currency="USDC" />
      <p className="text-muted">every {spanWords(draft.period, 'en').replace(/^1 /, '')}</p>
      {draft.description && <p className="max-w-80 break-words">{draft.description}</p>}
      <p className="text-sm text-muted">
        by @{handle} on {network}
        {draft.trial > 0 && `, free for ${draft.trial} days`}
      </p>
    </section>
  );
}

function periodNamed(text: string | null): number {
  return PERIODS.find(([length]) => String(length) === text)?.[0] ?? 30 * 86_400;
}

/** What goes to the service; null while the form is not filled in. */
function wishOf(draft: Draft, old: PlanView | null): NewPlan | null {
  const { amount, period, chain, trial, image, back } = draft;
  const name = draft.name.trim();
  if (name === '' || !isAmount(amount) || urlProblem(image) || urlProblem(back)) return null;
  return {
    name,
    description: draft.description.trim(),
    amount,
    chain,
    period,
    trial_days: trial,
    image_url: image || null,
    return_url: back || null,
    ...(old && { replaces: old.id }),
  };
}

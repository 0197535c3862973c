// One plan: created by the wallet, then its figures, its ways to be shared, its subscribers, and what can still be changed.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { chainLabel } from '../../../../src/domain/chains.ts';
import { padAmount } from '../../app/format.ts';
import { Link, usePath } from '../../app/router.tsx';
import { Allowed } from '../../app/team/Allowed.tsx';
import { ManageStep } from '../../person/subscriptions/ManageStep.tsx';
import { priceWords } from '../../person/subscriptions/words.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CopyField } from '../../ui/CopyField.tsx';
import { Field } from '../../ui/Field.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { Loaded } from '../business/Loaded.tsx';
import { ShareSheet } from '../business/ShareSheet.tsx';
import { useModeOf } from '../business/workspaceApi.ts';
import { WalletStep } from '../orders/WalletStep.tsx';
import { embedOf } from './embed.ts';
import { FiguresCard } from './FiguresCard.tsx';
import {
  callOf,
  confirmCreated,
  fetchPlan,
  notePlan,
  type PlanDetail,
  type PlanView,
  refreshPlan,
  type StagedPlan,
  updatePlan,
  usePlan,
} from './plansApi.ts';
import { STATUSES } from './planWords.ts';
import { Subscribers } from './Subscribers.tsx';
import { PictureField, ReturnField, urlProblem } from './urlFields.tsx';

export function PlanPage() {
  return <BusinessShell title={<span className="print:hidden">Plan</span>}>{() => <OnePlan />}</BusinessShell>;
}

function OnePlan() {
  const id = decodeURIComponent(usePath().split('/')[2] ?? '');
  return (
    <Loaded query={usePlan(id)} thing={['plan', 'plans']} all="/plans">
      {(detail) => <Found detail={detail} />}
    </Loaded>
  );
}

function Found({ detail }: { detail: PlanDetail }) {
  const { plan } = detail;
  useModeOf(plan);
  const { tone, word } = STATUSES[plan.status];
  return (
    <>
      <header className="flex flex-col items-start gap-2 print:hidden">
        <h2 className="text-2xl font-semibold tracking-tight text-balance break-words">{plan.name}</h2>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Pill tone={tone}>{word}</Pill>
          <span className="amount">{priceWords(plan)}</span>
          <span className="text-sm text-muted">
            on {chainLabel(plan.chain)}
            {!plan.livemode && ' (test)'}, you get {padAmount(plan.you_get)} USDC of each charge, created{' '}
            <TimeAgo at={plan.created_at} />
          </span>
        </p>
        {plan.description && <p className="max-w-160 break-words whitespace-pre-line text-muted">{plan.description}</p>}
      </header>
      {'transaction' in detail ? (
        <Allowed door="plans">
          <CreateBox staged={detail} />
        </Allowed>
      ) : (
        <Standing plan={plan} />
      )}
    </>
  );
}

function CreateBox({ staged }: { staged: StagedPlan }) {
  const client = useQueryClient();
  const { plan, transaction } = staged;
  if (transaction === null) return <SignedCreate plan={plan} />;
  return (
    <div className="max-w-140">
      <Card title="Create it on the chain">
        <WalletStep
          kind="filled"
          button="Create plan"
          payee={plan.creator}
          why="to which charges are paid"
          chainLabel={chainLabel(plan.chain)}
          allows="Your wallet sends one transaction that fixes price and period, and pays the network fee. The page of the plan opens once it is confirmed. A plan that isn’t created within a day is dropped."
          prepare={async () => callOf(staged, transaction)}
          check={(txHash) => confirmCreated(plan, txHash)}
          onDone={() => void refreshPlan(client, plan.id)}
        />
      </Card>
    </div>
  );
}

/** Where an executor sends what the wallet signs. */
function SignedCreate({ plan }: { plan: PlanView }) {
  const client = useQueryClient();
  return (
    <div className="max-w-140">
      <Card title="Create it on the chain">
        <ManageStep
          job={{ action: 'create', planId: plan.id }}
          chain={plan.chain}
          kind="filled"
          button="Create plan"
          address={plan.creator}
          why="to which charges are paid"
          allows="Your wallet signs one transaction that fixes price and period; Ampersat sends it and pays the network fee. The page of the plan opens once it is confirmed. A plan that isn’t created within a day is dropped."
          isDone={async () => (await fetchPlan(plan.id)).plan.status !== 'pending_create'}
          onDone={() => void refreshPlan(client, plan.id)}
        />
      </Card>
    </div>
  );
}

function Standing({ plan }: { plan: PlanView }) {
  return (
    <>
      <div className="print:hidden">
        <FiguresCard planId={plan.id} />
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          {plan.status === 'active' && (
            <ShareSheet id={plan.id} url={plan.url} title={plan.name} price={priceWords(plan)} label="Plan’s page">
              <CopyField label="Button for your site (HTML)" value={embedOf(plan)} />
            </ShareSheet>
          )}
          <Allowed door="plans">
            <Texts key={plan.id} plan={plan} />
            <Change plan={plan} />
          </Allowed>
        </div>
        <Subscribers planId={plan.id} />
      </div>
    </>
  );
}

function Texts({ plan }: { plan: PlanView }) {
  const client = useQueryClient();
  const [name, setName] = useState(plan.name);
  const [description, setDescription] = useState(plan.description);
  const [image, setImage] = useState(plan.image_url ?? '');
  const [back, setBack] = useState(plan.return_url ?? '');
  const save = useMutation({
    mutationFn: () =>
      updatePlan(plan.id, {
        name: name.trim(),
        description: description.trim(),
        image_url: image || null,
        return_url: back || null,
      }),
    onSuccess: (next) => notePlan(client, { plan: next }),
  });
  const isChanged =
    name.trim() !== plan.name ||
    description.trim() !== plan.description ||
    image !== (plan.image_url ?? '') ||
    back !== (plan.return_url ?? '');
  const isReady = isChanged && name.trim() !== '' && !urlProblem(image) && !urlProblem(back);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) save.mutate();
  };
  return (
    <form onSubmit={submit} className="print:hidden">
      <Card title="Texts and links">
        <Field label="Name" maxLength={80} value={name} onChange={({ target }) => setName(target.value)} />
        <Field
          label="Description"
          maxLength={500}
          value={description}
          onChange={({ target }) => setDescription(target.value)}
        />
        <PictureField value={image} onValue={setImage} />
        <ReturnField value={back} onValue={setBack} />
        {save.isError && <ErrorNote>{save.error.message}</ErrorNote>}
        <Button type="submit" className="self-start" disabled={!isReady || save.isPending}>
          {save.isPending ? 'Saving…' : 'Save'}
        </Button>
      </Card>
    </form>
  );
}

/** Price and period never change: a new plan takes its place. */
function Change({ plan }: { plan: PlanView }) {
  const client = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const isActive = plan.status === 'active';
  const action = isActive ? 'deactivate' : 'reactivate';
  const wanted = isActive ? 'inactive' : 'active';
  return (
    <div className="print:hidden">
      <Card title={isActive ? 'New price, or an end' : 'This plan is inactive'}>
        <p className="text-sm text-muted">
          {isActive
            ? 'Price and period never change. A new price is a new plan, to which subscribers can switch. While a plan is inactive, no one can subscribe or is charged.'
            : 'No one can subscribe or is charged. Its subscriptions go on when it comes back, or lapse after three periods.'}
        </p>
        {plan.replaced_by && (
          <p className="text-sm">
            Replaced by{' '}
            <Link href={`/plans/${plan.replaced_by}`} className="text-accent underline-offset-4 hover:underline">
              a newer plan
            </Link>
            .
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          {!plan.replaced_by && <ButtonLink href={`/plans/new?replaces=${plan.id}`}>New price</ButtonLink>}
          <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isActive ? 'Deactivate…' : 'Reactivate…'}
          </Button>
        </div>
        {isOpen && (
          <ManageStep
            job={{ action, planId: plan.id }}
            chain={plan.chain}
            address={plan.creator}
            why="which created the plan"
            kind={isActive ? 'danger' : 'filled'}
            button={isActive ? 'Deactivate' : 'Reactivate'}
            allows="Your wallet signs; Ampersat pays the network fee."
            isDone={async () => (await fetchPlan(plan.id)).plan.status === wanted}
            onDone={() => {
              setIsOpen(false);
              void refreshPlan(client, plan.id);
            }}
            onCancel={() => setIsOpen(false)}
          />
        )}
      </Card>
    </div>
  );
}

// A new campaign: its budget, the most of one grant, and its end; then the wallet opens it on the chain.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { readClockOffset } from '../../app/api.ts';
import { compareAmounts, isAmount, shortHex } from '../../app/format.ts';
import { navigate } from '../../app/router.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Field, SelectField } from '../../ui/Field.tsx';
import { EmptyNote } from '../../ui/notices.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import {
  AmountField,
  amountProblem,
  type Ground,
  isPaidOn,
  NetworkField,
  SubmitRow,
  WithNetworks,
} from '../business/newThing.tsx';
import type { WorkspaceChain } from '../business/workspaceApi.ts';
import { createCampaign, type NewCampaign, noteCampaign } from './campaignsApi.ts';

export function NewCampaignPage() {
  return (
    <BusinessShell door="campaigns" title="New campaign">
      {(account) => (
        <WithNetworks account={account} only={isPaidOn}>
          {(ground) => (ground.workspace.kind === 'business' ? <CampaignForm {...ground} /> : <NotBusiness />)}
        </WithNetworks>
      )}
    </BusinessShell>
  );
}

function NotBusiness() {
  return (
    <EmptyNote title="Campaigns are for businesses">
      <p className="mb-4">Change the kind of your workspace to business first. That takes one signature.</p>
      <ButtonLink href="/workspace">Open workspace</ButtonLink>
    </EmptyNote>
  );
}

const DAY_MS = 86_400_000;
const LASTS: readonly (readonly [days: number, label: string])[] = [
  [7, '7 days'],
  [30, '30 days'],
  [90, '90 days'],
  [365, '1 year'],
];
type Draft = { name: string; budget: string; most: string; chain: string; days: number; places: string };
const MOST_PLACES = 65_536;

function CampaignForm({ chains, preferred }: Ground) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<Draft>({
    name: '',
    budget: '',
    most: '',
    chain: preferred.chain,
    days: 30,
    places: '',
  });
  const chain = chains.find((one) => one.chain === draft.chain) ?? preferred;
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const wish = wishOf({ ...draft, chain: chain.chain }, chain);
  const create = useMutation({
    mutationFn: createCampaign,
    onSuccess: (campaign) => {
      noteCampaign(client, campaign);
      navigate(`/campaigns/${campaign.id}`, { replace: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wish && !create.isPending) create.mutate(wish);
  };
  return (
    <form onSubmit={submit} className="flex w-full max-w-140 flex-col">
      <Card title="Campaign details">
        <Field
          label="Name"
          name="name"
          maxLength={80}
          placeholder="Spring rewards"
          hint="Recipients see it."
          value={draft.name}
          onChange={(event) => set({ name: event.target.value })}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <AmountField
            label="Budget"
            name="budget"
            placeholder="500.00"
            value={draft.budget}
            onValue={(budget) => set({ budget })}
          />
          <AmountField
            label="Most per grant (optional)"
            name="most"
            placeholder="20.00"
            value={draft.most}
            error={amountProblem(draft.most) ?? tooMuch(draft)}
            onValue={(most) => set({ most })}
          />
          <NetworkField chains={chains} value={chain.chain} onValue={(value) => set({ chain: value })} />
          <SelectField
            label="Ends after"
            value={String(draft.days)}
            onChange={(event) => set({ days: Number(event.target.value) })}
          >
            {LASTS.map(([days, label]) => (
              <option key={days} value={days}>
                {label}
              </option>
            ))}
          </SelectField>
          {chain.grant_places !== null && (
            <Field
              label="Most grants"
              name="places"
              inputMode="numeric"
              maxLength={6}
              placeholder={String(chain.grant_places)}
              hint="Your wallet pays rent for their places, and gets it back when the campaign is over."
              value={draft.places}
              error={isPlaces(draft.places) ? null : `Enter a number from 1 to ${MOST_PLACES.toLocaleString()}.`}
              onChange={(event) => set({ places: event.target.value.trim() })}
            />
          )}
        </div>
        <p className="text-sm text-muted">
          The money stays in {shortHex(chain.payout ?? '')} until a grant is paid. Your wallet allows the budget and
          opens the campaign; Ampersat pays the network fees of the grants. There is no other fee.
        </p>
        <SubmitRow task={create} isReady={Boolean(wish)} button="Continue" busy="One moment…" back="/campaigns" />
      </Card>
    </form>
  );
}

function tooMuch({ budget, most }: Draft): string | null {
  const isAbove = isAmount(budget) && isAmount(most) && compareAmounts(most, budget) > 0;
  return isAbove ? 'Can’t be above the budget.' : null;
}

function isPlaces(text: string): boolean {
  return text === '' || (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_PLACES);
}

/** What goes to the service; null while the form is not filled in. */
function wishOf(draft: Draft, { grant_places: usual }: WorkspaceChain): NewCampaign | null {
  const { budget, most, chain, days } = draft;
  const name = draft.name.trim();
  if (name === '' || !isAmount(budget) || amountProblem(most) || tooMuch(draft)) return null;
  if (usual !== null && !isPlaces(draft.places)) return null;
  const recipients = usual === null || draft.places === '' ? {} : { recipients: Number(draft.places) };
  const expires_at = new Date(Date.now() + readClockOffset() + days * DAY_MS).toISOString();
  return { name, chain, budget, expires_at, ...(most === '' ? {} : { most_per_grant: most }), ...recipients };
}

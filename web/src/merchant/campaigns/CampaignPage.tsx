// One campaign: opened by the wallet, then its progress, its grants, and its end.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { chainLabel } from '../../../../src/domain/chains.ts';
import { familyOf } from '../../../../src/domain/walletFamily.ts';
import { dayName, padAmount, shareOf } from '../../app/format.ts';
import { usePath } from '../../app/router.tsx';
import { Allowed } from '../../app/team/Allowed.tsx';
import { useCan } from '../../app/team/teamsApi.ts';
import { ConfirmButton } from '../../person/settings/ConfirmButton.tsx';
import { SignStep } from '../../person/spending/SignStep.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { useWallets } from '../../wallet/wallets.ts';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { FigureTerm } from '../business/figures.tsx';
import { Loaded } from '../business/Loaded.tsx';
import { useModeOf } from '../business/workspaceApi.ts';
import { WalletStep } from '../orders/WalletStep.tsx';
import {
  actOnCampaign,
  type CampaignView,
  confirmSent,
  noteCampaign,
  openBySignature,
  openingOf,
  refreshCampaign,
  takeBackBySignature,
  useCampaign,
  useTakeBack,
} from './campaignsApi.ts';
import { peopleWords, STATUSES } from './campaignWords.ts';
import { Grants } from './Grants.tsx';
import { ImportCard } from './ImportCard.tsx';

export function CampaignPage() {
  return <BusinessShell title="Campaign">{() => <OneCampaign />}</BusinessShell>;
}

function OneCampaign() {
  const id = decodeURIComponent(usePath().split('/')[2] ?? '');
  return (
    <Loaded query={useCampaign(id)} thing={['campaign', 'campaigns']} all="/campaigns">
      {(campaign) => <Standing campaign={campaign} />}
    </Loaded>
  );
}

function Standing({ campaign }: { campaign: CampaignView }) {
  useModeOf(campaign);
  const { tone, word } = STATUSES[campaign.status];
  const isOver = campaign.status === 'expired' || campaign.status === 'closed';
  // What the wallets' answer makes of the first card would push the others down.
  const wallets = useWallets();
  if (campaign.status === 'pending_create' && wallets === null) return <Skeleton className="h-96" />;
  return (
    <>
      <header className="flex flex-col items-start gap-2">
        <h2 className="text-2xl font-semibold tracking-tight text-balance break-words">{campaign.name}</h2>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Pill tone={tone}>{word}</Pill>
          <span className="text-sm text-muted">
            on {chainLabel(campaign.chain)}
            {!campaign.livemode && ' (test)'}, at most {padAmount(campaign.most_per_grant)} USDC a grant,{' '}
            {isOver ? 'ended' : 'until'} {dayName(Date.parse(campaign.closed_at ?? campaign.expires_at))}
          </span>
        </p>
      </header>
      {campaign.problem && (
        <p role="alert" className="rounded-lg bg-amber-soft px-4 py-3 text-sm text-amber">
          {campaign.problem.message} Grants wait until that changes.
        </p>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          {campaign.status === 'pending_create' && (
            <Allowed quiet door="campaigns">
              <OpenBox campaign={campaign} />
            </Allowed>
          )}
          <Progress campaign={campaign} />
          <Allowed door="campaigns">
            {!isOver && <ImportCard campaign={campaign} />}
            {isOver ? (
              <TakeBack campaign={campaign} />
            ) : (
              campaign.status === 'active' && <CloseBox campaign={campaign} />
            )}
          </Allowed>
        </div>
        <Grants campaign={campaign} />
      </div>
    </>
  );
}

function OpenBox({ campaign }: { campaign: CampaignView }) {
  const client = useQueryClient();
  if (familyOf(campaign.sponsor) === 'solana')
    return (
      <Card title="Open it on the chain">
        <SignStep
          signer={{ family: 'solana', address: campaign.sponsor }}
          chainLabel={chainLabel(campaign.chain)}
          job={{ kind: 'own', run: (signer, onStage) => openBySignature(signer, onStage, campaign) }}
          allows={`Your wallet signs one transaction: it allows ${padAmount(campaign.budget)} USDC on top of what it allows now, opens the campaign and pays the rent of its account, which comes back when the campaign is over. Ampersat sends it and pays the network fee.`}
          button="Open campaign"
          onDone={() => void refreshCampaign(client, campaign.id)}
        />
      </Card>
    );
  return (
    <Card title="Open it on the chain">
      <WalletStep
        kind="filled"
        button="Open campaign"
        payee={campaign.sponsor}
        why="which pays the grants"
        chainLabel={chainLabel(campaign.chain)}
        allows={`Your wallet allows ${padAmount(campaign.budget)} USDC and opens the campaign: two transactions, of which it pays the network fees. Grants are paid from then on.`}
        prepare={() => openingOf(campaign)}
        check={async (txHash) => (await confirmSent(campaign.id, txHash)).status === 'active'}
        onDone={() => void refreshCampaign(client, campaign.id)}
      />
    </Card>
  );
}

function Progress({ campaign }: { campaign: CampaignView }) {
  const client = useQueryClient();
  const mayAct = useCan('campaigns');
  const { grants, spent, budget, left } = campaign;
  const act = useMutation({
    mutationFn: (action: 'retry' | 'cancel') => actOnCampaign(campaign.id, action),
    onSuccess: (next) => {
      noteCampaign(client, next);
      void refreshCampaign(client, campaign.id);
    },
  });
  const wanted = grants.total - grants.cancelled;
  const open = grants.queued;
  return (
    <Card title="Progress">
      <Meter
        label="Grants paid"
        used={grants.paid.toLocaleString()}
        of={wanted.toLocaleString()}
        share={wanted === 0 ? 0 : grants.paid / wanted}
        isGoal
      />
      <Meter
        label="Spent"
        used={padAmount(spent)}
        of={`${padAmount(budget)} USDC`}
        share={shareOf(spent, budget)}
        isGoal
      />
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3">
        <FigureTerm name="Left" value={padAmount(left)} hint="USDC, for more grants" />
        <FigureTerm
          name={campaign.problem ? 'Held back' : 'On their way'}
          value={(grants.queued - grants.waiting + grants.sent).toLocaleString()}
        />
        <FigureTerm name="Waiting" value={grants.waiting.toLocaleString()} hint="have no account yet" />
        <FigureTerm name="Paid" value={grants.paid.toLocaleString()} />
        <FigureTerm name="Failed" value={grants.failed.toLocaleString()} />
        <FigureTerm name="Cancelled" value={grants.cancelled.toLocaleString()} />
      </dl>
      {act.isError && <ErrorNote>{act.error.message}</ErrorNote>}
      {mayAct && (open > 0 || (grants.failed > 0 && campaign.status === 'active')) && (
        <div className="flex flex-wrap gap-2">
          {grants.failed > 0 && campaign.status === 'active' && (
            <Button disabled={act.isPending} onClick={() => act.mutate('retry')}>
              Try failed ones again
            </Button>
          )}
          {open > 0 && (
            <ConfirmButton
              question={`Cancel ${peopleWords(open)}?`}
              yes="Cancel them"
              busy={act.isPending}
              onYes={() => act.mutate('cancel')}
            >
              Cancel queued grants
            </ConfirmButton>
          )}
        </div>
      )}
    </Card>
  );
}

function CloseBox({ campaign }: { campaign: CampaignView }) {
  const client = useQueryClient();
  const close = useMutation({
    mutationFn: () => actOnCampaign(campaign.id, 'close'),
    onSuccess: (next) => noteCampaign(client, next),
  });
  return (
    <Card title="End it early">
      <p className="text-sm text-muted">
        Nothing more is paid once it is closed, and that can’t be undone. Ampersat closes it for you and pays the
        network fee.
      </p>
      {close.isError && <ErrorNote>{close.error.message}</ErrorNote>}
      {campaign.closing ? (
        <p role="status" className="text-sm">
          Closing… This takes a few seconds.
        </p>
      ) : (
        <div>
          <ConfirmButton
            question="Close this campaign permanently?"
            yes="Close it"
            busy={close.isPending}
            onYes={() => close.mutate()}
          >
            Close campaign
          </ConfirmButton>
        </div>
      )}
    </Card>
  );
}

const REST =
  'The campaign can’t pay anything more. What was left of its budget still stands in the allowance of your wallet, which chat tips use, too.';

/** Nothing is locked: what is left of the budget is an allowance. */
function TakeBack({ campaign }: { campaign: CampaignView }) {
  const { data } = useTakeBack(campaign);
  const [isDone, setIsDone] = useState(false);
  if (!data) return null;
  return (
    <Card title="Take the rest back">
      {isDone ? (
        <p role="status" className="text-sm">
          Your allowance is lower by what was left of the budget.
        </p>
      ) : data === 'signed' ? (
        <SignStep
          signer={{ family: 'solana', address: campaign.sponsor }}
          chainLabel={chainLabel(campaign.chain)}
          job={{ kind: 'own', run: (signer, onStage) => takeBackBySignature(signer, onStage, campaign) }}
          allows={`${REST} One signature lowers it by that.`}
          button="Lower the allowance"
          kind="outlined"
          onDone={() => setIsDone(true)}
        />
      ) : (
        <WalletStep
          button="Lower the allowance"
          payee={campaign.sponsor}
          why="which pays the grants"
          chainLabel={chainLabel(campaign.chain)}
          allows={`${REST} One transaction lowers it by that.`}
          prepare={async () => data}
          check={async () => Boolean(await actOnCampaign(campaign.id, 'taken_back'))}
          onDone={() => setIsDone(true)}
        />
      )}
    </Card>
  );
}

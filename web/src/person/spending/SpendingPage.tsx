// What chats may spend: the setup as long as nothing is allowed, then the limits and what was spent of them.

import { useState } from 'react';
import { familyOf } from '../../../../src/domain/walletFamily.ts';
import type { SpendingOverview } from '../../../../src/http/api/spendingAnswers.ts';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { Shell } from '../../app/shell/Shell.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { KeptTipHint } from '../waiting/KeptTipHint.tsx';
import { AllowFlow } from './AllowFlow.tsx';
import { hasAllowance, hasRight } from './allowed.ts';
import { ChainCard } from './ChainCard.tsx';
import { MissingWallets } from './MissingWallets.tsx';
import { PauseButton, PausedCard } from './Pause.tsx';
import { RightsCard } from './RightsCard.tsx';
import { isReachable, useSpending } from './spendingApi.ts';
import { TodayCard } from './TodayCard.tsx';

export function SpendingPage() {
  return <Shell title="Spending">{(account) => <SpendingOf account={account} />}</Shell>;
}

function SpendingOf({ account }: { account: OwnAccount }) {
  const { data, error, refetch } = useSpending();
  // A setup that was started is shown to its end, although the last signature completes it.
  const [isGuided, setIsGuided] = useState(false);
  if (error && !data) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  if (!data) return <Loading />;
  const isReady = hasAllowance(data) && hasRight(data);
  const isPaused = data.paused_at !== null || data.chains.some((chain) => isReachable(chain) && chain.paused);
  return (
    <>
      {error && <ErrorNote retry={() => void refetch()}>{error.message} This may be out of date.</ErrorNote>}
      {!(isReady && isGuided) && <KeptTipHint rightsAt={isReady ? '#chats' : undefined} />}
      {isPaused && <PausedCard spending={data} />}
      {(!isReady || isGuided) && !isPaused && (
        <AllowFlow preferredChain={account.preferred_chain} spending={data} onStart={() => setIsGuided(true)} />
      )}
      {(isReady || hasAnything(data)) && (
        <>
          <TodayCard spending={data} />
          {data.chains.map((chain) => (
            <ChainCard key={chain.chain} chain={chain} />
          ))}
          <div id="chats" className="flex scroll-mt-4 flex-col">
            <RightsCard signer={{ family: familyOf(account.address), address: account.address }} spending={data} />
          </div>
        </>
      )}
      <MissingWallets spending={data} />
      {!isPaused && isReady && <PauseButton />}
    </>
  );
}

function hasAnything(data: SpendingOverview): boolean {
  return hasAllowance(data) || hasRight(data);
}

function Loading() {
  return (
    <output aria-label="Loading" className="flex flex-col gap-6">
      <Skeleton className="h-40" />
      <Skeleton className="h-56" />
      <Skeleton className="h-32" />
    </output>
  );
}

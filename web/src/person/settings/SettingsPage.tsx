// Settings: where the money goes, which chats are connected, in which language and of what they write, and where one is signed in.

import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { Shell } from '../../app/shell/Shell.tsx';
import { TeamCard } from '../../merchant/team/TeamCard.tsx';
import { Skeleton } from '../../ui/notices.tsx';
import { useConnections } from '../connections/connectionsApi.ts';
import { ConnectionsCard } from './ConnectionsCard.tsx';
import { LanguageCard } from './LanguageCard.tsx';
import { NoticesCard } from './NoticesCard.tsx';
import { PageCard } from './PageCard.tsx';
import { PasskeyCard } from './PasskeyCard.tsx';
import { SessionsCard, useSessions } from './SessionsCard.tsx';
import { useSettings } from './settings.ts';
import { WalletCard } from './WalletCard.tsx';
import { useWalletState } from './walletApi.ts';

export function SettingsPage() {
  return <Shell title="Settings">{(account) => <Cards account={account} />}</Shell>;
}

/** All at once: a card that grows would move those below it. */
function Cards({ account }: { account: OwnAccount }) {
  const isLoading = [useWalletState(), useConnections(), useSettings(), useSessions()].some((one) => one.isPending);
  if (isLoading)
    return (
      <output aria-label="Loading" className="flex flex-col gap-6">
        <Skeleton className="h-48" />
        <Skeleton className="h-48" />
        <Skeleton className="h-32" />
      </output>
    );
  return (
    <>
      <WalletCard account={account} family="evm" />
      <PasskeyCard account={account} />
      <WalletCard account={account} family="solana" />
      <PageCard />
      <TeamCard />
      <ConnectionsCard />
      <LanguageCard />
      <NoticesCard />
      <SessionsCard />
    </>
  );
}

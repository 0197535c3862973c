// Settings: where the money goes, which chats are connected, in which language and of what they write, and where one is signed in.
import { Shell } from '../shell/Shell.tsx';
import { ConnectionsCard } from './ConnectionsCard.tsx';
import { LanguageCard } from './LanguageCard.tsx';
import { NoticesCard } from './NoticesCard.tsx';
import { SessionsCard } from './SessionsCard.tsx';
import { WalletCard } from './WalletCard.tsx';

export function SettingsPage() {
  return (
    <Shell title="Settings">
      {(account) => (
        <>
          <WalletCard account={account} />
          <ConnectionsCard />
          <LanguageCard />
          <NoticesCard />
          <SessionsCard />
        </>
      )}
    </Shell>
  );
}

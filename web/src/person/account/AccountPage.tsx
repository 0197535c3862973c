// Home of a person: what they have, what is still to do, and their last tips. A business has its own.

import { useActing } from '../../app/acting.ts';
import { Link } from '../../app/router.tsx';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { Shell } from '../../app/shell/Shell.tsx';
import { useTeams } from '../../app/team/teamsApi.ts';
import { Card } from '../../ui/Card.tsx';
import { Hex } from '../../ui/Hex.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { useHistory } from '../history/historyApi.ts';
import { SummaryChart } from '../history/SummaryChart.tsx';
import { TipRow, TipRowSkeleton } from '../history/TipRow.tsx';
import { useSpending } from '../spending/spendingApi.ts';
import { WaitingHint } from '../waiting/WaitingHint.tsx';
import { useWaitingEscrows } from '../waiting/waitingEscrows.ts';
import { Balances } from './Balances.tsx';
import { BusinessHome } from './BusinessHome.tsx';
import { Checklist } from './Checklist.tsx';
import { InvitationsCard } from './InvitationsCard.tsx';

const LAST = 5;
const DAYS = 30;

export function AccountPage() {
  return <Shell title="Home">{(account) => <Home account={account} />}</Shell>;
}

/** Waits for what may or may not stand above the rest, so that nothing moves when it comes. */
function Home({ account }: { account: OwnAccount }) {
  const { isPending } = useWaitingEscrows();
  const teams = useTeams();
  const acting = useActing();
  if (isPending || teams.isPending) return <HomeSkeleton />;
  // A shop's home has its workspace's figures: a tab that acts for another one shows the account's own things alone.
  const isShop = account.handle_kind === 'business' && acting === null;
  return (
    <>
      <InvitationsCard />
      {isShop ? <BusinessHome account={account} /> : <PersonHome account={account} />}
    </>
  );
}

function HomeSkeleton() {
  return (
    <output aria-label="Loading" className="flex flex-col gap-6">
      <Skeleton className="h-48" />
      <Skeleton className="h-80" />
    </output>
  );
}

function PersonHome({ account }: { account: OwnAccount }) {
  const { isPending } = useSpending();
  return (
    <>
      <WaitingHint />
      <Card title={`@${account.handle}`} aside={<Hex value={account.address} what="your wallet’s address" />}>
        <Balances />
      </Card>
      {isPending ? <HomeSkeleton /> : <ChecklistAndTips account={account} />}
    </>
  );
}

function ChecklistAndTips({ account }: { account: OwnAccount }) {
  return (
    <>
      <Checklist account={account} />
      <div className="grid gap-6 lg:grid-cols-2">
        <Card
          title="Recent tips"
          aside={
            <Link href="/history" className="text-sm text-accent underline-offset-4 hover:underline">
              View all
            </Link>
          }
        >
          <LastTips />
        </Card>
        <Card title={`Last ${DAYS} days`} aside={<span className="text-sm text-muted">in USD</span>}>
          <SummaryChart days={DAYS} />
        </Card>
      </div>
    </>
  );
}

function LastTips() {
  const { data, error, refetch } = useHistory({}, LAST);
  if (error && !data) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  const tips = data?.pages[0]?.data;
  if (tips?.length === 0)
    return (
      <EmptyNote title="No tips yet">
        Type <code className="font-mono">/tip @name 5</code> in a chat with the bot, or ask someone to tip you.
      </EmptyNote>
    );
  return (
    <ul className="-mx-2 min-h-80">
      {tips
        ? tips.map((tip) => <TipRow key={tip.id} tip={tip} />)
        : Array.from({ length: LAST }, (_, index) => index).map((index) => <TipRowSkeleton key={index} />)}
    </ul>
  );
}

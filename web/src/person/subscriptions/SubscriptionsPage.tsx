// One's own subscriptions: what may still be taken, what waits as a trial, what stands, and what has ended.
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { Shell } from '../../app/shell/Shell.tsx';
import { EmptyNote, Skeleton } from '../../ui/notices.tsx';
import { Paged } from '../../ui/Paged.tsx';
import { AllowanceCard } from './AllowanceCard.tsx';
import { SubscriptionCard } from './SubscriptionCard.tsx';
import { useAllowances, useSubscriptions, useTrials } from './subscriptionsApi.ts';
import { TrialsCard } from './TrialsCard.tsx';

export function SubscriptionsPage() {
  return <Shell title="Subscriptions">{(account) => <Own account={account} />}</Shell>;
}

function Own({ account }: { account: OwnAccount }) {
  // Shown together, so that none of them pushes the others down.
  const isPending = [useSubscriptions(), useTrials(), useAllowances()].some((one) => one.isPending);
  return (
    <>
      <p className="-mt-4 max-w-160 text-muted">
        Each subscription takes its price once a period, never more and never twice. Cancel with one signature.
      </p>
      {isPending ? <Skeleton className="h-72" /> : <Parts account={account} />}
    </>
  );
}

function Parts({ account }: { account: OwnAccount }) {
  return (
    <>
      <AllowanceCard account={account} />
      <TrialsCard account={account} />
      <Paged
        list={useSubscriptions()}
        name="Subscriptions"
        empty={
          <EmptyNote title="No subscriptions yet">
            Open the link of a plan to subscribe. Your subscriptions, receipts and allowances appear here.
          </EmptyNote>
        }
      >
        {(rows) => {
          const [current, ended] = [
            rows.filter(({ status }) => status === 'active'),
            rows.filter(({ status }) => status !== 'active'),
          ];
          return (
            <div className="flex flex-col gap-6">
              {current.map((sub) => (
                <SubscriptionCard key={sub.id} sub={sub} account={account} />
              ))}
              {ended.length > 0 && (
                <section aria-labelledby="ended" className="flex flex-col gap-3">
                  <h2 id="ended" className="font-semibold">
                    Ended
                  </h2>
                  {ended.map((sub) => (
                    <SubscriptionCard key={sub.id} sub={sub} account={account} />
                  ))}
                </section>
              )}
            </div>
          );
        }}
      </Paged>
    </>
  );
}

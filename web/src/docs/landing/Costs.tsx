// What Ampersat costs, and where it works.
import { CHAINS } from '../../../../src/domain/chains.ts';

const FEES = [
  {
    what: 'Send or tip in a chat',
    fee: '$0.05 under $5, $0.10 from $5',
    who: 'The sender pays it on top. The recipient gets the full amount.',
  },
  {
    what: 'To another network',
    fee: '$0.30 and the bridge’s cost',
    who: 'Only where the sender has nothing on that network. The bridge takes at most 1% and $0.10.',
  },
  {
    what: 'Send to someone new',
    fee: 'No fee',
    who: 'The money waits for them for 7 days, then returns to the sender.',
  },
  { what: 'Accept payments, business', fee: '1%', who: 'Deducted from the payout. The buyer pays the price shown.' },
  { what: 'Accept payments, personal', fee: 'No fee', who: 'For orders to your own handle.' },
];

const NETWORKS = Object.values(CHAINS);
const namesOf = (testnet: boolean) =>
  NETWORKS.filter((one) => one.testnet === testnet).map(({ label, native }) => `${label} (USDC, ${native})`);

export function Costs() {
  return (
    <section id="fees" aria-labelledby="fees-title" className="flex scroll-mt-4 flex-col gap-4">
      <h2 id="fees-title" className="text-xl font-semibold tracking-tight">
        Fees and networks
      </h2>
      <dl className="overflow-hidden rounded-2xl border border-line bg-surface">
        {FEES.map(({ what, fee, who }) => (
          <div
            key={what}
            className="grid items-baseline gap-x-4 gap-y-1 border-line px-4 py-3 not-first:border-t sm:grid-cols-[14rem_17rem_1fr]"
          >
            <dt className="font-medium">{what}</dt>
            <dd className="font-semibold text-accent">{fee}</dd>
            <dd className="text-sm text-muted">{who}</dd>
          </div>
        ))}
      </dl>
      <p className="text-sm text-muted">
        Live: {namesOf(false).join(', ')}. Test: {namesOf(true).join(', ')}.
      </p>
    </section>
  );
}

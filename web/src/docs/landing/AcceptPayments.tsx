// For merchants and developers: the call that creates an order, and the checkout that the buyer sees.

import { ButtonLink } from '../../ui/Button.tsx';
import { examplesOf } from '../callExamples.ts';
import { Examples } from '../Example.tsx';
import { CREATE_ORDER } from './createOrder.ts';

const EXAMPLES = examplesOf({ ...CREATE_ORDER, origin: location.origin });

const POINTS = [
  'Create an order by API, in the dashboard, as a payment link, or with /order in a chat.',
  'The buyer pays from any wallet or exchange, without an account. By signature, they pay no network fee.',
  'The money goes straight to your wallet. A signed webhook tells your server when it is final.',
];

export function AcceptPayments() {
  return (
    <section aria-labelledby="accept" className="flex flex-col gap-6">
      <div className="flex flex-col gap-4">
        <h2 id="accept" className="text-xl font-semibold tracking-tight">
          Accept payments
        </h2>
        <ul className="flex max-w-176 list-disc flex-col gap-2 pl-5 text-muted">
          {POINTS.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      </div>
      <div className="grid min-w-0 gap-6 min-[900px]:grid-cols-[minmax(0,1fr)_20rem]">
        <Examples examples={EXAMPLES} />
        <CheckoutPreview />
      </div>
      <div className="flex flex-wrap gap-3">
        <ButtonLink href="/docs/quickstart">Start the quickstart</ButtonLink>
        <ButtonLink href="/docs/api">API reference</ButtonLink>
        <ButtonLink href="/docs/webhooks">Webhooks</ButtonLink>
      </div>
    </section>
  );
}

/** A picture of the checkout, in the colours of the page; nothing in it can be pressed. */
function CheckoutPreview() {
  return (
    <figure
      aria-label="The checkout: 25.00 USDC to @shop for two bags of coffee on Base Sepolia, with a button to pay"
      className="flex flex-col gap-4 self-start rounded-2xl border border-line bg-surface p-6"
    >
      <div aria-hidden="true" className="flex flex-col gap-4">
        <p className="text-sm text-muted">@shop</p>
        <p className="text-2xl font-semibold tracking-tight amount">
          25.00 <span className="text-lg font-medium text-muted">USDC</span>
        </p>
        <p>Two bags of coffee</p>
        <dl className="flex flex-col gap-1 border-y border-line py-3 text-sm">
          {[
            ['Network', 'Base Sepolia'],
            ['Fee', 'No fee'],
            ['Expires in', '59 minutes'],
          ].map(([name, value]) => (
            <div key={name} className="flex justify-between gap-4">
              <dt className="text-muted">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <p className="rounded-lg bg-accent px-4 py-3 text-center font-semibold text-on-accent">Pay 25.00 USDC</p>
      </div>
      <figcaption className="text-center text-sm text-muted">What your buyer sees</figcaption>
    </figure>
  );
}

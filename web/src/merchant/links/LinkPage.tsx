// One payment link: what it asks for and brought in, its QR code to be put up, its orders, and its end.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { exactTime, padAmount } from '../../app/format.ts';
import { Link, usePath } from '../../app/router.tsx';
import { Allowed } from '../../app/team/Allowed.tsx';
import { ConfirmButton } from '../../person/settings/ConfirmButton.tsx';
import { Card } from '../../ui/Card.tsx';
import { CopyField } from '../../ui/CopyField.tsx';
import { Fact } from '../../ui/Facts.tsx';
import { EmptyNote, ErrorNote } from '../../ui/notices.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { Loaded } from '../business/Loaded.tsx';
import { ShareSheet } from '../business/ShareSheet.tsx';
import { ShopFacts } from '../business/ShopFacts.tsx';
import { useModeOf } from '../business/workspaceApi.ts';
import { OrderTable } from '../orders/OrderTable.tsx';
import { buttonOf } from './button.ts';
import { LinkStatus } from './LinkStatus.tsx';
import { deactivateLink, noteLink, type PaymentLink, useLink } from './linksApi.ts';
import { asksFor } from './linkWords.ts';

export function LinkPage() {
  return <BusinessShell title={<span className="print:hidden">Payment link</span>}>{() => <OneLink />}</BusinessShell>;
}

function OneLink() {
  const id = decodeURIComponent(usePath().split('/')[2] ?? '');
  return (
    <Loaded query={useLink(id)} thing={['payment link', 'links']} all="/links">
      {(link) => <Found link={link} />}
    </Loaded>
  );
}

function Found({ link }: { link: PaymentLink }) {
  useModeOf(link);
  return (
    <>
      <header className="flex flex-col items-start gap-2 print:hidden">
        <h2 className="text-2xl font-semibold tracking-tight text-balance break-words">{link.label}</h2>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <LinkStatus state={link.state} />
          <span className="amount">{asksFor(link)}</span>
          <span className="text-sm text-muted">
            on {link.chain_label}
            {!link.livemode && ' (test)'}, created <TimeAgo at={link.created_at} />
          </span>
        </p>
      </header>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          {link.active && (
            <ShareSheet id={link.id} url={link.url} title={link.label} price={asksFor(link)} label="Payment link">
              <CopyField label="Button for your site (HTML)" value={buttonOf(link)} />
            </ShareSheet>
          )}
          <Totals link={link} />
          <LinkFacts link={link} />
          {link.deactivated_at === null && (
            <Allowed door="links">
              <EndButton link={link} />
            </Allowed>
          )}
        </div>
        <section aria-labelledby="its-orders" className="flex min-w-0 flex-col gap-2 print:hidden">
          <header className="flex min-h-8 items-center justify-between gap-4">
            <h2 id="its-orders" className="font-semibold">
              Orders
            </h2>
            <Link href={`/orders?link=${link.id}`} className="text-sm text-accent underline-offset-4 hover:underline">
              View all
            </Link>
          </header>
          <OrderTable
            narrow
            filters={{ link: link.id }}
            limit={10}
            empty={
              <EmptyNote title="No payments yet">
                Share the link. Each buyer who starts to pay creates an order, shown here.
              </EmptyNote>
            }
          />
        </section>
      </div>
    </>
  );
}

/** Only of a link that says more than its price. */
function LinkFacts({ link }: { link: PaymentLink }) {
  const { after_completion: after, max_uses, uses, expires_at } = link;
  const says = after?.type === 'message' || max_uses !== null || expires_at !== null || link.success_url !== null;
  if (!says && link.cancel_url === null && link.client_reference_id === null && link.line_items.length === 0)
    return null;
  return (
    <div className="print:hidden">
      <Card title="Details">
        <dl className="flex flex-col text-sm">
          {max_uses !== null && (
            <Fact name="Uses">
              {uses} of {max_uses.toLocaleString()}
            </Fact>
          )}
          {expires_at !== null && (
            <Fact name="Expires">
              <time dateTime={expires_at}>{exactTime(Date.parse(expires_at))}</time>
            </Fact>
          )}
          {after?.type === 'message' && <Fact name="Message after payment">{after.message}</Fact>}
          <ShopFacts of={link} />
        </dl>
      </Card>
    </div>
  );
}

function Totals({ link: { totals, currency } }: { link: PaymentLink }) {
  return (
    <dl className="grid grid-cols-3 gap-4 rounded-2xl border border-line bg-surface p-4 print:hidden sm:p-6">
      <Total name="Paid" value={`${padAmount(totals.paid_amount)} ${currency}`} />
      <Total name="Payments" value={String(totals.paid)} />
      <Total name="Started" value={String(totals.orders)} />
    </dl>
  );
}

function Total({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex min-w-0 flex-col">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="font-semibold break-words tabular-nums">{value}</dd>
    </div>
  );
}

function EndButton({ link }: { link: PaymentLink }) {
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => deactivateLink(link.id),
    onSuccess: (answer) => noteLink(client, answer.link),
  });
  return (
    <div className="flex flex-col items-start gap-3 print:hidden">
      <ConfirmButton
        question="Deactivate this link? It stops accepting new payments and can’t be reactivated. Open orders can still be paid."
        yes="Deactivate"
        busy={end.isPending}
        onYes={() => end.mutate()}
      >
        Deactivate…
      </ConfirmButton>
      {end.isError && <ErrorNote>{end.error.message}</ErrorNote>}
    </div>
  );
}

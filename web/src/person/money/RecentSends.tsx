// The last payments that were sent from here.
import type { SendView } from '../../../../src/http/api/sendAnswers.ts';
import { padAmount, shortHex } from '../../app/format.ts';
import { Card } from '../../ui/Card.tsx';
import { Hex } from '../../ui/Hex.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';

const STATES: Record<SendView['status'], string> = {
  draft: 'Not confirmed',
  processing: 'On its way',
  completed: 'Sent',
  failed: 'Not sent',
  cancelled: 'Cancelled',
};

export function RecentSends({ sends }: { sends: SendView[] }) {
  if (sends.length === 0) return null;
  return (
    <Card title="Sent">
      <ul className="flex flex-col">
        {sends.map((send) => (
          <li
            key={send.id}
            className="flex flex-wrap items-center justify-between gap-x-4 border-line py-3 text-sm not-first:border-t"
          >
            <span className="min-w-0">
              <span className="font-medium">{send.to === send.to_address ? shortHex(send.to) : send.to}</span>{' '}
              <span className="text-muted">
                {STATES[send.status]} on {send.chain_label}
                {!send.livemode && ' (test)'} · <TimeAgo at={send.created_at} />
              </span>
            </span>
            <span className="flex items-center gap-2">
              {send.tx_hash && <Hex value={send.tx_hash} what="the transaction" href={send.explorer_url} />}
              <span className="font-medium amount">{padAmount(send.amount)} USDC</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

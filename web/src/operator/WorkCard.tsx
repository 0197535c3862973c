// What waits before each step of a tip’s way.
import { Card } from '../ui/Card.tsx';
import { EmptyNote } from '../ui/notices.tsx';
import { shortAge } from './figures.ts';
import type { Overview } from './operationsApi.ts';

const WORDS: Record<string, string> = {
  inbox: 'Messages to read',
  intents: 'Commands to plan',
  legs: 'Payments to sign',
  transactions: 'Transactions to be mined',
  confirmations: 'Transactions to become final',
  replies: 'Replies to send',
  outbox: 'Jobs to queue',
  pauses: 'Pauses to send on-chain',
  claims: 'Claims to pay out',
  payments: 'Payments to send',
  charges: 'Subscriptions to charge',
  trials: 'Trials to start',
  grants: 'Grants to send',
  deliveries: 'Webhooks to send',
};

export function WorkCard({ work }: { work: Overview['work'] }) {
  return (
    <Card title="Waiting">
      {work.length === 0 ? (
        <EmptyNote title="Nothing waiting">All messages are processed.</EmptyNote>
      ) : (
        <table className="w-full text-sm">
          <thead>
            <tr className="text-left text-muted">
              <th scope="col" className="pb-1 font-medium">
                Step
              </th>
              <th scope="col" className="pb-1 text-right font-medium">
                Rows
              </th>
              <th scope="col" className="pb-1 text-right font-medium">
                Oldest
              </th>
            </tr>
          </thead>
          <tbody>
            {work.map((one) => (
              <tr key={`${one.step} ${one.subject}`} className="border-t border-line">
                <th scope="row" className="py-2 pr-4 text-left font-normal">
                  {WORDS[one.step] ?? one.step} <span className="text-muted">{one.subject}</span>
                </th>
                <td className="py-2 text-right amount">{one.waiting}</td>
                <td className="py-2 text-right amount">{shortAge(one.oldest_seconds)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

// In words: plans and subscriptions.
import { cancelData, setPlanData, subscribeData } from '../../../../../src/domain/typedData/subscriptions.ts';
import { isSameAddress } from '../../../../../src/domain/walletFamily.ts';
import { exactTime } from '../../../app/format.ts';
import {
  bytes,
  type Explainer,
  isAt,
  number,
  on,
  seconds,
  text,
  usableUntil,
  usdc,
  verifier,
  warningOf,
} from './reading.ts';

const DAY_SECONDS = 86_400;

function periodWords(period: number): string {
  if (period % DAY_SECONDS !== 0) return `${period} seconds`;
  const days = period / DAY_SECONDS;
  return days === 1 ? 'day' : `${days} days`;
}

export const SUBSCRIPTIONS: Record<string, Explainer> = {
  Subscribe(message, { chain, address }, { domain }) {
    if (!isAt(chain, 'subscription', domain) || !isSameAddress(text(message, 'subscriber'), address)) return null;
    const terms = {
      planKey: bytes(message, 'planKey'),
      subscriber: bytes(message, 'subscriber'),
      amount: number(message, 'amount'),
      period: seconds(message, 'period'),
      nonce: number(message, 'nonce'),
      deadline: number(message, 'deadline'),
    };
    const again = subscribeData(verifier(chain, domain), terms);
    const amount = usdc(chain, terms.amount);
    const words = `Pays ${amount} at the start and again every ${periodWords(terms.period)}, for the plan that the page shows, until you cancel. It starts now, or, where the page offers a trial, when the trial ends.`;
    return {
      again,
      words: {
        title: `Subscribe for ${amount}`,
        text: words,
        facts: [...on(chain), { name: 'Starts until', value: exactTime(Number(terms.deadline) * 1_000) }],
        ...warningOf(chain, terms.amount),
      },
    };
  },

  SetSubscription(message, { chain }, { domain }) {
    if (!isAt(chain, 'subscription', domain)) return null;
    const terms = {
      planKey: bytes(message, 'planKey'),
      subscriber: bytes(message, 'subscriber'),
      nonce: number(message, 'nonce'),
      deadline: number(message, 'deadline'),
    };
    const again = cancelData(verifier(chain, domain), terms);
    const facts = [...on(chain), { name: 'Subscriber', value: terms.subscriber }, usableUntil(terms.deadline)];
    return { again, words: { title: 'Cancel a subscription', text: 'Nothing more is charged for it.', facts } };
  },

  SetPlan(message, { chain }, { domain }) {
    if (!isAt(chain, 'subscription', domain)) return null;
    const state = message['state'] === '1' ? ('active' as const) : ('inactive' as const);
    const terms = {
      planKey: bytes(message, 'planKey'),
      state,
      nonce: number(message, 'nonce'),
      deadline: number(message, 'deadline'),
    };
    const again = setPlanData(verifier(chain, domain), terms);
    const words =
      state === 'active'
        ? 'Opens your plan: people can subscribe to it.'
        : 'Closes your plan: no one can subscribe to it, and nothing more is charged.';
    return {
      again,
      words: {
        title: state === 'active' ? 'Open a plan' : 'Close a plan',
        text: words,
        facts: [...on(chain), usableUntil(terms.deadline)],
      },
    };
  },
};

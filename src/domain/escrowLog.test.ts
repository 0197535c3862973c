// What the router's events do to an escrow in each status: only what the lifecycle allows, and always the end that the chain shows.
import { expect, test } from 'vitest';
import { CLOSED, ESCROW, type EscrowStatus, OPENED } from './escrow.ts';
import { nextStatus } from './lifecycle.ts';

const statuses = Object.keys(ESCROW) as EscrowStatus[];

test.each(statuses)('an opening of one that is %s leaves it open or closed', (status) => {
  const action = OPENED[status];
  const after = action === null ? status : nextStatus(ESCROW, status, action);
  expect(['open', 'claimed', 'refunded']).toContain(after);
});

test.each(statuses.flatMap((status) => (['claimed', 'refunded'] as const).map((end) => [end, status] as const)))(
  'one that is %s on-chain and %s here',
  (end, status) => {
    const actions = CLOSED[end][status];
    const after = actions?.reduce<EscrowStatus | null>(
      (from, action) => from && nextStatus(ESCROW, from, action),
      status,
    );
    expect(after).toBe(actions === null ? undefined : end);
    expect(actions === null).toBe(status !== end && (status === 'claimed' || status === 'refunded'));
  },
);

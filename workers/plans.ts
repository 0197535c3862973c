// What the workers do for plans and campaigns: charge what is due once an hour, start what was on trial, pay grants, drop what was staged and not
// created.
import type { Ctx } from '../src/context.ts';
import { BUSY_MS, every, UNTIL_WOKEN_MS } from '../src/loop.ts';
import { dropStagedCampaigns } from '../src/services/plans/campaigns/campaigns.ts';
import { dispatchQueued } from '../src/services/plans/campaigns/dispatch.ts';
import { chargeHourly } from '../src/services/plans/chargeRun.ts';
import { notifyNewPrices } from '../src/services/plans/newPrices.ts';
import { dropStagedPlans } from '../src/services/plans/plans.ts';
import { startDueTrials } from '../src/services/plans/trials.ts';

const CARE_EVERY_MS = 60_000;

export function runPlans(ctx: Ctx): void {
  for (const chain of Object.values(ctx.chains)) {
    every(ctx, `charges ${chain.name}`, BUSY_MS, () => chargeHourly(ctx, chain), {
      idleMs: UNTIL_WOKEN_MS,
      topics: ['charges'],
    });
    every(ctx, `grants ${chain.name}`, BUSY_MS, () => dispatchQueued(ctx, chain), {
      idleMs: UNTIL_WOKEN_MS,
      topics: ['grants'],
    });
  }
  every(ctx, 'trials', BUSY_MS, () => startDueTrials(ctx), { idleMs: UNTIL_WOKEN_MS, topics: ['trials'] });
  every(ctx, 'staged plans', CARE_EVERY_MS, () => dropStagedPlans(ctx));
  every(ctx, 'new prices', CARE_EVERY_MS, () => notifyNewPrices(ctx));
  every(ctx, 'staged campaigns', CARE_EVERY_MS, () => dropStagedCampaigns(ctx));
}

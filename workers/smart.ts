// The legs of smart payments: followed over bridges until they arrived or came back.
import { type Ctx, evmChains } from '../src/context.ts';
import { BUSY_MS, every, UNTIL_WOKEN_MS } from '../src/loop.ts';
import { followLegs } from '../src/services/smart/follow.ts';

export function runSmart(ctx: Ctx): void {
  const pauseMs = Math.min(BUSY_MS, ...Object.values(evmChains(ctx)).map(({ pollMs }) => pollMs));
  every(ctx, 'legs', pauseMs, () => followLegs(ctx), { idleMs: UNTIL_WOKEN_MS, topics: ['legs'] });
}

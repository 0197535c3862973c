// Live updates of smart payments for the pages that watch them: one query a second for the whole process.
import type { Ctx } from '../../context.ts';
import type { SmartStatus } from '../../domain/smartLeg.ts';
import { createHeldStreams, type Held } from '../streams.ts';
import { type PaymentView, type SmartPayment, viewPayment, WITH_LEGS } from './views.ts';

export type SmartWatcher = { notify(view: PaymentView): void; end(): void };
type Watched = Held & { id: string; shown: string | null; watcher: SmartWatcher };

const OVER: readonly SmartStatus[] = ['succeeded', 'partly', 'refunded', 'failed'];

export function createSmartStreams(ctx: Ctx) {
  const streams = createHeldStreams<Watched>(ctx, 'smart payments', {
    async lookAt(all) {
      const ids = [...new Set(all.map(({ id }) => id))];
      const payments = await ctx.db.smartPayment.findMany({ where: { id: { in: ids } }, include: WITH_LEGS });
      const views = new Map(payments.map((payment) => [payment.id, viewPayment(ctx, payment)]));
      for (const one of streams.all()) {
        const view = views.get(one.id);
        if (view) show(one, view);
      }
    },
  });

  function show(one: Watched, view: PaymentView): void {
    const text = JSON.stringify(view);
    if (one.shown !== text) one.watcher.notify(view);
    one.shown = text;
    if (OVER.includes(view.status)) streams.end(one);
  }

  return {
    /** @param who from where it is watched, for the limit. @returns what takes the watcher away. @throws AppError `rate_limited` when there are too many */
    async watch(payment: SmartPayment, who: string, watcher: SmartWatcher): Promise<() => void> {
      const one: Watched = { id: payment.id, who, shown: null, watcher, end: () => watcher.end() };
      streams.hold(one);
      show(one, viewPayment(ctx, payment));
      return () => streams.drop(one);
    },
    look: streams.look,
  };
}

// What causes the events of a subscription: the account creates a plan, the other one subscribes without gas, and the local clock moves to the next charge.
import type { SubscriptionEvent } from '../domain/events.ts';
import { advance, createPlan, manage, subscribe } from './planActs.ts';
import { type Trigger, type TriggerContext, waitFor } from './scene.ts';

/** Longer than a failing subscription is kept. */
const UNPAID_DAYS = 8;

export const PLAN_CAUSES: Record<SubscriptionEvent, Trigger> = {
  'subscription.plan_created': {
    about: 'Creates a plan',
    run: async (scene) => (await createPlan(scene)).id,
  },
  'subscription.started': {
    about: 'Creates a plan and subscribes to it, without gas',
    run: async (scene) => (await subscribe(scene, await createPlan(scene))).id,
  },
  'subscription.charged': {
    about: 'Creates a plan, subscribes to it and moves the clock to the next charge',
    async run(scene) {
      const plan = await createPlan(scene);
      const { id } = await subscribe(scene, plan);
      await advance(scene, plan.period + 60);
      await waitFor(scene, 'The charge', async () => ((await read(scene, id)).chargesPaid > 1 ? true : null));
      return id;
    },
  },
  'subscription.cancelled': {
    about: 'Creates a plan, subscribes to it and cancels, without gas',
    async run(scene) {
      const { id } = await subscribe(scene, await createPlan(scene));
      await manage(scene, { action: 'cancel', subscriptionId: id });
      scene.tell(`${scene.other.name} cancelled it with one signature`);
      return id;
    },
  },
  'subscription.halted': {
    about: 'Creates a plan, subscribes to it, takes the allowance back and moves the clock until it ends unpaid',
    async run(scene) {
      const plan = await createPlan(scene);
      const { id } = await subscribe(scene, plan);
      await manage(scene, { action: 'revoke', chain: plan.chain });
      scene.tell(`${scene.other.name} took the allowance back`);
      await advance(scene, plan.period + 60);
      await waitFor(scene, 'The failed charge', async () => ((await failing(scene, id)) ? true : null));
      await advance(scene, Math.min(UNPAID_DAYS * 86_400, plan.period + 60));
      return id;
    },
  },
};

const read = async ({ api }: TriggerContext, id: string) => api.subscriptions.get(id);
const failing = async (scene: TriggerContext, id: string) => (await read(scene, id)).failing !== null;

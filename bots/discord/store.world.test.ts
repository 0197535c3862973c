// What Discord tells is stored at once, also what is told in the very moment in which the store before it ends.
import { afterAll, beforeAll, test } from 'vitest';
import { until } from '../../test/setup/processes.ts';
import { startWorld, type World } from '../../test/setup/world.ts';
import { createIntake, type Intake } from './store.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** More steps than lie between the word that something is stored and the end of that round. */
const STEPS = 40;

const arrival = (key: string) => ({
  news: { seen: [], seenAt: 0, entry: { key, content: { kind: 'message' } as never } },
  place: null,
  interaction: null,
});
const stored = (prefix: string) => world.ctx.db.inbox.count({ where: { key: { startsWith: prefix } } });

test('whatever step of the end of a round something comes in, it waits for no other event', async () => {
  for (let steps = 0; steps < STEPS; steps++) {
    const prefix = `step ${steps} `;
    let told = false;
    const onStored = async () => {
      if (told) return;
      told = true;
      for (let step = 0; step < steps; step++) await null;
      intake.take(arrival(`${prefix}second`));
    };
    const listeners = { onStored: () => void onStored(), onInteraction: () => {}, onLoss: () => {} };
    const intake: Intake = createIntake(world.ctx, '1', listeners);
    intake.take(arrival(`${prefix}first`));
    await until(async () => (await stored(prefix)) === 2, `both of step ${steps}`);
  }
});

// Every error of the program is produced by a row of this folder, each of which is a test.
import { expect, test } from 'vitest';
import { PROGRAM_ERRORS } from '../../src/chain/solana/errors.ts';
import { INSTRUCTIONS } from '../../src/chain/solana/instructions.ts';
import { CAMPAIGNS_REFUSALS } from './campaignsRefusals.ts';
import { LIMITS_REFUSALS } from './limitsRefusals.ts';
import { ORDERS_REFUSALS } from './ordersRefusals.ts';
import { PLANS_REFUSALS } from './plansRefusals.ts';
import { ROLES_REFUSALS } from './rolesRefusals.ts';
import { attempt, SCENES, type Scene, type SceneName, sceneOf, slotsOf } from './scenes.ts';
import { TABS_REFUSALS } from './tabsRefusals.ts';
import { TIPS_REFUSALS } from './tipsRefusals.ts';

const ROWS = [
  ...ROLES_REFUSALS,
  ...LIMITS_REFUSALS,
  ...TIPS_REFUSALS,
  ...TABS_REFUSALS,
  ...ORDERS_REFUSALS,
  ...PLANS_REFUSALS,
  ...CAMPAIGNS_REFUSALS,
];

/** Produced below for every instruction. */
const GENERAL = ['missingSignature'];

test('no error of the program is without a test', () => {
  const produced = new Set<string>([...ROWS.map(({ error }) => error), ...GENERAL]);
  expect(Object.keys(PROGRAM_ERRORS).filter((name) => !produced.has(name))).toEqual([]);
});

test.each(Object.keys(INSTRUCTIONS) as SceneName[])('%s names what its accounts and data lack', (name) => {
  const scene: Scene = SCENES[name];
  const { setting, ready } = sceneOf(name);
  const { keys, data } = ready;
  const errorOf = (change: Partial<typeof ready>) => {
    const { error, moved } = attempt(setting, Object.assign(Object.create(ready), change));
    expect(moved).toEqual([]);
    return error;
  };
  expect(errorOf({ data: Buffer.concat([data, Buffer.alloc(1)]) })).toBe('invalidInstruction');
  if (data.length > 1) expect(errorOf({ data: data.subarray(0, -1) })).toBe('invalidInstruction');
  expect(errorOf({ keys: keys.slice(0, 1) })).toBe('wrongAccounts');
  expect(errorOf({ keys: keys.slice(1) })).toBe('wrongAccounts');
  // Further accounts of `initialize` are counted by its executors, those of a closed bucket are payers, and a grant's are recipients.
  const surplus = [...keys, ...keys.slice(-1)];
  if (!['closeBucket', 'grant'].includes(name)) expect(errorOf({ keys: surplus })).toBe('wrongAccounts');
  for (const { index, name: slot, role } of slotsOf(scene.of, ready)) {
    // Only an account that is to be created needs its payer.
    if (!role.includes('s') || (name === 'setLimits' && slot === 'payer')) continue;
    const unsigned = keys.map((meta, at) => (at === index ? { ...meta, isSigner: false } : meta));
    expect(`${slot} ${errorOf({ keys: unsigned })}`).toBe(`${slot} missingSignature`);
  }
});

// Rows that say with which error an instruction fails when one thing about it is different, and the test of such rows.
import type { TransactionInstruction } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import type { ProgramErrorName } from '../../src/chain/solana/errors.ts';
import { attempt, type Change, changed, SCENES, type SceneName, sceneOf } from './scenes.ts';
import type { Setting } from './setting.ts';

/** Another argument or account, or whatever happens before; what it returns is run instead. */
type Twist = Change | ((setting: Setting, ready: TransactionInstruction) => TransactionInstruction | undefined);

export type Refusal = { scene: SceneName; error: ProgramErrorName; when: string; twist: Twist };

export const refusal = (scene: SceneName, error: ProgramErrorName, when: string, twist: Twist): Refusal => ({
  scene,
  error,
  when,
  twist,
});

export function testRefusals(rows: readonly Refusal[]): void {
  for (const name of new Set(rows.map(({ scene }) => scene))) {
    describe(name, () => {
      test.each(rows.filter((row) => row.scene === name))('$error, as $when', ({ error, twist }) => {
        const { setting, ready } = sceneOf(name);
        const { of } = SCENES[name];
        const instruction = typeof twist === 'function' ? (twist(setting, ready) ?? ready) : changed(of, ready, twist);
        expect(attempt(setting, instruction)).toMatchObject({ error, moved: [], events: [] });
      });
    });
  }
}

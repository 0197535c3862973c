// Runs every attack on a scene and compares: what fails moves nothing, what succeeds is listed as harmless and moves the same money.
import { expect, test } from 'vitest';
import type { SolanaAddress } from '../../src/chain/solana/codec.ts';
import { type Attack, attacksOn, bystanders } from './attacks.ts';
import { HARMLESS, type HarmlessRow } from './harmless.ts';
import type { Seen } from './machine.ts';
import {
  addressOf,
  differences,
  restore,
  SCENES,
  type Scene,
  type SceneName,
  type Snapshot,
  sceneOf,
  snapshot,
  tokenChanges,
} from './scenes.ts';
import type { Setting } from './setting.ts';

/** A part of the scenes, so that several processes share them. */
export function attackScenes(part: number, of: number): void {
  const names = (Object.keys(SCENES) as SceneName[]).filter((_, at) => at % of === part);
  for (const name of names) {
    test(`${name}: whatever a thief does with its accounts fails or is harmless`, () => {
      const { unexpected, unused } = attackScene(name);
      expect(unexpected).toEqual([]);
      expect(unused).toEqual([]);
    });
  }
}

type Result = { before: Snapshot; after: Snapshot; moved: SolanaAddress[]; error: string | null };

function attackScene(name: SceneName, { setting, ready } = sceneOf(name)): { unexpected: string[]; unused: string[] } {
  const scene: Scene = SCENES[name];
  const pool = bystanders(setting);
  const world: Snapshot = new Map();
  const plain = strike(setting, world, { slot: '(all)', how: 'as it is', instructions: [ready] });
  expect(plain.error).toBeNull();
  const rows = HARMLESS.filter((row) => new RegExp(`^(${row.scene})$`).test(name));
  const used = new Set<HarmlessRow>();
  const unexpected: string[] = [];
  for (const attack of attacksOn({ setting, scene, ready, pool })) {
    const result = strike(setting, world, attack);
    const said = `${attack.slot}: ${attack.how}`;
    if (result.error !== null) {
      if (result.moved.length > 0) unexpected.push(`${said}: failed with ${result.error} and moved ${result.moved}`);
      continue;
    }
    const row = rows.find(
      ({ slot, how }) => new RegExp(`^(${slot})$`).test(attack.slot) && new RegExp(`^(${how})$`).test(attack.how),
    );
    if (row) used.add(row);
    if (!row) unexpected.push(`${said}: succeeded`);
    else if (!row.elsewhere) unexpected.push(...otherMoney(plain, result, attack).map((line) => `${said}: ${line}`));
  }
  return { unexpected, unused: rows.filter((row) => !used.has(row)).map((row) => `${row.slot}: ${row.how}`) };
}

/** Runs an attack in the world, and puts the world back. */
function strike(setting: Setting, world: Snapshot, { prepared, instructions }: Attack): Result {
  const keys = new Set(instructions.flatMap((one) => one.keys.map(({ pubkey }) => addressOf(pubkey))));
  for (const key of keys) if (!world.has(key)) world.set(key, setting.account(key));
  const before: Snapshot = new Map([...keys].map((key) => [key, world.get(key) ?? null]));
  if (prepared) {
    restore(setting, new Map([[prepared.at, prepared.as]]), [prepared.at]);
    before.set(prepared.at, setting.account(prepared.at));
  }
  const { error } = setting.run(...instructions);
  const after = snapshot(setting, ...instructions);
  restore(setting, world, differences(world, after));
  return { error, before, after, moved: differences(before, after) };
}

/** Where tokens of a wallet, or lamports of an address that the attack did not swap, went elsewhere than without it. */
function otherMoney(plain: Result, result: Result, attack: Attack): string[] {
  const lines: string[] = [];
  const [tokens, tokensNow] = [tokenChanges(plain), tokenChanges(result)];
  for (const name of new Set([...Object.keys(tokens), ...Object.keys(tokensNow)])) {
    if (tokens[name] !== tokensNow[name]) lines.push(`${name}: ${tokens[name]} became ${tokensNow[name]}`);
  }
  for (const [key, was] of plain.before) {
    if (!result.after.has(key) || attack.swapped?.includes(key)) continue;
    const change = lamportsOf(plain.after.get(key)) - lamportsOf(was);
    const changeNow = lamportsOf(result.after.get(key)) - lamportsOf(result.before.get(key));
    if (change !== changeNow) lines.push(`${key}: ${change} lamports became ${changeNow}`);
  }
  return lines;
}

const lamportsOf = (account: Seen | undefined): bigint => account?.lamports ?? 0n;

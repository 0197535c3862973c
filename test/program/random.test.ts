// Random instructions: none of them succeeds, none crashes the machine, and nothing moves.
import { PublicKey, TransactionInstruction } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { WRAPPED_SOL } from '../../src/chain/solana/addresses.ts';
import { INSTRUCTIONS } from '../../src/chain/solana/instructions.ts';
import { isLong } from '../setup/long.ts';
import type { Outcome } from './machine.ts';
import * as scene from './setting.ts';
import { atOf, initialized, must, person, ROLES, USDC } from './setting.ts';

const INSTRUCTIONS_RUN = isLong ? 100_000 : 5_000;
/** What is the machine's fault, and not a refusal of the program's own. */
const FAULTS = /access violation|exceeded|out of bounds|divide|failed to complete|panicked/i;

describe('random instructions', () => {
  it(`${INSTRUCTIONS_RUN.toLocaleString('en')} have no effect`, () => {
    const setting = initialized();
    const [alice, bob] = [person(setting, 'alice'), person(setting, 'bob')];
    must(setting, scene.tips(setting, [{ from: alice, to: bob }]));
    must(setting, scene.tabTip(setting, { from: alice, key: 'open' }));
    const open = scene.tabAt(setting, alice, scene.messageKeyOf('open', setting.now()));
    const order = scene.order(setting, { payee: bob });
    const plan = scene.plan(setting, bob);
    const campaign = scene.campaign(setting, alice);
    must(setting, order.pay(alice));
    must(setting, plan.create(), plan.subscribe(alice));
    must(setting, campaign.open());

    const tip = scene.tips(setting, [{ from: alice, to: bob, key: 'next' }]);
    const keys = [
      ...new Set([
        ...tip.keys.map(({ pubkey }) => pubkey.toBase58()),
        ...Object.values(ROLES),
        ...[alice, bob, setting.vault, USDC, WRAPPED_SOL, order.account, order.deposit, plan.account, campaign.account],
        ...[plan.subscriptionAt(alice), open, atOf(bob, WRAPPED_SOL)],
        ...[atOf(setting.vault), atOf(alice), atOf(bob), atOf(ROLES.treasury)],
      ]),
    ];
    const state = () =>
      keys.map((key) => `${key} ${setting.lamports(key)} ${Buffer.from(setting.data(key) ?? []).toString('hex')}`);
    const before = state();
    const valid = [
      tip,
      scene.tabTip(setting, { from: alice, key: 'another' }),
      scene.claim(setting, open, bob),
      scene.refundTab(setting, open, alice),
      scene.openTab(setting, alice, BigInt(setting.now() + 1) << 20n),
      scene.limitsInstruction(setting, alice, 0, 1n, 1n, 1n),
      ...[order.pay(alice), order.refund(atOf(alice), 1n), order.sweep(), order.accept(), order.close()],
      ...[plan.set(2), plan.subscribe(alice), plan.charge(alice), plan.cancel(alice), plan.halt(alice)],
      ...[plan.closeSubscription(alice), campaign.grant([{ index: 1, to: bob }]), campaign.close(), campaign.remove()],
      setting.build('addExecutor', { args: { key: alice }, accounts: { owner: ROLES.owner } }),
      setting.build('pause', { args: { seconds: 9n }, accounts: { guardian: ROLES.guardian } }),
    ];
    const tags = Object.values(INSTRUCTIONS).map(({ tag }) => tag);

    let seed = 7;
    const below = (limit: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * limit);
    };
    const some = (list: string[]) => new PublicKey(list[below(list.length)] ?? USDC);
    const stranger = (number: number) =>
      new PublicKey(Buffer.from(scene.bytesOf(`stranger ${number}`).slice(2), 'hex'));
    const outcomes = new Map<string, number>();
    for (let i = 0; i < INSTRUCTIONS_RUN; i++) {
      // A valid instruction that strangers without SOL sign, changed in up to four places.
      const { keys: metas, data: bytes } = valid[below(valid.length)] ?? tip;
      const accounts = metas.map((meta) => (meta.isSigner ? { ...meta, pubkey: stranger(below(5)) } : { ...meta }));
      let data = Buffer.from(bytes);
      for (let changes = below(5); changes > 0; changes--) {
        const at = below(accounts.length);
        const way = below(6);
        if (way === 0) accounts.splice(at, 1, { pubkey: some(keys), isSigner: false, isWritable: below(2) === 0 });
        else if (way === 1) accounts.splice(at, below(2), ...accounts.slice(0, below(2)));
        else if (way === 2) data[below(data.length)] = below(256);
        else if (way === 3) data = data.subarray(0, 1 + below(data.length));
        else if (way === 4) data = Buffer.concat([data, Buffer.from([below(256)])]);
        else data[0] = below(20) === 0 ? below(256) : (tags[below(tags.length)] ?? 0);
      }
      const outcome = setting.run(
        new TransactionInstruction({ programId: new PublicKey(setting.program), keys: accounts, data }),
      );
      refused(outcome, data);
      outcomes.set(outcome.error ?? '', (outcomes.get(outcome.error ?? '') ?? 0) + 1);
    }
    expect(state()).toEqual(before);
    // They got past the first check in many ways.
    expect(outcomes.size).toBeGreaterThan(15);
  }, 1_200_000);
});

function refused({ error, logs }: Outcome, data: Buffer): void {
  const text = logs.join('\n');
  if (error === null || FAULTS.test(text)) throw new Error(`${data.toString('hex')}: ${error}\n${text}`);
}

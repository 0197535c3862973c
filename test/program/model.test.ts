// The program against the model: random operations, the same outcome and the same balances after each, and no money made or lost.
import { describe, expect, it } from 'vitest';
import { WRAPPED_SOL } from '../../src/chain/solana/addresses.ts';
import type { SolanaAddress } from '../../src/chain/solana/codec.ts';
import { isLong } from '../setup/long.ts';
import { balance, named, putToken } from './machine.ts';
import { type Asset, Model, type Refusal, TREASURY, VAULT } from './model.ts';
import * as scene from './setting.ts';
import {
  atOf,
  FLOAT,
  initialized,
  limitsInstruction,
  MILLION,
  messageKeyOf,
  person,
  ROLES,
  type Setting,
  USDC,
} from './setting.ts';

const OPERATIONS = isLong ? 100_000 : 2_000;
/** After so many the world begins anew: small numbers of people and ids meet more often. */
const WORLD = 1_000;
const MINTS = [USDC, WRAPPED_SOL] as const;
const PEOPLE = ['alice', 'bob', 'carol', 'dave'];
const DAY = 86_400;

/** Mulberry32: the same operations in every run. */
function randomOf(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    pick: <T>(list: readonly T[]): T => list[below(list.length)] as T,
    chance: (of: number) => below(of) === 0,
  };
}
type Random = ReturnType<typeof randomOf>;

type World = { setting: Setting; model: Model; address: (name: string) => SolanaAddress; random: Random; step: number };

function startWorld(random: Random): World {
  const setting = initialized();
  const model = new Model(setting.now());
  model.add(TREASURY, 0n, 0n);
  model.add(VAULT, 0n, 0n);
  for (const name of PEOPLE) {
    person(setting, name);
    model.add(name, FLOAT, FLOAT);
    for (const asset of [0, 1] as const) model.setLimits(name, asset, FLOAT, FLOAT, MILLION);
  }
  const address = (name: string) => {
    if (name === TREASURY) return ROLES.treasury;
    return name === VAULT ? setting.vault : name === 'executor' ? ROLES.executor : named(name);
  };
  return { setting, model, address, random, step: 0 };
}

type Operation = { name: string; expected: Refusal | null; actual: string | null };
type Play = (world: World) => Operation | null;

const some = ({ below, pick }: Random) => pick([0n, 1n, 49n, 50n, MILLION, BigInt(below(30)) * MILLION]);
const key = ({ random }: World) => `key ${random.below(300)}`;
const time = ({ setting, random }: World) =>
  setting.now() - random.pick([0, 0, 0, 1, 3_600, 40_000, DAY - 1, DAY, DAY + 1, -599, -600, -601]);

const PLAYS: Record<string, Play> = {
  tip(world) {
    const { setting, model, address, random } = world;
    const [from, to, asset] = [random.pick(PEOPLE), random.pick(PEOPLE), random.below(2) as Asset];
    const [id, at, amount, fee] = [key(world), time(world), some(random), random.pick([0n, 50_000n, MILLION + 1n])];
    const validUntil = setting.now() + random.pick([900, 900, 900, 0, -1]);
    const leg = { key: id, from: address(from), to: address(to), amount, fee, mint: MINTS[asset], time: at };
    const { error } = setting.run(scene.tips(setting, [leg], { validUntil }));
    const name = `tip ${id} ${from} ${to} ${amount}`;
    const expected = model.tip(`${Math.floor(at / 3_600)} ${id}`, from, to, asset, at, amount, fee, validUntil);
    return { name, expected, actual: error };
  },
  tipToTab(world) {
    const { setting, model, address, random } = world;
    const [from, asset, id, at, amount] = [
      random.pick(PEOPLE),
      random.below(2) as Asset,
      key(world),
      time(world),
      some(random),
    ];
    const deadline = setting.now() + random.pick([3_599, 3_600, DAY, 7 * DAY, 90 * DAY, 90 * DAY + 1]);
    const tab = `${from} ${id}@${at}`;
    if (model.tabs.has(tab)) return null;
    const { error } = setting.run(
      scene.tabTip(setting, { key: id, from: address(from), amount, mint: MINTS[asset], time: at, deadline }),
    );
    const expected = model.tipToTab(`${Math.floor(at / 3_600)} ${id}`, from, asset, at, amount, deadline);
    if (!expected) {
      const opened = model.tabs.get(`${from} ${Math.floor(at / 3_600)} ${id}`);
      model.tabs.delete(`${from} ${Math.floor(at / 3_600)} ${id}`);
      if (opened) model.tabs.set(tab, opened);
    }
    return { name: `tip to tab ${id}`, expected, actual: error };
  },
  openTab(world) {
    const { setting, model, address, random } = world;
    const [from, asset, amount] = [random.pick(PEOPLE), random.below(2) as Asset, some(random)];
    const nonce = (BigInt(setting.now() + random.pick([0, 0, 0, -5, 3_599, 3_600])) << 20n) + BigInt(world.step);
    const deadline = setting.now() + random.pick([3_600, DAY]);
    const revocable = random.chance(2);
    const { error } = setting.run(
      scene.openTab(setting, address(from), nonce, { amount, mint: MINTS[asset], revocable, deadline }),
    );
    const id = `${from} nonce ${nonce}`;
    return {
      name: `open ${id}`,
      expected: model.openTab(id, from, nonce, asset, amount, deadline, revocable),
      actual: error,
    };
  },
  claim(world) {
    const { setting, model, address, random } = world;
    const found = someTab(world);
    if (!found) return null;
    const [recipient, notAfter] = [random.pick(PEOPLE), setting.now() + random.pick([300, 0, 600, -1, 601])];
    const { error } = setting.run(scene.claim(setting, found.at, address(recipient), { mint: found.mint, notAfter }));
    return { name: `claim ${found.id}`, expected: model.claim(found.id, recipient, notAfter), actual: error };
  },
  refundTab(world) {
    const { setting, model, address, random } = world;
    const found = someTab(world);
    if (!found) return null;
    const caller = random.chance(2) ? found.sender : random.pick(PEOPLE);
    const { error } = setting.run(
      scene.refundTab(setting, found.at, address(found.sender), { caller: address(caller), mint: found.mint }),
    );
    return { name: `refund ${found.id} by ${caller}`, expected: model.refundTab(found.id, caller), actual: error };
  },
  setLimits({ setting, model, address, random }) {
    const [owner, asset] = [random.pick(PEOPLE), random.below(2) as Asset];
    const [perTip, perDay, maxFee] = [some(random) * 3n, some(random) * 20n, random.pick([0n, 50_000n, MILLION])];
    const { error } = setting.run(limitsInstruction(setting, address(owner), asset, perTip, perDay, maxFee));
    return { name: 'set limits', expected: model.setLimits(owner, asset, perTip, perDay, maxFee), actual: error };
  },
  lowerLimits({ setting, model, address, random }) {
    const [owner, asset] = [random.pick(PEOPLE), random.below(2) as Asset];
    const [perTip, perDay, maxFee] = [some(random) * 3n, some(random) * 20n, random.pick([0n, 50_000n])];
    const { error } = setting.run(
      setting.build('lowerLimits', {
        args: { asset, perTip, perDay, maxFee },
        accounts: { executor: ROLES.executor, limits: limitsAt(setting, address(owner)) },
      }),
    );
    return { name: 'lower limits', expected: model.lowerLimits(owner, asset, perTip, perDay, maxFee), actual: error };
  },
  setPaused({ setting, model, address, random }) {
    const owner = random.pick(PEOPLE);
    const [by, paused] = [random.pick([owner, owner, 'executor', random.pick(PEOPLE)]), random.chance(4)];
    const { error } = setting.run(
      setting.build('setPaused', {
        args: { paused },
        accounts: { signer: address(by), limits: limitsAt(setting, address(owner)) },
      }),
    );
    return {
      name: `paused ${paused} of ${owner} by ${by}`,
      expected: model.setPaused(owner, by, paused),
      actual: error,
    };
  },
  pause({ setting, model, random }) {
    if (!random.chance(10)) return null;
    const seconds = 1 + random.below(3_600);
    const { error } = setting.run(
      setting.build('pause', { args: { seconds: BigInt(seconds) }, accounts: { guardian: ROLES.guardian } }),
    );
    if (error === null) model.pause(seconds);
    return { name: 'pause', expected: error as Refusal | null, actual: error };
  },
  approve({ setting, model, address, random }) {
    const [owner, asset] = [random.pick(PEOPLE), random.below(2) as Asset];
    const allowance = random.pick([0n, FLOAT, some(random)]);
    const wallet = model.wallet(owner);
    wallet.allowance[asset] = allowance;
    const delegate = allowance === 0n ? undefined : { to: setting.spender, amount: allowance };
    putToken(setting, {
      owner: address(owner),
      mint: MINTS[asset],
      amount: wallet.balance[asset],
      ...(delegate && { delegate }),
    });
    return null;
  },
  later({ setting, model, random }) {
    setting.later(random.pick([1, 60, 3_600, 21_600, DAY / 2]));
    model.now = setting.now();
    return null;
  },
  pay(world) {
    const { id, order, built } = someOrder(world);
    const payer = world.random.pick(PEOPLE);
    const { error } = world.setting.run(built.pay(world.address(payer)));
    return { name: `pay ${id} by ${payer}`, expected: world.model.pay(id, order, payer), actual: error };
  },
  openDeposit(world) {
    const { id, order, built } = someOrder(world);
    if (world.model.orders.has(id)) return null;
    const { error } = world.setting.run(built.openDeposit());
    return { name: `deposit ${id}`, expected: world.model.openDeposit(id, order), actual: error };
  },
  deposit(world) {
    const { setting, model, random, address } = world;
    const { id, built } = someOrder(world);
    const from = random.pick(PEOPLE);
    const known = model.orders.get(id);
    const amount = random.chance(2) ? (known?.amount ?? 0n) : some(random);
    if (!known || setting.data(built.deposit) === null || model.wallet(from).balance[0] < amount) return null;
    model.deposit(id, from, amount);
    const { balance: held, allowance } = model.wallet(from);
    const delegate = allowance[0] === 0n ? undefined : { to: setting.spender, amount: allowance[0] };
    putToken(setting, { owner: address(from), mint: USDC, amount: held[0], ...(delegate && { delegate }) });
    putToken(setting, { owner: built.account, mint: USDC, amount: known.deposit });
    return null;
  },
  sweep(world) {
    const { id, built } = someOrder(world);
    if (world.setting.data(built.deposit) === null) return null;
    const { error } = world.setting.run(built.sweep());
    return { name: `sweep ${id}`, expected: world.model.sweep(id), actual: error };
  },
  acceptDeposit(world) {
    const { id, built } = someOrder(world);
    if (world.setting.data(built.deposit) === null) return null;
    const { error } = world.setting.run(built.accept());
    return { name: `accept ${id}`, expected: world.model.acceptDeposit(id), actual: error };
  },
  returnDeposit(world) {
    const { id, built } = someOrder(world);
    if (world.setting.data(built.deposit) === null) return null;
    const [to, part] = [world.random.pick(PEOPLE), some(world.random)];
    const { error } = world.setting.run(built.giveBack(atOf(world.address(to)), part));
    return { name: `give back ${id}`, expected: world.model.returnDeposit(id, to, part), actual: error };
  },
  refundOrder(world) {
    const { id, built } = someOrder(world);
    const [to, part] = [world.random.pick(PEOPLE), some(world.random)];
    const { error } = world.setting.run(built.refund(atOf(world.address(to)), part));
    return { name: `refund ${id}`, expected: world.model.refundOrder(id, to, part), actual: error };
  },
  createPlan(world) {
    const { id, creator, built, amount, period } = somePlan(world);
    const { error } = world.setting.run(built.create());
    return { name: `plan ${id}`, expected: world.model.createPlan(id, creator, amount, period), actual: error };
  },
  setPlan(world) {
    const { id, built } = somePlan(world);
    const active = !world.random.chance(3);
    const { error } = world.setting.run(built.set(active ? 1 : 2));
    return { name: `plan ${id} ${active}`, expected: world.model.setPlan(id, active), actual: error };
  },
  subscribe(world) {
    const { id, built } = somePlan(world);
    const who = world.random.pick(PEOPLE);
    const { error } = world.setting.run(built.subscribe(world.address(who)));
    return { name: `subscribe ${id} ${who}`, expected: world.model.subscribe(id, who), actual: error };
  },
  charge(world) {
    const { id, built } = somePlan(world);
    const who = world.random.pick(PEOPLE);
    const { error } = world.setting.run(built.charge(world.address(who)));
    return { name: `charge ${id} ${who}`, expected: world.model.charge(id, who), actual: error };
  },
  endSubscription(world) {
    const { id, built } = somePlan(world);
    const { random, address, model, setting } = world;
    const [who, by] = [random.pick(PEOPLE), random.pick(PEOPLE)];
    const way = random.below(3);
    if (way === 0) {
      const { error } = setting.run(built.cancel(address(who), address(by)));
      return { name: `cancel ${id} ${who} by ${by}`, expected: model.cancel(id, who, by), actual: error };
    }
    if (way === 1) {
      const { error } = setting.run(built.halt(address(who)));
      return { name: `halt ${id} ${who}`, expected: model.halt(id, who), actual: error };
    }
    const { error } = setting.run(built.closeSubscription(address(who)));
    return { name: `close ${id} ${who}`, expected: model.closeSubscription(id, who), actual: error };
  },
  openCampaign(world) {
    const { id, built, terms } = someCampaign(world);
    const { error } = world.setting.run(built.open());
    return { name: `campaign ${id}`, expected: world.model.openCampaign(id, terms), actual: error };
  },
  grant(world) {
    const { id, built } = someCampaign(world);
    const { random, address, model, setting } = world;
    const [index, to, amount, fee] = [
      random.below(22),
      random.pick(PEOPLE),
      some(random),
      random.pick([0n, 50_000n, 100_001n]),
    ];
    const { error } = setting.run(built.grant([{ index, to: address(to), amount, fee }]));
    return { name: `grant ${id} ${index}`, expected: model.grant(id, index, to, amount, fee), actual: error };
  },
  closeCampaign(world) {
    const { random, address, model, setting } = world;
    if (!random.chance(5)) return null;
    const { id, built } = someCampaign(world);
    const by = random.pick(['executor', ...PEOPLE]);
    const { error } = setting.run(built.close(address(by)));
    return { name: `close ${id} by ${by}`, expected: model.closeCampaign(id, by), actual: error };
  },
};

const limitsAt = (setting: Setting, owner: SolanaAddress) =>
  limitsInstruction(setting, owner, 0, 0n, 0n, 0n).keys[4]?.pubkey.toBase58() as SolanaAddress;

/** A tab that is or was open. */
const known = new WeakMap<World, { id: string; at: SolanaAddress; sender: string; mint: SolanaAddress }[]>();

function someTab(world: World) {
  const { model, random, setting, address } = world;
  const seen = known.get(world) ?? [];
  known.set(world, seen);
  for (const [id, tab] of model.tabs) {
    if (seen.some((one) => one.id === id)) continue;
    const text = id.slice(tab.sender.length + 1);
    const [key = '', at] = text.split('@');
    const nonce = text.startsWith('nonce ') ? BigInt(text.slice(6)) : messageKeyOf(key, Number(at));
    seen.push({ id, at: scene.tabAt(setting, address(tab.sender), nonce), sender: tab.sender, mint: MINTS[tab.asset] });
  }
  return seen.length === 0 ? null : random.pick(seen);
}

function someOrder({ model, random, setting, address }: World) {
  const number = random.below(12);
  const payee = PEOPLE[number % 2] as string;
  const terms = {
    payee,
    amount: BigInt((number % 5) + 1) * MILLION + 49n,
    business: number % 3 === 0,
    deadline: scene.HOUR * (500_000 + number * 9),
  };
  const id = `order ${number}`;
  return { id, order: model.order(id, terms), built: scene.order(setting, { id, ...terms, payee: address(payee) }) };
}

function somePlan({ random, setting, address }: World) {
  const number = random.below(3);
  const creator = PEOPLE[number] as string;
  const [amount, period] = [BigInt(number + 1) * MILLION, [3_600, DAY, 7_201][number] as number];
  const id = `plan ${number}`;
  return { id, creator, amount, period, built: scene.plan(setting, address(creator), { id, amount, period }) };
}

function someCampaign({ random, setting, address }: World) {
  const number = random.below(3);
  const sponsor = PEOPLE[number] as string;
  const id = `campaign ${number}`;
  const expiry = scene.HOUR * (500_000 + 40 * (number + 1));
  const terms = { sponsor, total: 40n * MILLION, most: 9n * MILLION, maxFee: 100_000n, expiry, recipients: 20 };
  const built = scene.campaign(setting, address(sponsor), {
    salt: id,
    total: terms.total,
    mostPerGrant: terms.most,
    maxFee: terms.maxFee,
    expiry,
    recipients: terms.recipients,
  });
  return { id, built, terms };
}

/** Every balance as the model has it, and all of them together as much as there was. */
function compare({ setting, model, address }: World): void {
  const sums = [0n, 0n];
  for (const [name, { balance: expected }] of model.wallets) {
    for (const asset of [0, 1] as const) {
      const actual = balance(setting, atOf(address(name), MINTS[asset]));
      if (actual !== expected[asset])
        throw new Error(`${name} has ${actual} of asset ${asset}, not ${expected[asset]}`);
      sums[asset] = (sums[asset] ?? 0n) + actual;
    }
  }
  let deposits = 0n;
  for (const order of model.orders.values()) deposits += order.deposit;
  const all = FLOAT * BigInt(PEOPLE.length);
  if (sums[0] !== all - deposits || sums[1] !== all) throw new Error('money was made or lost');
  for (const asset of [0, 1] as const) {
    const open = [...model.tabs.values()].filter((tab) => tab.asset === asset);
    const owed = open.reduce((sum, tab) => sum + tab.amount, 0n);
    if (owed !== model.wallet(VAULT).balance[asset]) throw new Error('the vault does not hold the open tabs');
  }
}

describe('the program and its model', () => {
  it(`agree about ${OPERATIONS.toLocaleString('en')} random operations`, () => {
    // What needs several steps before it is tried more often, so that it succeeds too.
    const names = [...Object.keys(PLAYS), 'charge', 'charge', 'charge', 'later', 'sweep', 'deposit', 'subscribe'];
    const succeeded = new Map<string, number>();
    let world = startWorld(randomOf(1));
    let done = 0;
    for (let round = 1; done < OPERATIONS; ) {
      if (world.step >= WORLD) world = startWorld(randomOf(++round));
      world.step++;
      const name = world.random.pick(names);
      const operation = PLAYS[name]?.(world) ?? null;
      if (!operation) continue;
      done++;
      if (operation.actual !== operation.expected)
        throw new Error(
          `${operation.name}: the program says ${operation.actual}, the model ${operation.expected} (world ${round}, step ${world.step})`,
        );
      if (operation.actual === null) succeeded.set(name, (succeeded.get(name) ?? 0) + 1);
      compare(world);
    }
    // Random operations that all fail would agree as well.
    for (const name of Object.keys(PLAYS).filter((one) => !['approve', 'later', 'deposit'].includes(one)))
      expect(succeeded.get(name) ?? 0, name).toBeGreaterThan(0);
  }, 1_200_000);
});

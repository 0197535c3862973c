// For each instruction one that is about to succeed, with everything around it in place; and how to change one thing of it.
import { PublicKey, TransactionInstruction } from '@solana/web3.js';
import {
  bucketOf,
  limitsOf,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  tokenAccount,
  WRAPPED_SOL,
} from '../../src/chain/solana/addresses.ts';
import { decode, encode, type Fields, type SolanaAddress, sizeOf, type Values } from '../../src/chain/solana/codec.ts';
import { INSTRUCTIONS, type InstructionName } from '../../src/chain/solana/instructions.ts';
import { isSame, named, type Outcome, put, putToken, type Seen } from './machine.ts';
import {
  atOf,
  campaign,
  claim,
  deployed,
  FLOAT,
  HOUR,
  initialization,
  initialized,
  limitsInstruction,
  MILLION,
  must,
  openTab,
  order,
  person,
  plan,
  ROLES,
  refundTab,
  type Setting,
  tabAt,
  tabTip,
  tips,
  USDC,
} from './setting.ts';

export const ALICE = named('alice');
export const BOB = named('bob');
/** Has what the others have, signs whatever is wanted, and wants what is theirs. */
export const MALLORY = named('mallory');
export const DAY = 86_400;

/** Alice has limits and money, Bob is paid, Mallory tries things. */
export function world(): Setting {
  const setting = initialized();
  for (const name of ['alice', 'bob', 'mallory']) person(setting, name);
  return setting;
}

export const nonceAt = (setting: Setting, extra = 1n) => (BigInt(setting.now()) << 20n) + extra;

export function pauseProgram(setting: Setting, seconds = HOUR): void {
  must(setting, setting.build('pause', { args: { seconds: BigInt(seconds) }, accounts: { guardian: ROLES.guardian } }));
}

type OwnersOwn =
  | 'proposeOwner'
  | 'setGuardian'
  | 'addExecutor'
  | 'removeExecutor'
  | 'announceAuthority'
  | 'announceTreasury';
/** What the owner does with one key. */
export const ownerSets = (setting: Setting, name: OwnersOwn, key: SolanaAddress) =>
  setting.build(name, { args: { key }, accounts: { owner: ROLES.owner } });

export const callerApplies = (
  setting: Setting,
  name: 'acceptOwner' | 'applyAuthority' | 'applyTreasury',
  caller: SolanaAddress,
) => setting.build(name, { args: {}, accounts: { caller } });

export const hourNow = (setting: Setting) => BigInt(Math.floor(setting.now() / HOUR));

export const bucketAt = (setting: Setting, hour = hourNow(setting), shard = 0) =>
  bucketOf(setting.program, hour, shard).address;

export const limitsAt = (setting: Setting, owner: SolanaAddress) => limitsOf(setting.program, owner).address;

export const closeBucket = (setting: Setting, bucket: SolanaAddress, payers: readonly SolanaAddress[]) =>
  setting.build('closeBucket', {
    args: {},
    accounts: { caller: MALLORY, bucket },
    each: payers.map((payer) => ({ payer })),
  });

/** Money that a payer sent to an order's deposit: written, as a transfer of another program would. */
export function deposit(setting: Setting, owner: SolanaAddress, amount: bigint): void {
  putToken(setting, { owner, mint: USDC, amount });
}

export type Scene = {
  of: InstructionName;
  make(): { setting: Setting; ready: TransactionInstruction };
};

const inWorld = (of: InstructionName, ready: (setting: Setting) => TransactionInstruction): Scene => ({
  of,
  make() {
    const setting = world();
    return { setting, ready: ready(setting) };
  },
});

const inRoles = (of: InstructionName, ready: (setting: Setting) => TransactionInstruction): Scene => ({
  of,
  make() {
    const setting = initialized();
    setting.give(MALLORY, 1_000_000_000n);
    return { setting, ready: ready(setting) };
  },
});

/** An order with its deposit open and money in it. */
function withDeposit(setting: Setting, held: bigint, business = true) {
  const one = order(setting, { payee: BOB, business });
  must(setting, one.openDeposit());
  deposit(setting, one.account, held);
  return one;
}

function subscribed(setting: Setting) {
  const one = plan(setting, BOB);
  must(setting, one.create());
  must(setting, one.subscribe(ALICE));
  return one;
}

/** By name; the name of an instruction is its plainest scene. */
export const SCENES = {
  initialize: {
    of: 'initialize',
    make() {
      const setting = deployed();
      setting.give(MALLORY, 1_000_000_000n);
      // The payer is another one than the upgrade authority, so that each signature counts for itself.
      return { setting, ready: changed('initialize', initialization(setting), { accounts: { payer: MALLORY } }) };
    },
  },
  proposeOwner: inRoles('proposeOwner', (s) => ownerSets(s, 'proposeOwner', named('next owner'))),
  acceptOwner: inRoles('acceptOwner', (s) => {
    must(s, ownerSets(s, 'proposeOwner', named('next owner')));
    return callerApplies(s, 'acceptOwner', named('next owner'));
  }),
  setGuardian: inRoles('setGuardian', (s) => ownerSets(s, 'setGuardian', named('next guardian'))),
  addExecutor: inRoles('addExecutor', (s) => ownerSets(s, 'addExecutor', named('executor 3'))),
  removeExecutor: inRoles('removeExecutor', (s) => ownerSets(s, 'removeExecutor', ROLES.executor2)),
  announceAuthority: inRoles('announceAuthority', (s) => ownerSets(s, 'announceAuthority', named('next authority'))),
  applyAuthority: inRoles('applyAuthority', (s) => {
    must(s, ownerSets(s, 'announceAuthority', named('next authority')));
    s.later(7 * DAY);
    return callerApplies(s, 'applyAuthority', MALLORY);
  }),
  announceTreasury: inRoles('announceTreasury', (s) => ownerSets(s, 'announceTreasury', named('next treasury'))),
  applyTreasury: inRoles('applyTreasury', (s) => {
    must(s, ownerSets(s, 'announceTreasury', named('next treasury')));
    s.later(2 * DAY);
    return callerApplies(s, 'applyTreasury', MALLORY);
  }),
  pause: inRoles('pause', (s) =>
    s.build('pause', { args: { seconds: 3_600n }, accounts: { guardian: ROLES.guardian } }),
  ),
  unpause: inRoles('unpause', (s) => {
    pauseProgram(s);
    return s.build('unpause', { args: {}, accounts: { owner: ROLES.owner } });
  }),
  setShards: inRoles('setShards', (s) =>
    s.build('setShards', { args: { bits: 4, fromHour: hourNow(s) + 2n }, accounts: { owner: ROLES.owner } }),
  ),

  setLimits: inWorld('setLimits', (s) => limitsInstruction(s, ALICE, 0, 7n, 8n, 9n)),
  'setLimits, the first': inWorld('setLimits', (s) => {
    s.give(named('carol'), 1_000_000_000n);
    return limitsInstruction(s, named('carol'), 1, 7n, 8n, 9n);
  }),
  lowerLimits: inWorld('lowerLimits', (s) =>
    s.build('lowerLimits', {
      args: { asset: 0, perTip: 7n, perDay: 8n, maxFee: 9n },
      accounts: { executor: ROLES.executor, limits: limitsAt(s, ALICE) },
    }),
  ),
  setPaused: inWorld('setPaused', (s) =>
    s.build('setPaused', {
      args: { paused: true },
      accounts: { signer: ROLES.executor, limits: limitsAt(s, ALICE) },
    }),
  ),
  'setPaused, by the owner': inWorld('setPaused', (s) =>
    s.build('setPaused', { args: { paused: false }, accounts: { signer: ALICE, limits: limitsAt(s, ALICE) } }),
  ),
  closeLimits: inWorld('closeLimits', (s) =>
    s.build('closeLimits', {
      args: {},
      accounts: { owner: ALICE, limits: limitsAt(s, ALICE), rentTo: ROLES.executor },
    }),
  ),

  tip: inWorld('tip', (s) => tips(s, [{ from: ALICE, to: BOB }])),
  'tip, in wrapped SOL': inWorld('tip', (s) => {
    must(s, tips(s, [{ key: 'before', from: MALLORY, to: BOB }]));
    return tips(s, [{ from: ALICE, to: BOB, mint: WRAPPED_SOL }]);
  }),
  tipToTab: inWorld('tipToTab', (s) => tabTip(s, { from: ALICE })),
  closeBucket: inWorld('closeBucket', (s) => {
    must(s, tips(s, [{ from: ALICE, to: BOB }]));
    const bucket = bucketAt(s);
    s.later(26 * HOUR);
    return closeBucket(s, bucket, [ROLES.executor]);
  }),

  openTab: inWorld('openTab', (s) => openTab(s, ALICE, nonceAt(s))),
  'openTab, in wrapped SOL, without limits': inWorld('openTab', (s) => {
    must(
      s,
      s.build('closeLimits', {
        args: {},
        accounts: { owner: ALICE, limits: limitsAt(s, ALICE), rentTo: ROLES.executor },
      }),
    );
    return openTab(s, ALICE, nonceAt(s), { mint: WRAPPED_SOL });
  }),
  claimTab: inWorld('claimTab', (s) => {
    must(s, openTab(s, ALICE, nonceAt(s)));
    return claim(s, tabAt(s, ALICE, nonceAt(s)), BOB);
  }),
  refundTab: inWorld('refundTab', (s) => {
    const nonce = nonceAt(s);
    must(s, openTab(s, ALICE, nonce, { revocable: false }));
    s.later(7 * DAY);
    return refundTab(s, tabAt(s, ALICE, nonce), ALICE, { caller: MALLORY });
  }),
  'refundTab, by the sender': inWorld('refundTab', (s) => {
    must(s, openTab(s, ALICE, nonceAt(s)));
    return refundTab(s, tabAt(s, ALICE, nonceAt(s)), ALICE);
  }),

  pay: inWorld('pay', (s) => order(s, { payee: BOB }).pay(ALICE)),
  'pay, in SOL': inWorld('pay', (s) => order(s, { payee: BOB, asset: 2 }).pay(ALICE)),
  openDeposit: inWorld('openDeposit', (s) => order(s, { payee: BOB }).openDeposit()),
  sweep: inWorld('sweep', (s) => withDeposit(s, 12n * MILLION).sweep(MALLORY)),
  acceptDeposit: inWorld('acceptDeposit', (s) => withDeposit(s, 9n * MILLION).accept()),
  'acceptDeposit, by anyone': inWorld('acceptDeposit', (s) => {
    const one = withDeposit(s, 12n * MILLION);
    s.later(91 * DAY);
    return one.accept(MALLORY);
  }),
  returnDeposit: inWorld('returnDeposit', (s) => withDeposit(s, 9n * MILLION).giveBack(atOf(ALICE), 4n * MILLION)),
  refund: inWorld('refund', (s) => {
    const one = order(s, { payee: BOB });
    must(s, one.pay(ALICE));
    return one.refund(atOf(ALICE), 4n * MILLION);
  }),
  'refund, in SOL': inWorld('refund', (s) => {
    const one = order(s, { payee: BOB, asset: 2 });
    must(s, one.pay(ALICE));
    return one.refund(ALICE, 4n * MILLION);
  }),
  closeOrder: inWorld('closeOrder', (s) => {
    const one = withDeposit(s, 12n * MILLION);
    must(s, one.sweep());
    must(s, one.giveBack(atOf(ALICE), 2n * MILLION));
    s.later(91 * DAY);
    return one.close();
  }),

  createPlan: inWorld('createPlan', (s) => plan(s, BOB).create()),
  setPlan: inWorld('setPlan', (s) => {
    must(s, plan(s, BOB).create());
    return plan(s, BOB).set(2);
  }),
  closePlan: inWorld('closePlan', (s) => {
    must(s, plan(s, BOB).create());
    must(s, plan(s, BOB).set(2));
    return plan(s, BOB).close();
  }),
  subscribe: inWorld('subscribe', (s) => {
    must(s, plan(s, BOB).create());
    return plan(s, BOB).subscribe(ALICE);
  }),
  charge: inWorld('charge', (s) => {
    const one = subscribed(s);
    s.later(DAY);
    return one.charge(ALICE, MALLORY);
  }),
  cancel: inWorld('cancel', (s) => subscribed(s).cancel(ALICE)),
  halt: inWorld('halt', (s) => subscribed(s).halt(ALICE)),
  closeSubscription: inWorld('closeSubscription', (s) => {
    const one = subscribed(s);
    must(s, one.cancel(ALICE));
    s.later(DAY / 2);
    return one.closeSubscription(ALICE);
  }),

  openCampaign: inWorld('openCampaign', (s) => campaign(s, ALICE).open()),
  grant: inWorld('grant', (s) => {
    must(s, campaign(s, ALICE).open());
    return campaign(s, ALICE).grant([{ index: 0, to: BOB }]);
  }),
  closeCampaign: inWorld('closeCampaign', (s) => {
    must(s, campaign(s, ALICE).open());
    return campaign(s, ALICE).close();
  }),
  deleteCampaign: inWorld('deleteCampaign', (s) => {
    const one = campaign(s, ALICE);
    must(s, one.open());
    s.later(31 * DAY);
    return one.remove();
  }),
} satisfies Record<string, Scene> & Record<InstructionName, Scene>;

export type SceneName = keyof typeof SCENES;

type Ready = { setting: Setting; ready: TransactionInstruction };
const MADE = new Map<SceneName, Ready & { back: () => void }>();

/** A scene as it was made, whatever was done to it before: one machine a scene and process. @returns the same one the next time */
export function sceneOf(name: SceneName): Ready {
  const known = MADE.get(name);
  if (known) {
    known.back();
    return { setting: known.setting, ready: changed(SCENES[name].of, known.ready, {}) };
  }
  const { setting, ready } = SCENES[name].make();
  MADE.set(name, { setting, ready, back: setting.checkpoint() });
  return { setting, ready: changed(SCENES[name].of, ready, {}) };
}

export type Slot = { index: number; name: string; role: string };

/** The accounts of an instruction with their roles; the program's own is the first. A repeated account has the number of its group. */
export function slotsOf(name: InstructionName, instruction: TransactionInstruction): Slot[] {
  const shape = INSTRUCTIONS[name];
  const slots: Slot[] = [{ index: 0, name: 'program', role: '' }];
  const add = (label: string, role: string) => slots.push({ index: slots.length, name: label, role });
  for (const [account, role] of Object.entries(shape.accounts)) add(account, role);
  const repeated = 'each' in shape ? Object.entries(shape.each.accounts) : [];
  for (let group = 0; repeated.length > 0 && slots.length < instruction.keys.length; group++) {
    for (const [account, role] of repeated) add(group === 0 ? account : `${account} ${group}`, role);
  }
  return slots;
}

export type Change = {
  args?: Record<string, unknown>;
  /** Of one leg, grant or payer. */
  each?: { at?: number; args: Record<string, unknown> };
  accounts?: Record<string, SolanaAddress>;
};

/** The same instruction with other arguments or accounts. */
export function changed(
  name: InstructionName,
  instruction: TransactionInstruction,
  { args = {}, each, accounts = {} }: Change,
): TransactionInstruction {
  const shape = INSTRUCTIONS[name];
  const data = Buffer.from(instruction.data);
  patch(shape.args, data, 1, args);
  if (each && 'each' in shape) {
    const at = 1 + sizeOf(shape.args) + (each.at ?? 0) * sizeOf(shape.each.args);
    patch(shape.each.args, data, at, each.args);
  }
  const keys = instruction.keys.map((meta) => ({ ...meta }));
  const slots = slotsOf(name, instruction);
  for (const [account, address] of Object.entries(accounts)) {
    const slot = slots.find((one) => one.name === account);
    const meta = keys[slot?.index ?? -1];
    if (!meta) throw new RangeError(`${name} has no account ${account}`);
    meta.pubkey = new PublicKey(address);
  }
  return new TransactionInstruction({ programId: instruction.programId, keys, data });
}

function patch(fields: Fields, data: Buffer, at: number, values: Record<string, unknown>): void {
  for (const name of Object.keys(values)) if (!(name in fields)) throw new RangeError(`there is no ${name}`);
  data.set(encode(fields, { ...decode(fields, data, at), ...values } as Values<Fields>), at);
}

/** The address in one of an instruction's accounts. */
export function accountOf(name: InstructionName, instruction: TransactionInstruction, account: string): SolanaAddress {
  const slot = slotsOf(name, instruction).find((one) => one.name === account);
  const key = instruction.keys[slot?.index ?? -1];
  if (!key) throw new RangeError(`${name} has no account ${account}`);
  return key.pubkey.toBase58();
}

/** Accounts at a moment; null where there is none. */
export type Snapshot = Map<SolanaAddress, Seen>;

/** The accounts that a transaction of these instructions can change. The fee payer, which no instruction names, is left out. */
export function snapshot(setting: Setting, ...instructions: TransactionInstruction[]): Snapshot {
  const keys = new Set(instructions.flatMap(({ keys: metas }) => metas.map(({ pubkey }) => addressOf(pubkey))));
  return new Map([...keys].map((key) => [key, setting.account(key)]));
}

const ADDRESSES = new WeakMap<PublicKey, SolanaAddress>();

/** The text of a key, which web3.js computes each time. */
export function addressOf(key: PublicKey): SolanaAddress {
  const known = ADDRESSES.get(key);
  if (known !== undefined) return known;
  const address = key.toBase58();
  ADDRESSES.set(key, address);
  return address;
}

/** Writes accounts as they were. */
export function restore(setting: Setting, before: Snapshot, which: Iterable<SolanaAddress>): void {
  for (const at of which) {
    const was = before.get(at) ?? null;
    put(setting, at, was?.owner ?? SYSTEM_PROGRAM, was?.data ?? new Uint8Array(), was?.lamports ?? 0n);
  }
}

/** What differs between two moments: nothing, after a transaction that failed. */
export function differences(before: Snapshot, after: Snapshot): SolanaAddress[] {
  return [...after.keys()].filter((at) => !isSame(before.get(at) ?? null, after.get(at) ?? null));
}

export type Attempt = Outcome & { before: Snapshot; after: Snapshot; moved: SolanaAddress[] };

export function attempt(setting: Setting, ...instructions: TransactionInstruction[]): Attempt {
  const before = snapshot(setting, ...instructions);
  const outcome = setting.run(...instructions);
  const after = snapshot(setting, ...instructions);
  return { ...outcome, before, after, moved: differences(before, after) };
}

/** What each wallet has more or less of each mint, in the accounts of a transaction; zeros are left out. */
export function tokenChanges({ before, after }: Pick<Attempt, 'before' | 'after'>): Record<string, bigint> {
  const changes: Record<string, bigint> = {};
  const count = (account: Seen, sign: bigint) => {
    if (account?.owner !== TOKEN_PROGRAM || account.data.length !== 165) return;
    const { mint, owner, amount } = decode(TOKEN_HEAD, account.data);
    const name = `${nameOf(owner)} ${nameOf(mint)}`;
    changes[name] = (changes[name] ?? 0n) + sign * amount;
  };
  for (const account of before.values()) count(account, -1n);
  for (const account of after.values()) count(account, 1n);
  return Object.fromEntries(Object.entries(changes).filter(([, change]) => change !== 0n));
}

const TOKEN_HEAD = { mint: 'address', owner: 'address', amount: 'u64' } as const satisfies Fields;

const NAMES = new Map<SolanaAddress, string>([
  [ALICE, 'alice'],
  [BOB, 'bob'],
  [MALLORY, 'mallory'],
  [USDC, 'USDC'],
  [WRAPPED_SOL, 'wrapped SOL'],
  ...Object.entries(ROLES).map(([name, key]) => [key, name] as const),
]);
export const nameOf = (address: SolanaAddress): string => NAMES.get(address) ?? address;

/** A second token account of a wallet, which is not its associated one. */
export function secondAccount(
  setting: Setting,
  owner: SolanaAddress,
  { mint = USDC, amount = FLOAT, isApproved = false } = {},
): SolanaAddress {
  const delegate = isApproved ? { delegate: { to: setting.spender, amount } } : {};
  return putToken(setting, { owner, mint, amount, ...delegate }, named(`second ${owner} ${mint}`));
}

export const bumpOf = (owner: SolanaAddress, mint = USDC) => tokenAccount(owner, mint).bump;

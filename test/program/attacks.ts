// What a thief tries with an instruction that is about to succeed: with each account of it, with its data, and with what lies in the accounts.
import { type AccountMeta, PublicKey, TransactionInstruction } from '@solana/web3.js';
import {
  LOADER_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL,
} from '../../src/chain/solana/addresses.ts';
import { type SolanaAddress, solanaAddressBytes } from '../../src/domain/solanaAddress.ts';
import { named, putToken, type Seen } from './machine.ts';
import {
  ALICE,
  addressOf,
  BOB,
  bucketAt,
  limitsAt,
  MALLORY,
  nonceAt,
  type Scene,
  type Slot,
  slotsOf,
} from './scenes.ts';
import {
  atOf,
  campaign,
  FLOAT,
  HOUR,
  must,
  openTab,
  order,
  plan,
  ROLES,
  type Setting,
  tabAt,
  tips,
  USDC,
} from './setting.ts';

export type Attack = {
  slot: string;
  how: string;
  /** An account that is another one for this attack only. */
  prepared?: { at: SolanaAddress; as: NonNullable<Seen> };
  /** The account that another one stands for, and that other one. */
  swapped?: SolanaAddress[];
  instructions: TransactionInstruction[];
};

/** One object for an address, so that its text is computed once. */
const KEYS = new Map<SolanaAddress, PublicKey>();
function keyOf(address: SolanaAddress): PublicKey {
  const known = KEYS.get(address);
  if (known) return known;
  const key = new PublicKey(address);
  KEYS.set(address, key);
  return key;
}

const OTHER_PROGRAM = named('another program');
const OTHER_MINT = named('another mint');

/** Accounts of every kind that belong to others than those of the instruction; written once for a scene. */
export function bystanders(setting: Setting): Record<string, SolanaAddress> {
  const pool: Record<string, SolanaAddress> = {
    'a wallet': named('passer-by'),
    'an empty address': named('nothing is here'),
    mallory: MALLORY,
    alice: ALICE,
    bob: BOB,
    'the config': setting.config,
    'the spender': setting.spender,
    'the vault': setting.vault,
  };
  setting.give(named('passer-by'), 1_000_000_000n);
  if (setting.data(limitsAt(setting, MALLORY))) {
    const nonce = nonceAt(setting);
    const ofMallory = { order: order(setting, { payee: MALLORY }), plan: plan(setting, MALLORY) };
    must(setting, openTab(setting, MALLORY, nonce));
    must(setting, ofMallory.order.openDeposit(MALLORY));
    must(setting, ofMallory.plan.create());
    must(setting, ofMallory.plan.subscribe(MALLORY_BUYS));
    must(setting, campaign(setting, MALLORY).open());
    must(setting, tips(setting, [{ key: 'other', from: MALLORY, to: ALICE, time: setting.now() - HOUR }]));
    Object.assign(pool, {
      "mallory's limits": limitsAt(setting, MALLORY),
      "bob's limits": limitsAt(setting, BOB),
      "mallory's tab": tabAt(setting, MALLORY, nonce),
      "mallory's order": ofMallory.order.account,
      "mallory's deposit": ofMallory.order.deposit,
      "mallory's plan": ofMallory.plan.account,
      "mallory's subscription": ofMallory.plan.subscriptionAt(MALLORY_BUYS),
      "mallory's campaign": campaign(setting, MALLORY).account,
      "another hour's bucket": bucketAt(setting, BigInt(Math.floor(setting.now() / HOUR) - 1)),
    });
  }
  const owners = { alice: ALICE, bob: BOB, mallory: MALLORY, treasury: ROLES.treasury, vault: setting.vault };
  for (const [name, owner] of Object.entries(owners)) {
    pool[`${name}'s USDC`] = atOf(owner);
    pool[`${name}'s wrapped SOL`] = atOf(owner, WRAPPED_SOL);
    const delegate = { to: setting.spender, amount: FLOAT };
    for (const [label, mint] of [
      ['second USDC account', USDC],
      ['second wrapped SOL account', WRAPPED_SOL],
      ['account of another mint', OTHER_MINT],
    ] as const) {
      const at = named(`${name} ${label}`);
      pool[`${name}'s ${label}`] = putToken(setting, { owner, mint, amount: FLOAT, delegate }, at);
    }
  }
  return pool;
}

/** Who subscribed to Mallory's plan. */
const MALLORY_BUYS = BOB;

const SIGNERS: Record<string, SolanaAddress> = { mallory: MALLORY, alice: ALICE, bob: BOB, ...ROLES };

type Target = {
  setting: Setting;
  scene: Scene;
  ready: TransactionInstruction;
  pool: Record<string, SolanaAddress>;
};

export function attacksOn(target: Target): Attack[] {
  const slots = slotsOf(target.scene.of, target.ready);
  return [
    ...slots.flatMap((slot) => [
      ...withoutRole(target, slot),
      ...withAnother(target, slot),
      ...withItself(target, slot, slots),
      ...withAnotherContent(target, slot),
    ]),
    ...withAnotherLength(target),
  ];
}

function withKey(ready: TransactionInstruction, index: number, change: Partial<AccountMeta>): TransactionInstruction[] {
  const keys = ready.keys.map((meta, at) => (at === index ? { ...meta, ...change } : { ...meta }));
  return [new TransactionInstruction({ programId: ready.programId, keys, data: ready.data })];
}

const keyAt = (ready: TransactionInstruction, index: number) =>
  addressOf(ready.keys[index]?.pubkey ?? PublicKey.default);

function withoutRole({ ready }: Target, slot: Slot): Attack[] {
  const attacks: Attack[] = [];
  const others = ready.keys.filter((_, at) => at !== slot.index);
  const key = keyAt(ready, slot.index);
  // A wallet that the instruction names twice keeps the role from its other place.
  const elsewhere = others.filter(({ pubkey }) => addressOf(pubkey) === key);
  if (slot.role.includes('s') && !elsewhere.some(({ isSigner }) => isSigner)) {
    attacks.push({
      slot: slot.name,
      how: 'without its signature',
      instructions: withKey(ready, slot.index, { isSigner: false }),
    });
  }
  if (slot.role.includes('w') && !elsewhere.some(({ isWritable }) => isWritable)) {
    attacks.push({
      slot: slot.name,
      how: 'read-only',
      instructions: withKey(ready, slot.index, { isWritable: false }),
    });
  }
  return attacks;
}

/** Of one address whatever the instruction is about: a few others show that it is checked, or not used. */
const FIXED = new Set(['program', 'config', 'spender', 'vault', 'tokenProgram', 'associatedTokenProgram', 'system']);
const FEW = ['a wallet', 'mallory', 'the config', 'the spender', 'the vault', "alice's USDC"];

function withAnother({ ready, pool }: Target, slot: Slot): Attack[] {
  // No thief signs for an address that has no key, so a signer is replaced by a wallet.
  const few = FIXED.has(slot.name) ? Object.fromEntries(FEW.map((name) => [name, pool[name] ?? MALLORY])) : pool;
  const candidates = slot.role.includes('s') ? SIGNERS : few;
  return Object.entries(candidates)
    .filter(([, key]) => key !== keyAt(ready, slot.index))
    .map(([name, key]) => ({
      slot: slot.name,
      how: `replaced by ${name}`,
      swapped: [keyAt(ready, slot.index), key],
      instructions: withKey(ready, slot.index, { pubkey: keyOf(key) }),
    }));
}

function withItself({ setting, ready }: Target, slot: Slot, slots: Slot[]): Attack[] {
  return slots
    .filter(({ index }) => keyAt(ready, index) !== keyAt(ready, slot.index))
    .filter(({ index, role }) => {
      const isWallet = (setting.owner(keyAt(ready, index)) ?? SYSTEM_PROGRAM) === SYSTEM_PROGRAM;
      return !slot.role.includes('s') || role.includes('s') || (isWallet && setting.lamports(keyAt(ready, index)) > 0n);
    })
    .map((other) => ({
      slot: slot.name,
      how: `the same as ${other.name}`,
      swapped: [keyAt(ready, slot.index), keyAt(ready, other.index)],
      instructions: withKey(ready, slot.index, { pubkey: keyOf(keyAt(ready, other.index)) }),
    }));
}

const PROGRAMS = new Set<string>([TOKEN_PROGRAM, SYSTEM_PROGRAM, LOADER_PROGRAM]);

/** The account at its address, of another owner or with other bytes; and copies of it elsewhere. */
function withAnotherContent({ setting, ready }: Target, slot: Slot): Attack[] {
  const at = keyAt(ready, slot.index);
  const was = setting.account(at);
  if (was === null || was.data.length === 0 || PROGRAMS.has(at) || at === setting.program) return [];
  const inPlace = (how: string, owner: SolanaAddress, data: Uint8Array): Attack => ({
    slot: slot.name,
    how,
    prepared: { at, as: { owner, data, lamports: was.lamports } },
    instructions: [ready],
  });
  const copy = named(`copy of ${at}`);
  const elsewhere = (how: string, owner: SolanaAddress): Attack => ({
    slot: slot.name,
    how,
    prepared: { at: copy, as: { ...was, owner } },
    instructions: withKey(ready, slot.index, { pubkey: keyOf(copy) }),
  });
  const attacks = [
    inPlace('under Token-2022', TOKEN_2022_PROGRAM, was.data),
    inPlace('under another program', OTHER_PROGRAM, was.data),
    inPlace('under the system program', SYSTEM_PROGRAM, was.data),
    elsewhere('its bytes under Token-2022 elsewhere', TOKEN_2022_PROGRAM),
    elsewhere('its bytes under another program elsewhere', OTHER_PROGRAM),
    elsewhere('its bytes under the system program elsewhere', SYSTEM_PROGRAM),
  ];
  if (was.owner === setting.program) attacks.push(...ofProgram(inPlace, was, setting.program));
  if (was.owner === TOKEN_PROGRAM && was.data.length === 165) attacks.push(...ofTokens(inPlace, was));
  attacks.push({
    slot: slot.name,
    how: 'closed before',
    prepared: { at, as: { owner: SYSTEM_PROGRAM, data: new Uint8Array(), lamports: 0n } },
    instructions: [ready],
  });
  return attacks;
}

type InPlace = (how: string, owner: SolanaAddress, data: Uint8Array) => Attack;

function edited(data: Uint8Array, at: number, bytes: Uint8Array | number[]): Uint8Array {
  const copy = Uint8Array.from(data);
  copy.set(bytes, at);
  return copy;
}

function ofProgram(inPlace: InPlace, was: NonNullable<Seen>, program: SolanaAddress): Attack[] {
  const kinds = [0, 1, 2, 3, 4, 5, 6, 7, 8].filter((kind) => kind !== was.data[0]);
  return [
    ...kinds.map((kind) => inPlace(`with the kind ${kind}`, program, edited(was.data, 0, [kind]))),
    inPlace('cut to 20 bytes', program, was.data.slice(0, 20)),
  ];
}

function ofTokens(inPlace: InPlace, was: NonNullable<Seen>): Attack[] {
  const to = (how: string, at: number, bytes: Uint8Array | number[]) =>
    inPlace(how, TOKEN_PROGRAM, edited(was.data, at, bytes));
  return [
    to('of another mint', 0, solanaAddressBytes(OTHER_MINT)),
    to("of mallory's wallet", 32, solanaAddressBytes(MALLORY)),
    to('frozen', 108, [2]),
    to('not initialized', 108, [0]),
    inPlace('a byte shorter', TOKEN_PROGRAM, was.data.slice(0, 164)),
    inPlace('a byte longer', TOKEN_PROGRAM, Buffer.concat([was.data, Buffer.alloc(1)])),
  ];
}

function withAnotherLength({ ready }: Target): Attack[] {
  const { programId, keys, data } = ready;
  const one = (how: string, change: { keys?: AccountMeta[]; data?: Buffer }): Attack => ({
    slot: '(all)',
    how,
    instructions: [new TransactionInstruction({ programId, keys, data, ...change })],
  });
  const trailing = { pubkey: keyOf(named('passer-by')), isSigner: false, isWritable: true };
  return [
    one('an account more', { keys: [...keys, trailing] }),
    one('its last account twice', { keys: [...keys, ...keys.slice(-1)] }),
    one('an account less', { keys: keys.slice(0, -1) }),
    one('without the program in front', { keys: keys.slice(1) }),
    one('no accounts', { keys: [] }),
    one('a byte more', { data: Buffer.concat([data, Buffer.alloc(1)]) }),
    one('a byte less', { data: data.subarray(0, -1) }),
    { slot: '(all)', how: 'twice in one transaction', instructions: [ready, ready] },
  ];
}

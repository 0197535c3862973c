// How slots pass: one by one at the chain's pace, or in a jump when the clock moves far. Each brings blocks nearer to final.
import { randomBytes } from 'node:crypto';
import { LiteSVM, Rent } from 'litesvm';
import { forgetVersions } from './accounts.ts';
import { forkWithout } from './fork.ts';
import { sealOld } from './history.ts';
import {
  addBlock,
  type Block,
  blockAt,
  HASH_AGE,
  hashOf,
  type Ledger,
  type LedgerOptions,
  ledgerOn,
  MOST_BEHIND,
  openBlockOf,
  SLOTS_WITHOUT_BLOCK,
  setClock,
  timeOf,
} from './ledger.ts';

/** What a slot takes when slots are stepped by hand. */
const NOMINAL_SLOT_MS = 400;
/** A longer way is a jump: the slots in between have no block. */
const MOST_STEPS = 300;
/** Blocks that are kept although they are empty: more than the hashes that are valid on a node that is far behind. */
const RECENT_BLOCKS = 1_200;
/** Lamports a byte on mainnet today; with threshold 1, an account's rent is (128 + bytes) × this. */
const RENT_PER_BYTE = 5_080n;

export function createLedger(options: LedgerOptions = {}): Ledger {
  const svm = new LiteSVM().withNativeMints();
  svm.setRent(new Rent(RENT_PER_BYTE, 1, 50));
  const ledger = ledgerOn(svm, randomBytes(32).toString('hex'), options);
  const now = ledger.clock();
  // A chain that runs already: each commitment has a block.
  const blocks = ledger.finalizedAfter + 1;
  for (let at = 0; at <= blocks; at++)
    openBlock(ledger, SLOTS_WITHOUT_BLOCK + at, now - (blocks - at) * NOMINAL_SLOT_MS);
  return ledger;
}

/** Opens the blocks of `count` slots. */
export function stepSlots(ledger: Ledger, count = 1): void {
  const from = openBlockOf(ledger).timeMs;
  const until = timeOf(ledger);
  const slot = openBlockOf(ledger).slot;
  if (count > MOST_STEPS) jump(ledger, slot + count, until);
  else
    for (let at = 1; at <= count; at++) openBlock(ledger, slot + at, from + Math.floor(((until - from) * at) / count));
}

/** Opens the blocks that are due at the chain's pace. @returns how many slots passed */
export function catchUp(ledger: Ledger, slotMs = ledger.slotMs): number {
  const { timeMs, slot } = openBlockOf(ledger);
  const until = timeOf(ledger);
  const due = slotMs > 0 ? Math.floor((until - timeMs) / slotMs) : 0;
  if (due > MOST_STEPS) jump(ledger, slot + due, until);
  else for (let at = 1; at <= due; at++) openBlock(ledger, slot + at, timeMs + at * slotMs);
  return due;
}

/** Moves the clock forward, and as many slots pass as that takes. */
export function advanceClock(ledger: Ledger, ms: number): void {
  if (!Number.isSafeInteger(ms) || ms < 0) throw new RangeError('The clock only moves forward.');
  ledger.offsetMs += ms;
  ledger.changes++;
  passTime(ledger);
}

/** Brings the chain to a moment, in Unix milliseconds, before its clock gets there; the clock is not moved. */
export function moveClockTo(ledger: Ledger, ms: number): void {
  ledger.floorMs = Math.max(ledger.floorMs, ms);
  ledger.changes++;
  passTime(ledger);
}

/** The open block is not before the moment: what is due by the clock is due on the chain. */
function passTime(ledger: Ledger): void {
  catchUp(ledger, ledger.slotMs || NOMINAL_SLOT_MS);
  if (openBlockOf(ledger).timeMs < timeOf(ledger)) stepSlots(ledger);
}

/** All hashes of before expire, and what is pending becomes final, in the time that one slot takes. */
export function expireHashes(ledger: Ledger): void {
  jump(ledger, openBlockOf(ledger).slot + HASH_AGE + ledger.finalizedAfter + 2, timeOf(ledger));
}

/** The slots in between have no block; the last ones do, so that each commitment has a hash that is valid. */
function jump(ledger: Ledger, slot: number, timeMs: number): void {
  const last = openBlockOf(ledger).timeMs;
  const blocks = ledger.finalizedAfter + 1;
  const pace = Math.min(ledger.slotMs || NOMINAL_SLOT_MS, Math.floor((timeMs - last) / (blocks + 1)));
  for (let left = blocks; left >= 0; left--) openBlock(ledger, slot - left, timeMs - left * pace);
}

function openBlock(ledger: Ledger, slot: number, timeMs: number): void {
  const parent = ledger.recent.at(-1);
  const height = slot - SLOTS_WITHOUT_BLOCK;
  const hash = hashOf(ledger, `slot ${slot}`);
  const block: Block = { slot, parent: parent?.slot ?? slot, height, hash, timeMs, signatures: [], changed: new Set() };
  addBlock(ledger, block);
  setClock(ledger, block);
  if (ledger.slotMs === 0) ledger.changes++;
  forgetBlocks(ledger);
  afterSlot(ledger);
}

/** A block that is no longer recent is kept for its transactions alone; without any its slot looks skipped. */
function forgetBlocks(ledger: Ledger): void {
  const { recent, blocks, finalizedAfter } = ledger;
  for (const { slot, hash, signatures } of recent.splice(0, Math.max(0, recent.length - RECENT_BLOCKS))) {
    ledger.hashHeights.delete(hash);
    if (signatures.length === 0) blocks.delete(slot);
  }
  const oldest = recent[Math.max(0, recent.length - finalizedAfter - MOST_BEHIND - 1)] as Block;
  forgetVersions(ledger, oldest.slot);
  const { slot: final } = blockAt(ledger, 'finalized');
  if ((ledger.entries[0]?.slot ?? final + 1) <= final)
    ledger.entries = ledger.entries.filter((entry) => entry.slot > final);
}

function afterSlot(ledger: Ledger): void {
  const { slot } = openBlockOf(ledger);
  for (const [signature, at] of ledger.doomed) {
    if (at > slot) continue;
    ledger.doomed.delete(signature);
    forkWithout(ledger, signature);
  }
  sealOld(ledger);
  for (const { slot: notify } of ledger.events) notify?.();
}

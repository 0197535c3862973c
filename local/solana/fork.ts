// Forks: the part of the chain that is not final is built again without one transaction, and what depended on it goes too.
import { putAccount, replaceAccount } from './accounts.ts';
import { land } from './execution.ts';
import { forgetTransaction } from './history.ts';
import { blockAt, type Ledger, openBlockOf, setClock } from './ledger.ts';
import { decodeTransaction } from './wire.ts';

/** @returns whether the transaction was there and not final */
export function forkWithout(ledger: Ledger, signature: string): boolean {
  const gone = ledger.transactions.get(signature);
  if (!gone || gone.slot <= blockAt(ledger, 'finalized').slot) return false;
  const changed = rollBackBefore(ledger, gone.slot);
  const again = ledger.entries.filter(({ slot }) => slot >= gone.slot);
  ledger.entries = ledger.entries.filter(({ slot }) => slot < gone.slot);
  for (const entry of again) {
    const block = ledger.blocks.get(entry.slot);
    if (!block || (entry.kind === 'transaction' && entry.signature === signature)) continue;
    setClock(ledger, block);
    if (entry.kind === 'transaction') {
      // It may fail now, or not even be able to pay its fee: then it is in no block.
      land(ledger, decodeTransaction(entry.raw), block);
    } else {
      replaceAccount(ledger, entry.address, entry.account, entry.slot);
      ledger.entries.push(entry);
    }
  }
  setClock(ledger, openBlockOf(ledger));
  ledger.changes++;
  for (const { forked } of ledger.events) forked?.(changed);
  return true;
}

/** Undoes all blocks from a slot on. @returns the accounts that they had changed */
function rollBackBefore(ledger: Ledger, slot: number): Set<string> {
  const changed = new Set<string>();
  for (const [address, versions] of ledger.versions) {
    const first = versions.find((version) => version.slot >= slot);
    if (!first) continue;
    changed.add(address);
    putAccount(ledger, address, first.before);
    const kept = versions.filter((version) => version.slot < slot);
    if (kept.length > 0) ledger.versions.set(address, kept);
    else ledger.versions.delete(address);
  }
  for (const block of ledger.recent) {
    if (block.slot < slot) continue;
    for (const signature of block.signatures) forgetTransaction(ledger, signature);
    block.signatures = [];
    block.changed = new Set();
  }
  return changed;
}

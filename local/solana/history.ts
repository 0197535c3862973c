// The transactions that are in blocks, by signature and by address: the newest ones, up to a limit.
import { deflateSync } from 'node:zlib';
import { blockAt, type LandedTransaction, type Ledger } from './ledger.ts';

const SEALED_TRANSACTIONS = 256;

export function addTransaction(ledger: Ledger, landed: LandedTransaction): void {
  const { signature, keys } = landed;
  ledger.transactions.set(signature, landed);
  for (const key of keys) {
    const signatures = ledger.byAddress.get(key);
    if (signatures) signatures.push(signature);
    else ledger.byAddress.set(key, [signature]);
  }
}

export function forgetTransaction(ledger: Ledger, signature: string): void {
  const landed = ledger.transactions.get(signature);
  if (!landed) return;
  ledger.transactions.delete(signature);
  for (const key of landed.keys) {
    const signatures = ledger.byAddress.get(key) ?? [];
    // Forks remove from the end, the limit from the beginning.
    const at = signatures[0] === signature ? 0 : signatures.lastIndexOf(signature);
    if (at >= 0) signatures.splice(at, 1);
    if (signatures.length === 0) ledger.byAddress.delete(key);
  }
}

/** Final transactions are sealed in parts of one size, and those beyond the limit are forgotten. */
export function sealOld(ledger: Ledger): void {
  const { slot: final } = blockAt(ledger, 'finalized');
  const sealedCount = ledger.sealed.reduce((sum, { signatures }) => sum + signatures.length, 0);
  if (ledger.transactions.size - sealedCount >= SEALED_TRANSACTIONS) {
    const open = [...ledger.transactions.values()].slice(sealedCount).filter(({ slot }) => slot <= final);
    for (let at = 0; at + SEALED_TRANSACTIONS <= open.length; at += SEALED_TRANSACTIONS) {
      const part = open.slice(at, at + SEALED_TRANSACTIONS);
      ledger.sealed.push({ signatures: part.map(({ signature }) => signature), bytes: pack(part) });
    }
  }
  while (ledger.transactions.size > ledger.mostTransactions && ledger.sealed.length > 0) {
    for (const signature of ledger.sealed.shift()?.signatures ?? []) {
      const slot = ledger.transactions.get(signature)?.slot;
      forgetTransaction(ledger, signature);
      const block = slot === undefined ? undefined : ledger.blocks.get(slot);
      if (!block) continue;
      block.signatures = block.signatures.filter((one) => one !== signature);
      if (block.signatures.length === 0 && !ledger.hashHeights.has(block.hash)) ledger.blocks.delete(block.slot);
    }
  }
}

export function pack(transactions: readonly LandedTransaction[]): Buffer {
  return deflateSync(serialize(transactions), { level: 1 });
}

export function serialize(transactions: readonly LandedTransaction[]): string {
  return JSON.stringify(transactions.map((one) => ({ ...one, raw: Buffer.from(one.raw).toString('base64') })));
}

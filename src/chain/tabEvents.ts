// What happened to tabs, in one shape for chains of all families.
import type { TabTerms } from '../domain/typedData/escrow.ts';
import type { EscrowLog } from './logs/escrow.ts';
import type { SolanaReceipt } from './receipt.ts';
import type { SolanaChain } from './solana/client.ts';
import { tokenOf } from './solana/tabs.ts';

/** `block` is its number, or its slot on Solana; `at` is when it was made. */
type Event = { tabId: string; txHash: string; block: bigint; at: Date };
export type TabOpening = Event & { name: 'opened'; terms: TabTerms };
export type TabClosing = Event & ({ name: 'claimed'; recipient: string } | { name: 'refunded'; sender: string });
export type TabEvent = TabOpening | TabClosing;

/** @param at when its block was made */
export function tabEventOf(log: EscrowLog, at: Date): TabEvent {
  const event = { tabId: log.args.tabId, txHash: log.transactionHash, block: log.blockNumber, at };
  if (log.eventName === 'TabClaimed') return { ...event, name: 'claimed', recipient: log.args.recipient };
  if (log.eventName === 'TabRefunded') return { ...event, name: 'refunded', sender: log.args.sender };
  const { sender, token, handleKey, amount, deadline, senderNonce, revocable } = log.args;
  return { ...event, name: 'opened', terms: { sender, token, handleKey, amount, deadline, senderNonce, revocable } };
}

/** The same of the program's events in a transaction. @param at when its slot was */
export function tabEventsOfSolana(chain: SolanaChain, { events, hash, block }: SolanaReceipt, at: Date): TabEvent[] {
  const found = { txHash: hash, block, at };
  return events.flatMap((event): TabEvent[] => {
    if (event.name === 'tabClaimed')
      return [{ ...found, tabId: event.tabId, name: 'claimed', recipient: event.recipient }];
    if (event.name === 'tabRefunded') return [{ ...found, tabId: event.tabId, name: 'refunded', sender: event.sender }];
    if (event.name !== 'tabOpened') return [];
    const { tabId, sender, asset, handleKey, amount, deadline, nonce, revocable } = event;
    const senderNonce = BigInt(nonce);
    const terms = { sender, token: tokenOf(chain, asset), handleKey, amount, deadline, senderNonce, revocable };
    return [{ ...found, tabId, name: 'opened', terms }];
  });
}

// Unclaimed money goes back: when its sender wants it, and after the deadline by anyone's transaction, always to its sender.
import { type Address, createTestClient, createWalletClient, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { waitForReceipt } from '../../src/chain/rpc/receipts.ts';
import type { EscrowList, OneEscrow } from '../../src/http/api/escrowAnswers.ts';
import { openLocalChain } from '../chains/deploy/send.ts';
import type { Person } from '../stack/people.ts';
import { type Browser, openBrowser } from './browser.ts';
import { answered } from './chat.ts';
import { moved, readLedger } from './ledger.ts';
import { pay } from './payments.ts';
import { check, type Tour, until } from './tour.ts';

type Call = { to: Address; data: Hex };

export async function takenBack(tour: Tour): Promise<void> {
  const { tip, browser, escrow, call } = await keep(tour);
  const before = await readLedger(tour);
  const txHash = await sendAs(tour, tour.cast.rosa, call);
  await browser.post(`/api/escrow/${escrow.id}`, { action: 'refund', txHash });
  await closed(browser, escrow.id);
  const transaction = await moved(tour, before, { rosa: '3', tabs: '-3' });
  const receipt = await answered(tour.chats.telegram, tip.written, ({ text }) => text.includes('↩️'));
  tour.tell('Telegram: Rosa tips Uwe, who never connects, and takes it back with her wallet. The chat says so.', {
    ...tip.facts,
    afterwards: receipt.text,
    refund: transaction,
  });
}

/** Moves the chain's clock, so it comes last. */
export async function overdue(tour: Tour): Promise<void> {
  const { tip, browser, escrow, call } = await keep(tour);
  const { cast, client } = tour;
  const early = await client.call({ account: cast.sven.address, ...call }).catch(() => 'refused');
  check(early === 'refused', 'no one else can send it back before the deadline');
  const before = await readLedger(tour);
  const { timestamp } = await client.getBlock();
  const admin = createTestClient({ mode: 'anvil', transport: http(rpcOf(tour)) });
  await admin.increaseTime({ seconds: escrow.deadline - Number(timestamp) + 60 });
  await admin.mine({ blocks: 1 });
  await sendAs(tour, cast.sven, call);
  await closed(browser, escrow.id);
  const transaction = await moved(tour, before, { rosa: '3', tabs: '-3' });
  tour.tell(
    'A last one is forgotten. After its deadline (the chain’s clock is moved by a week) anyone may send it back. Sven does; it goes to Rosa.',
    { opened: tip.facts['transaction'], refund: transaction },
  );
}

/** Rosa keeps 3 USDC for Uwe. @returns what she would send to take it back */
async function keep(tour: Tour) {
  const { cast, chats, local } = tour;
  const { telegram } = chats;
  const changes = { rosa: '-3', tabs: '3' };
  const tip = await pay(tour, telegram, { by: 'rosa', text: `tip ${telegram.at(cast.uwe)} 3`, changes });
  const browser = await openBrowser(local, cast.rosa, cast.sessions[cast.rosa.name]);
  const escrow = await until('the tab is open', async () => {
    const { escrows } = await browser.get<EscrowList>('/api/escrow?role=sender');
    return escrows.find(({ status }) => status === 'open');
  });
  const { transaction: call } = await browser.get<{ transaction: Call }>(`/api/escrow/${escrow.id}/refund_data`);
  return { tip, browser, escrow, call: { to: call.to, data: call.data } };
}

function closed(browser: Browser, id: string): Promise<true> {
  return until('the tab is refunded', async () => {
    const { escrow } = await browser.get<OneEscrow>(`/api/escrow/${id}`);
    return escrow.status === 'refunded';
  });
}

async function sendAs(tour: Tour, who: Person, call: Call): Promise<Hex> {
  // They have coins for gas from then on.
  await openLocalChain(rpcOf(tour), who.key);
  const wallet = createWalletClient({ account: privateKeyToAccount(who.key), transport: http(rpcOf(tour)) });
  const hash = await wallet.sendTransaction({ ...call, chain: null });
  const receipt = await waitForReceipt(tour.client, hash, { withinMs: 30_000 });
  check(receipt.status === 'success', `the transaction ${hash} succeeded`);
  return hash;
}

function rpcOf({ local }: Tour): string {
  return local.chains['base']?.rpc_url ?? '';
}

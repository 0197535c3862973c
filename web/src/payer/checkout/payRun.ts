// One payment from a wallet: on the right network, agreed to by its owner, handed to the service or sent by the wallet itself.
import { ApiError } from '../../app/apiError.ts';
import { readReceipt, sendTransaction, signTyped, switchChain, type WalletProvider } from '../../wallet/requests.ts';
import { signSolanaTransaction } from '../../wallet/solana/requests.ts';
import type { SolanaWallet } from '../../wallet/solana/wallets.ts';
import {
  type OrderNow,
  type Prepared,
  preparePayment,
  submitHash,
  submitSigned,
  submitWhole,
  type WalletCall,
} from './checkoutApi.ts';
import { wordsNow } from './language.ts';
import { forgetSent, keepSent } from './sent.ts';

/** What the page waits for: `sent` is a transaction of the wallet's own that the chain has not shown yet. */
export type PayStage = 'network' | 'approve' | 'approving' | 'confirm' | 'sign' | 'sign-again' | 'send' | 'sent';

type EvmPayer = { provider: WalletProvider; address: string };
export type Payer = EvmPayer | { solana: SolanaWallet; address: string };

const POLL_MS = 1_500;
const PATIENCE_MS = 3 * 60_000;
const HASH_TRIES = 40;

/**
 * @returns the order after it, or null where only the chain can tell
 * @throws WalletError, ApiError, or Error with a sentence for people
 */
export async function payOrder(
  payer: Payer,
  prepared: Prepared,
  onStage: (stage: PayStage) => void,
): Promise<OrderNow | null> {
  const { order, payment } = prepared;
  if ('provider' in payer) return payOnEvm(payer, prepared, onStage);
  if (payment?.way !== 'transaction') throw new Error(wordsNow().cantPayHere);
  onStage('sign');
  const signed = await signSolanaTransaction(payer.solana, payer.address, payment.transaction.solana_transaction);
  onStage('send');
  return submitWhole(order.id, payment, signed);
}

async function payOnEvm(
  { provider, address }: EvmPayer,
  prepared: Prepared,
  onStage: (stage: PayStage) => void,
): Promise<OrderNow | null> {
  const { order, chain, payment } = prepared;
  if (!payment || payment.way === 'transaction') throw new Error(wordsNow().cantPayHere);
  onStage('network');
  await switchChain(provider, chain.chain_id, chain.label, chain.add);
  if (payment.gasless) {
    const signatures: string[] = [];
    for (const { typed_data } of payment.sign) {
      onStage(signatures.length === 0 ? 'sign' : 'sign-again');
      signatures.push(await signTyped(provider, address, typed_data, chain.label));
    }
    onStage('send');
    return submitSigned(order.id, payment, signatures);
  }
  const send = (call: WalletCall) => sendTransaction(provider, address, call, chain.label);
  for (const call of payment.calls) {
    onStage(call.kind === 'approve' ? 'approve' : 'confirm');
    const hash = await send(call);
    if (call.kind === 'approve') {
      onStage('approving');
      await untilApproved({ provider, address }, hash, prepared);
      continue;
    }
    keepSent(order.id, hash);
    onStage('sent');
    // The service sees the payment on the chain anyway; posting it only shows it earlier.
    void tellOf(order.id, hash);
    if (await isDone(provider, hash)) continue;
    forgetSent(order.id);
    throw new Error(wordsNow().reverted);
  }
  return null;
}

/** Says again, while the chain does not show it, that a transaction was sent. */
export async function tellOf(orderId: string, hash: string): Promise<void> {
  for (let tries = 0; tries < HASH_TRIES; tries += 1) {
    try {
      await submitHash(orderId, hash);
      return;
    } catch (error) {
      const mayCome = error instanceof ApiError && ['tx_not_found', 'unreachable'].includes(error.code);
      if (!mayCome) return;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** A wallet that shows no receipts lets the service look, which asks for no allowance where there is one. */
async function untilApproved({ provider, address }: EvmPayer, hash: string, { order }: Prepared): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    const receipt = await readReceipt(provider, hash);
    if (receipt?.status === '0x0') throw new Error(wordsNow().reverted);
    if (receipt) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const { payment } = await preparePayment(order.id, { payer: address, way: 'direct' });
    if (!payment || payment.gasless || payment.calls.every(({ kind }) => kind === 'pay')) return;
  }
  throw new Error(wordsNow().slowNetwork);
}

/** @returns whether it did what it should, once it is in a block. @throws Error when it is in none after minutes */
async function isDone(provider: WalletProvider, hash: string): Promise<boolean> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const receipt = await readReceipt(provider, hash);
    if (receipt) return receipt.status !== '0x0';
    if (Date.now() > end) throw new Error(wordsNow().slowNetwork);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

// The payer's part of a payment from elsewhere: each leg on its own network, signed or sent, one after the other.
import { ApiError } from '../app/apiError.ts';
import { shortHex } from '../app/format.ts';
import { readReceipt, sendTransaction, signTyped, switchChain, type WalletProvider } from '../wallet/requests.ts';
import { signSolanaTransaction } from '../wallet/solana/requests.ts';
import type { SolanaWallet } from '../wallet/solana/wallets.ts';
import { type PreparedSmart, type SmartPayment, submitLeg } from './smartApi.ts';

type Leg = PreparedSmart['legs'][number];
type Step = Leg['steps'][number];
type Sent = Extract<Step, { kind: 'transaction' }>;

const POLL_MS = 1_500;
const PATIENCE_MS = 3 * 60_000;
const HASH_POLL_MS = 3_000;
const HASH_TRIES = 20;
const MAY_COME = new Set(['tx_not_found', 'unreachable', 'rate_limited', 'provider_unavailable', 'internal_error']);

/** What the page waits for: leg `n` in the wallet, or in the service's hands. */
export type SmartStage = { n: number; stage: 'network' | 'sign' | 'approve' | 'approving' | 'confirm' | 'send' };

/** Which transactions the wallet sent already: these are never sent again. */
export type SentLegs = { of(n: number): string | null; keep(n: number, hash: string | null): void };

/** The wallets that pay: one of a family at most. */
export type LegWallets = {
  evm: { provider: WalletProvider; address: string } | null;
  solana: { wallet: SolanaWallet; address: string } | null;
};

/** Sentences, in the page's language. */
export type GiveWords = { reverted: string; slowNetwork: string; otherWallet(address: string): string };

/**
 * Legs that are signed or sent already are left alone.
 * @returns the payment after the last leg
 * @throws WalletError, ApiError, or Error with a sentence for people; the legs before stay given
 */
export async function giveLegs(
  { evm, solana }: LegWallets,
  prepared: PreparedSmart,
  sent: SentLegs,
  onStage: (stage: SmartStage) => void,
  words: GiveWords,
): Promise<SmartPayment | null> {
  let after: SmartPayment | null = null;
  for (const leg of prepared.legs) {
    if (leg.status !== 'prepared') continue;
    const stage = (name: SmartStage['stage']) => onStage({ n: leg.n, stage: name });
    // `useUnseen` reports it beside this.
    if (sent.of(leg.n) !== null) continue;
    for (const step of leg.steps) {
      if (step.kind !== 'solana_transaction') continue;
      if (!solana) throw new Error(words.otherWallet(shortHex(leg.payer)));
      stage('sign');
      const signed = await signSolanaTransaction(solana.wallet, step.signed_by, step.solana_transaction);
      stage('send');
      after = await submitLeg(prepared.id, leg.n, { solana_transaction: signed });
    }
    // Wallets add a network by what the service says of it; on others nothing is sent from here.
    if (leg.network === null) continue;
    if (!evm) throw new Error(words.otherWallet(shortHex(leg.payer)));
    const { provider, address } = evm;
    stage('network');
    await switchChain(provider, Number(leg.network.chainId), leg.chain_label, leg.network);
    for (const step of leg.steps) {
      if (step.kind === 'solana_transaction') continue;
      if (step.kind === 'signature') {
        stage('sign');
        const signature = await signTyped(provider, address, step.typed_data, leg.chain_label);
        stage('send');
        after = await submitLeg(prepared.id, leg.n, { signature });
        continue;
      }
      stage(step.purpose === 'approve' ? 'approve' : 'confirm');
      const hash = await send(provider, address, leg, step);
      if (step.purpose === 'approve') {
        stage('approving');
        await untilMined(provider, hash, words);
        continue;
      }
      sent.keep(leg.n, hash);
      stage('send');
      after = await report(prepared.id, leg.n, hash, sent);
    }
  }
  return after;
}

function send(
  provider: WalletProvider,
  address: string,
  leg: Leg,
  { to, data, value, chain_id }: Sent,
): Promise<string> {
  return sendTransaction(provider, address, { to, data, value, chainId: chain_id }, leg.chain_label);
}

async function untilMined(provider: WalletProvider, hash: string, words: GiveWords): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    const receipt = await readReceipt(provider, hash);
    if (receipt?.status === '0x0') throw new Error(words.reverted);
    if (receipt) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(words.slowNetwork);
}

/** Says again, while the chain does not show it, that a transaction was sent. The service finds it by itself as well. @returns null where it takes longer */
async function report(paymentId: string, n: number, txHash: string, sent: SentLegs): Promise<SmartPayment | null> {
  for (let tries = 0; tries < HASH_TRIES; tries += 1) {
    try {
      return await submitLeg(paymentId, n, { txHash });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The chain refused it, or it does something else: nothing was paid.
      if (error.code === 'tx_mismatch') sent.keep(n, null);
      if (!MAY_COME.has(error.code)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, HASH_POLL_MS));
  }
  return null;
}

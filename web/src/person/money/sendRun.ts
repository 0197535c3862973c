// One press of Send: the wallet signs and Ampersat sends, or the wallet sends by itself. Whatever is pressed again is the same payment: its terms are frozen
// by the service, and their key at the router settles once.
import { findChain } from '../../../../src/domain/chains.ts';
import type { SendView } from '../../../../src/http/api/sendAnswers.ts';
import type { TypedData } from '../../app/api.ts';
import { type AnyWallet, providerOf, solanaWalletOf } from '../../wallet/anyWallet.ts';
import { PASSKEY_ID } from '../../wallet/passkey/passkeyWallet.ts';
import { sendTransaction, signTyped } from '../../wallet/requests.ts';
import { signSolanaTransaction } from '../../wallet/solana/requests.ts';
import type { NoteStep } from '../../wallet/WalletAction.tsx';
import { inBlock } from '../../wallet/waiting.ts';
import { actOnSend, fetchOffer } from './moneyApi.ts';

const LATE = 'This is taking longer than usual. Your payment is kept here: come back to it in a few minutes.';
const REFUSED = 'The network rejected the approval. Nothing was sent. Try again.';

/** @throws WalletError, ApiError, or Error with a sentence for people */
export async function runSend(send: SendView, wallet: AnyWallet, note: NoteStep): Promise<void> {
  const { id, from_address: from, chain_label: label } = send;
  const { sign, transaction, calls, lacks_gas } = await fetchOffer(id);
  const [confirming, handing] = [
    { now: 'Confirm in your wallet…', after: 'Confirmed' },
    { now: 'Handing it over…', after: 'Handed over to Ampersat' },
  ];
  if (transaction !== null) {
    note(confirming);
    const signed = await signSolanaTransaction(solanaWalletOf(wallet), from, transaction);
    note(handing);
    await actOnSend(id, { action: 'submit', solana_transaction: signed });
    return;
  }
  const provider = providerOf(wallet);
  if (sign) {
    note(confirming);
    const signature = await signTyped(provider, from, sign as unknown as TypedData, label);
    note(handing);
    await actOnSend(id, { action: 'submit', signature });
    return;
  }
  // Before the service counts the payment as under way.
  const coin = findChain(send.chain)?.native ?? 'coins';
  if (wallet.id === PASSKEY_ID)
    throw new Error(
      `A passkey can’t pay the network fee on ${label}. Choose a network without one, or use a wallet app.`,
    );
  if (lacks_gas)
    throw new Error(`Your wallet has no ${coin} on ${label} for the network fee. Add some, then try again.`);
  await actOnSend(id, { action: 'begin' });
  for (const { kind, ...call } of calls ?? []) {
    const isApproval = kind === 'approve';
    note(
      isApproval
        ? { now: 'Approve the amount in your wallet…', after: 'Approved in your wallet' }
        : { now: 'Confirm the payment in your wallet…', after: 'Sent by your wallet' },
    );
    const hash = await sendTransaction(provider, from, call, label);
    if (isApproval) await inBlock(provider, hash, LATE, REFUSED);
  }
}

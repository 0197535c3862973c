// A Solana cluster in this process, as a deployment sees one: each transaction is a slot, and can be made to get lost.
import { type Address, address, lamports } from '@solana/kit';
import { type Keypair, PublicKey, Transaction, VersionedTransaction } from '@solana/web3.js';
import { FailedTransactionMetadata, LiteSVM } from 'litesvm';
import type { DeployCluster } from '../../src/chain/solana/deploy.ts';

export type SentTransaction = { logs: string[]; units: number; error: string | null };
export type LitesvmCluster = DeployCluster & {
  svm: LiteSVM;
  fund: (to: PublicKey, sol: number) => void;
  /** Sends without throwing. */
  send: (transaction: Transaction, signers: Keypair[]) => SentTransaction;
  /** Decides about each transaction before it is sent; the number counts from 0. Throws to lose it. */
  before: (number: number) => void;
  sent: SentTransaction[];
};

export function litesvmCluster(): LitesvmCluster {
  const svm = new LiteSVM();
  const key = (pubkey: PublicKey): Address => address(pubkey.toBase58());
  let asked = 0;
  const cluster: LitesvmCluster = {
    svm,
    sent: [],
    unitPrice: 0n,
    before: () => {},
    fund: (to, sol) => void svm.airdrop(key(to), lamports(BigInt(Math.round(sol * 1e9)))),
    getAccount: async (of) => {
      const found = svm.getAccount(key(of));
      if (!found.exists) return null;
      const { lamports: balance, executable, programAddress, data } = found;
      return { lamports: balance, executable, owner: new PublicKey(programAddress), data };
    },
    minimumBalance: async (bytes) => svm.minimumBalanceForRentExemption(BigInt(bytes)),
    send: (transaction, signers) => {
      transaction.recentBlockhash = svm.latestBlockhash();
      transaction.feePayer = signers[0]!.publicKey;
      transaction.sign(...signers);
      const outcome = svm.sendTransaction(kitTransaction(transaction));
      const isFailed = outcome instanceof FailedTransactionMetadata;
      const meta = isFailed ? outcome.meta() : outcome;
      const error = isFailed ? String(outcome.err()) : null;
      // A program can be called from the slot after its deployment on.
      const clock = svm.getClock();
      clock.slot += 1n;
      svm.setClock(clock);
      svm.expireBlockhash();
      return { logs: meta.logs(), units: Number(meta.computeUnitsConsumed()), error };
    },
    sendAndConfirm: async (instructions, signers) => {
      asked += 1;
      cluster.before(asked - 1);
      const sent = cluster.send(new Transaction().add(...instructions), signers);
      cluster.sent.push(sent);
      if (sent.error) throw new Error(`${sent.error}\n${sent.logs.join('\n')}`);
      return `transaction ${cluster.sent.length}`;
    },
  };
  return cluster;
}

/** The client's transaction in the shape of another client's, from its bytes. */
function kitTransaction(transaction: Transaction): Parameters<LiteSVM['sendTransaction']>[0] {
  const bytes = transaction.serialize();
  const versioned = VersionedTransaction.deserialize(bytes);
  const signatures = Object.fromEntries(
    versioned.message.staticAccountKeys
      .slice(0, versioned.signatures.length)
      .map((signer, index) => [signer.toBase58(), versioned.signatures[index]]),
  );
  return { messageBytes: versioned.message.serialize(), signatures } as unknown as Parameters<
    LiteSVM['sendTransaction']
  >[0];
}

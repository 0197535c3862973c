// A ledger in this process as a deployment sees a cluster: transactions land in the open block, so nothing is waited for.
import { PublicKey, type Keypair as Web3Keypair } from '@solana/web3.js';
import type { DeployCluster } from '../../src/chain/solana/deploy.ts';
import { readAccount } from './accounts.ts';
import { execute } from './genesis.ts';
import { type Keypair, keypairOf } from './keys.ts';
import type { Ledger } from './ledger.ts';
import type { Call } from './wire.ts';

/** An instruction as web3.js has it. */
export type Web3Instruction = Parameters<DeployCluster['sendAndConfirm']>[0][number];

export function ledgerCluster(ledger: Ledger): DeployCluster {
  return {
    unitPrice: 0n,
    getAccount: async (address) => {
      const found = readAccount(ledger, address.toBase58());
      return found && { ...found, owner: new PublicKey(found.owner) };
    },
    minimumBalance: async (bytes) => ledger.svm.minimumBalanceForRentExemption(BigInt(bytes)),
    sendAndConfirm: async (instructions, signers) =>
      execute(ledger, signers.map(localKeypair), instructions.map(callOf)).signature,
  };
}

/** Node signs in a hundredth of the time that web3.js takes. */
function localKeypair({ secretKey }: Web3Keypair): Keypair {
  return keypairOf(secretKey.subarray(0, 32));
}

export function callOf({ programId, keys, data }: Web3Instruction): Call {
  const accounts = keys.map(({ pubkey, isSigner, isWritable }) => ({
    address: pubkey.toBase58(),
    signer: isSigner,
    writable: isWritable,
  }));
  return { program: programId.toBase58(), accounts, data };
}

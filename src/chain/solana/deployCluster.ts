// A cluster behind an RPC endpoint, as a deployment needs it. A transaction is signed again only when the one before can never land.
import { setTimeout as delay } from 'node:timers/promises';
import {
  ComputeBudgetProgram,
  Connection,
  type Keypair,
  SendTransactionError,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import { solanaSignatureOf } from '../../domain/solanaAddress.ts';
import type { DeployCluster } from './deploy.ts';
import { SolanaDeployError } from './deployPlan.ts';

/** A slot is 400 ms; asked for the outcome, and sent again, so often. */
const POLL_MS = 1_000;
/** So many block hashes may expire before a run ends. */
const ATTEMPTS = 5;

type Wait = (milliseconds: number) => Promise<unknown>;
/** What is used of web3.js's connection. */
export type DeployConnection = Pick<
  Connection,
  | 'getAccountInfo'
  | 'getMinimumBalanceForRentExemption'
  | 'getLatestBlockhash'
  | 'getBlockHeight'
  | 'getSignatureStatuses'
  | 'sendRawTransaction'
>;

/** @param unitPrice what a compute unit is paid, in millionths of a lamport */
export function openSolanaCluster(rpcUrl: string, unitPrice: bigint): DeployCluster {
  return clusterOf(new Connection(rpcUrl, 'confirmed'), unitPrice);
}

/** @param wait how a second passes, another way in tests */
export function clusterOf(connection: DeployConnection, unitPrice: bigint, wait: Wait = delay): DeployCluster {
  return {
    unitPrice,
    getAccount: async (address) => {
      const info = await connection.getAccountInfo(address, 'confirmed');
      return info && { ...info, lamports: BigInt(info.lamports) };
    },
    minimumBalance: async (bytes) => BigInt(await connection.getMinimumBalanceForRentExemption(bytes)),
    sendAndConfirm: async (instructions, signers, computeUnits) => {
      const priced = [...price(computeUnits, unitPrice), ...instructions];
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const signature = await sendOnce(connection, priced, signers, wait);
        if (signature) return signature;
      }
      throw new SolanaDeployError(`a transaction expired ${ATTEMPTS} times: raise the price of compute units`);
    },
  };
}

function price(computeUnits: number, unitPrice: bigint): TransactionInstruction[] {
  if (unitPrice === 0n) return [];
  return [
    ComputeBudgetProgram.setComputeUnitLimit({ units: computeUnits }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: unitPrice }),
  ];
}

/** @returns the signature once it is confirmed; null when its block hash expired at a finalized block without it @throws SolanaDeployError when it failed */
async function sendOnce(
  connection: DeployConnection,
  instructions: TransactionInstruction[],
  signers: Keypair[],
  wait: Wait,
): Promise<string | null> {
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash('confirmed');
  const transaction = new Transaction({ feePayer: signers[0]!.publicKey, blockhash, lastValidBlockHeight });
  transaction.add(...instructions).sign(...signers);
  const bytes = transaction.serialize();
  const signature = solanaSignatureOf(transaction.signature!);
  for (let sent = 0; ; sent += 1) {
    try {
      // The node simulates the first one, and says what is wrong with it.
      await connection.sendRawTransaction(bytes, {
        skipPreflight: sent > 0,
        preflightCommitment: 'confirmed',
        maxRetries: 0,
      });
    } catch (cause) {
      // A node that has the block hash not yet. Any other failure of the network leaves open whether it arrived.
      const isUnknownHash = cause instanceof SendTransactionError && /Blockhash not found/.test(cause.message);
      if (sent === 0 && cause instanceof SendTransactionError && !isUnknownHash)
        throw new SolanaDeployError(`a transaction was refused: ${cause.transactionError.message}`, { cause });
    }
    // The height first: what is not known afterwards can never land.
    const isExpired = (await connection.getBlockHeight('finalized')) > lastValidBlockHeight;
    const { value } = await connection.getSignatureStatuses([signature], { searchTransactionHistory: isExpired });
    const status = value[0];
    if (status?.err) throw new SolanaDeployError(`${signature} failed: ${JSON.stringify(status.err)}`);
    if (status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized') return signature;
    if (isExpired && !status) return null;
    await wait(POLL_MS);
  }
}

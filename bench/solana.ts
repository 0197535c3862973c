// The main job on Solana: from a typed message to the receipt in the chat, against a bare web3.js loop on the same cluster.
import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { crowd } from '../local/platforms/loadGenerator.ts';
import { giveSolana } from '../local/solana/grants.ts';
import { localSolanaKey } from '../local/solana/keys.ts';
import type { Person } from '../local/stack/people.ts';
import { seedMore } from '../local/stack/seed.ts';
import type { Stack } from '../local/stack/stack.ts';
import type { Row } from './main.ts';
import { measureLoad, quantile, round, TIPS_EACH } from './tips.ts';

const ONE_BY_ONE = 20;
const SENDERS = 60;
const BARE = 20;
const POLL_MS = 20;
const USDC = 1_000_000n;

export async function measureSolana(stack: Stack): Promise<Row[]> {
  const patient = crowd('slowsol', 5_000, ONE_BY_ONE / TIPS_EACH);
  const eager = crowd('fastsol', 6_000, SENDERS);
  await seedMore(stack.processEnv, [], [...patient, ...eager]);
  fund(stack, [...patient, ...eager]);
  const bare = await bareTransfers(stack, patient[0] as Person);
  const load = { backend: 'Solana', bare, bareName: 'a bare web3.js loop' };
  return measureLoad(stack, { ...load, patient, eager, text: '/tip @bob 1 on solana' });
}

function fund({ solana }: Stack, people: readonly Person[]): void {
  if (!solana) throw new Error('the stack has a Solana chain');
  const { ledger, ...local } = solana;
  const limits = { perTip: 100n * USDC, perDay: 500n * USDC, maxFee: USDC };
  for (const { name } of people)
    giveSolana(ledger, local, localSolanaKey(name), { lamports: 1_000_000_000n, usdc: 1_000n * USDC, limits });
}

/** Transfers of SOL by a bare client, each signed, sent and confirmed before the next. */
async function bareTransfers({ local }: Stack, { name }: Person): Promise<{ p50: number; perSecond: number }> {
  const url = local.chains.solana?.rpc_url ?? '';
  const connection = new Connection(url, 'confirmed');
  const from = Keypair.fromSecretKey(localSolanaKey(name).secretBytes);
  const to = new PublicKey(local.solana?.treasury ?? '');
  const times: number[] = [];
  const started = performance.now();
  for (let index = 0; index < BARE; index++) {
    const sent = performance.now();
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = new Transaction({ feePayer: from.publicKey, recentBlockhash: blockhash });
    transaction.add(SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports: 1_000 + index }));
    transaction.sign(from);
    const signature = await connection.sendRawTransaction(transaction.serialize());
    await confirmed(connection, signature);
    times.push(performance.now() - sent);
  }
  times.sort((a, b) => a - b);
  return { p50: quantile(times, 0.5), perSecond: round(BARE / ((performance.now() - started) / 1_000)) };
}

async function confirmed(connection: Connection, signature: string): Promise<void> {
  for (;;) {
    const { value } = await connection.getSignatureStatuses([signature]);
    const status = value[0]?.confirmationStatus;
    if (status === 'confirmed' || status === 'finalized') return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

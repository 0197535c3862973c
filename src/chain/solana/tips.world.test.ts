// Tips on Solana by the cluster's own word: what a sender can pay, which legs share a transaction, what would be refused, what was paid and in which one.
import { MessageV0 } from '@solana/web3.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SolanaWorld, startSolanaWorld } from '../../../test/setup/solanaWorld.ts';
import { WRAPPED_SOL } from './addresses.ts';
import { compileMessage, createSolanaChain, type SolanaChain } from './client.ts';
import { buildInstruction } from './instructions.ts';
import { decodePayload, EXECUTOR, encodeInstructions, encodeSignedMessage } from './payload.ts';
import {
  findPaidOnSolana,
  messageTimeOf,
  packSolanaTips,
  readTipTerms,
  recallOnSolana,
  type SolanaTip,
  solanaLegOutcomes,
  solanaSenderStates,
  solanaTipCall,
  type TipTerms,
} from './tips.ts';
import { receiptOfSolana, simulateSolana } from './transactions.ts';

let solana: SolanaWorld;
let chain: SolanaChain;
let terms: TipTerms;
const MILLION = 1_000_000n;

beforeAll(async () => {
  solana = await startSolanaWorld({ slotMs: 0, finalizedAfter: 4 });
  const { program, usdc } = solana;
  chain = createSolanaChain('solana', { rpcUrls: [solana.node.url], program, usdc, local: true });
  terms = await readTipTerms(chain);
});
afterAll(() => solana.stop());

function leg(from: string, to: string, number: number, token = solana.usdc): SolanaTip & { to: 'wallet' } {
  const time = BigInt(solana.now());
  return {
    to: 'wallet',
    opensAccount: false,
    messageKey: `0x${String(number).padStart(2, '0')}${'ab'.repeat(23)}${time.toString(16).padStart(16, '0')}`,
    sender: from,
    recipient: to,
    token,
    amount: 5n * MILLION,
    fee: 50_000n,
    validUntil: time + 900n,
  };
}

/** Lands a pack in a block that is confirmed. @returns the signature */
function pay(pack: SolanaTip[]): string {
  const [executor] = solana.roles.executors;
  const stored = encodeInstructions(solanaTipCall(chain, terms, pack).instructions);
  const payload = decodePayload(stored, executor!.address);
  if (!('instructions' in payload)) throw new Error('these are instructions');
  const { signature } = solana.send([executor!], ...payload.instructions);
  solana.step(3);
  return signature;
}

test('a sender has what its token account and its limits say', async () => {
  const [alice, empty] = [solana.person('alice'), solana.person('empty', { lamports: 1_000_000_000n, usdc: 0n })];
  solana.step(3);
  const asked = [
    { sender: alice.address, token: solana.usdc },
    { sender: alice.address, token: WRAPPED_SOL },
    { sender: empty.address, token: solana.usdc },
  ];
  const [ofAlice, wrapped, ofEmpty] = await solanaSenderStates(chain, asked, BigInt(solana.now()));
  const limits = { perTip: 1_000n * MILLION, perDay: 1_000n * MILLION, maxFee: MILLION, spent24h: 0n };
  expect(ofAlice).toMatchObject({ balance: 1_000n * MILLION, ...limits, paused: false, routerPaused: false });
  expect(ofAlice?.allowance).toBeGreaterThanOrEqual(1_000n * MILLION);
  expect(wrapped).toMatchObject({ perTip: 0n });
  expect(ofEmpty).toMatchObject({ balance: 0n, allowance: 0n, perTip: 0n });
});

test('legs share a transaction as long as they fit, of one token and one bucket', async () => {
  const names = Array.from({ length: 9 }, (_, at) => solana.person(`packed ${at}`).address);
  const [sender = '', ...others] = names;
  const legs = others.map((to, at) => leg(sender, to, at));
  const old = {
    ...leg(sender, others[0] ?? '', 40),
    messageKey: legs[0]?.messageKey.replace(/.{16}$/, (time) =>
      (BigInt(`0x${time}`) - 7_200n).toString(16).padStart(16, '0'),
    ) as `0x${string}`,
  };
  const tab: SolanaTip = {
    to: 'tab',
    handleSlug: 'telegram:id:5',
    deadline: BigInt(solana.now()) + 7_200n,
    messageKey: leg(sender, '', 41).messageKey,
    sender,
    token: solana.usdc,
    amount: MILLION,
    validUntil: BigInt(solana.now()) + 900n,
  };
  const packs = packSolanaTips(chain, terms, [...legs, old, tab]);
  expect(packs.flat()).toHaveLength(10);
  expect(packs.map((pack) => pack.length)).toEqual([...packs.slice(0, -2).map((pack) => pack.length), 1, 1]);
  expect(Math.max(...packs.map((pack) => pack.length))).toBeGreaterThanOrEqual(3);
  for (const pack of packs) pay(pack);
  for (const one of [...legs, tab]) expect(await recallOnSolana(chain, terms, one.messageKey)).toBe('processed');
});

test('what was paid is proven by the event of its terms, and of no others', async () => {
  const [alice, bob] = [solana.person('anna').address, solana.person('ben').address];
  const paid = leg(alice, bob, 50);
  const other = leg(alice, bob, 51);
  const executor = solana.roles.executors[0]?.address ?? '';
  const simulate = async (tip: SolanaTip) => {
    const call = solanaTipCall(chain, terms, [tip]);
    const payload = decodePayload(encodeInstructions(call.instructions), executor);
    return simulateSolana(chain, executor, { instructions: [], units: call.units, ...payload });
  };
  solana.step(3);
  expect(await simulate(paid)).toBeNull();
  expect(await simulate({ ...paid, amount: 2_000n * MILLION })).toMatchObject({ name: 'LimitPerTip' });
  expect(await recallOnSolana(chain, terms, paid.messageKey)).toBe('unknown');
  const signature = pay([paid]);
  expect(await simulate(paid)).toMatchObject({ name: 'AlreadyProcessed' });
  const receipt = await receiptOfSolana(chain, signature);
  expect(receipt && [...solanaLegOutcomes(receipt).keys()]).toEqual([paid.messageKey]);
  const since = messageTimeOf(paid.messageKey);
  expect(await findPaidOnSolana(chain, paid, since)).toBe(signature);
  expect(await findPaidOnSolana(chain, { ...paid, amount: 4n * MILLION }, since)).toBeNull();
  expect(await findPaidOnSolana(chain, other, since)).toBeNull();
});

test('a message that others signed is stored with their signatures', () => {
  const executor = solana.roles.executors[0]?.address ?? '';
  const instruction = buildInstruction(chain.program, 'refundTab', {
    args: {},
    accounts: { caller: EXECUTOR, tab: executor, vaultAccount: executor, to: executor, rentTo: executor },
  });
  const message = compileMessage(EXECUTOR, { instructions: [instruction], units: 9 }, 1, { blockhash: WRAPPED_SOL });
  const signatures = new Map([[executor, new Uint8Array(64).fill(7)]]);
  const stored = decodePayload(encodeSignedMessage({ message, signatures, lastValidHeight: 12n }), executor);
  if (!('message' in stored)) throw new Error('this is a message');
  expect(Buffer.from(stored.message.serialize())).toEqual(Buffer.from(message.serialize()));
  expect(stored.message).toBeInstanceOf(MessageV0);
  expect(stored.signatures.get(executor)).toEqual(Buffer.alloc(64, 7));
  expect(stored.lastValidHeight).toBe(12n);
});

// What Relay may ask a wallet of Solana to sign: one deposit at a configured depository, of exactly what was quoted. Everything else is refused.
import { expect, test } from 'vitest';
import { DEPOSITORY } from '../../../local/bridge/solanaPlace.ts';
import { check } from '../../../local/program/record.ts';
import { findToolchain } from '../../../local/program/toolchain.ts';
import { localSolanaKey } from '../../../local/solana/keys.ts';
import { depositInstruction, depositVault } from '../solana/relayDepository.ts';
import { type RelayRequest, readQuote } from './relay.ts';

const PROGRAM = '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const SOL = '11111111111111111111111111111111';
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
const [PAYER, THIEF] = ['payer', 'thief'].map((name) => localSolanaKey(`relay ${name}`).address) as [string, string];
const REQUEST = `0x${'a'.repeat(64)}`;
const ORDER = `0x${'b'.repeat(64)}` as const;
const AMOUNT = 5_030_000n;

const request: RelayRequest = {
  payer: PAYER,
  recipient: `0x${'2'.repeat(40)}`,
  input: { chainId: 792_703_809, token: USDC, decimals: 6 },
  output: { chainId: 8453, token: `0x${'5'.repeat(40)}`, decimals: 6 },
  amount: 5_000_000n,
  slippageBps: 200,
};
type Quoted = { programId: string; keys: { pubkey: string; isSigner: boolean; isWritable: boolean }[]; data: string };
function deposit(over: Partial<Parameters<typeof depositInstruction>[0]> = {}): Quoted {
  const { keys, programId, data } = depositInstruction({
    ...{ program: PROGRAM, id: ORDER, payer: PAYER, mint: USDC, amount: AMOUNT },
    ...over,
  });
  return {
    programId: programId.toBase58(),
    keys: keys.map(({ pubkey, ...role }) => ({ pubkey: pubkey.toBase58(), ...role })),
    data: data.toString('hex'),
  };
}
const limit: Quoted = { programId: COMPUTE_BUDGET, keys: [], data: '02400d0300' };
function read(instructions: Quoted[], { asked = request, items = 1, currency = USDC } = {}) {
  const data = { instructions, addressLookupTableAddresses: [] };
  const step = { id: 'deposit', kind: 'transaction', requestId: REQUEST, items: Array(items).fill({ data }) };
  const answer = {
    steps: [step],
    fees: {},
    details: {
      currencyIn: { currency: { chainId: 792_703_809, address: currency, decimals: 6 }, amount: AMOUNT },
      currencyOut: {
        currency: { chainId: 8453, address: `0x${'5'.repeat(40)}`, decimals: 6 },
        amount: 5_000_000n,
        minimumAmount: 5_000_000n,
      },
    },
  };
  return readQuote(answer as never, asked, [PROGRAM]);
}

test('the layout is the one that Relay documents: a name of 8 bytes, the amount, the order', () => {
  const { data, keys } = deposit();
  // sha256("global:deposit_token"), 5,030,000 in 8 bytes with the least first.
  expect(data).toBe(`0b9c60da27a3b41370c04c0000000000${'b'.repeat(64)}`);
  expect(keys.filter(({ isSigner }) => isSigner).map(({ pubkey }) => pubkey)).toEqual([PAYER]);
  expect(deposit({ mint: null }).data).toBe(`0d9e0ddf5fd51c0670c04c0000000000${'b'.repeat(64)}`);
});

test('a deposit of a token, and of SOL, with or without a limit of compute units', () => {
  for (const instructions of [[deposit()], [limit, deposit()]])
    expect(read(instructions)).toMatchObject({
      requestId: REQUEST,
      calls: [],
      deposit: { program: PROGRAM, id: ORDER },
    });
  const asked = { ...request, input: { ...request.input, token: null } };
  expect(read([deposit({ mint: null })], { asked, currency: SOL }).deposit).toEqual({ program: PROGRAM, id: ORDER });
});

const keyed = (index: number, pubkey: string): Quoted => {
  const one = deposit();
  return { ...one, keys: one.keys.map((key, at) => (at === index ? { ...key, pubkey } : key)) };
};
test.each<[string, Quoted[], Parameters<typeof read>[1]?]>([
  ['another program', [deposit({ program: THIEF })]],
  ['another amount', [deposit({ amount: AMOUNT + 1n })]],
  ['less', [deposit({ amount: 1n })]],
  ['another payer', [deposit({ payer: THIEF })]],
  ['another token', [deposit({ mint: 'So11111111111111111111111111111111111111112' })]],
  ['SOL instead', [deposit({ mint: null })]],
  ['another vault', [keyed(6, depositVault({ program: THIEF, mint: USDC }))]],
  ['another depositor', [keyed(2, THIEF)]],
  ['another account to take from', [keyed(5, THIEF)]],
  ['a signature of another key', [{ ...deposit(), keys: deposit().keys.map((key) => ({ ...key, isSigner: true })) }]],
  [
    'an account more',
    [{ ...deposit(), keys: [...deposit().keys, { pubkey: THIEF, isSigner: false, isWritable: true }] }],
  ],
  ['a byte more', [{ ...deposit(), data: `${deposit().data}00` }]],
  ['another name', [{ ...deposit(), data: deposit().data.replace('0b9c', '0b9d') }]],
  ['what is no hex', [{ ...deposit(), data: 'nothing' }]],
  ['what is no key', [keyed(0, 'nothing')]],
  ['two deposits', [deposit(), deposit()]],
  ['a transfer beside it', [deposit(), { programId: SOL, keys: [], data: '02000000' }]],
  ['only a limit', [limit]],
  ['two transactions', [deposit()], { items: 2 }],
])('refused: %s', (_, instructions, more) => {
  expect(() => read(instructions, more)).toThrow(/something unexpected/);
});

test('the depository of the local chain is what its sources give', () => {
  expect(check(findToolchain(), DEPOSITORY)).toMatch(/sha256/);
});

// jsonParsed of instructions: what is known has names, what is not, or ends early, stays raw.
import { base58 } from '@scure/base';
import { expect, test } from 'vitest';
import { localSolanaKey } from '../keys.ts';
import { ATA_PROGRAM, TOKEN_PROGRAM } from '../tokens.ts';
import { parseInstruction } from './instructions.ts';

const SYSTEM = '11111111111111111111111111111111';
const [A = '', B = '', C = '', D = '', E = '', F = ''] = ['a', 'b', 'c', 'd', 'e', 'f'].map(
  (name) => localSolanaKey(name).address,
);
const keyBytes = (key: string) => [...base58.decode(key)];
const u64 = (value: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return [...bytes];
};
const FIVE = { amount: '5000000', decimals: 6, uiAmount: 5, uiAmountString: '5' };

const CASES: [type: string, program: string, accounts: string[], data: number[], info: object][] = [
  ['transfer', SYSTEM, [A, B], [2, 0, 0, 0, ...u64(5n)], { source: A, destination: B, lamports: 5 }],
  [
    'createAccount',
    SYSTEM,
    [A, B],
    [0, 0, 0, 0, ...u64(7n), ...u64(165n), ...keyBytes(C)],
    { source: A, newAccount: B, lamports: 7, space: 165, owner: C },
  ],
  ['transfer', TOKEN_PROGRAM, [A, B, C], [3, ...u64(5n)], { source: A, destination: B, authority: C, amount: '5' }],
  [
    'transfer',
    TOKEN_PROGRAM,
    [A, B, C, D, E],
    [3, ...u64(5n)],
    { source: A, destination: B, multisigAuthority: C, signers: [D, E], amount: '5' },
  ],
  [
    'transferChecked',
    TOKEN_PROGRAM,
    [A, B, C, D],
    [12, ...u64(5_000_000n), 6],
    { source: A, mint: B, destination: C, authority: D, tokenAmount: FIVE },
  ],
  ['approve', TOKEN_PROGRAM, [A, B, C], [4, ...u64(9n)], { source: A, delegate: B, owner: C, amount: '9' }],
  [
    'approveChecked',
    TOKEN_PROGRAM,
    [A, B, C, D],
    [13, ...u64(5_000_000n), 6],
    { source: A, mint: B, delegate: C, owner: D, tokenAmount: FIVE },
  ],
  ['revoke', TOKEN_PROGRAM, [A, B], [5], { source: A, owner: B }],
  ['mintTo', TOKEN_PROGRAM, [A, B, C], [7, ...u64(1n)], { mint: A, account: B, mintAuthority: C, amount: '1' }],
  ['closeAccount', TOKEN_PROGRAM, [A, B, C], [9], { account: A, destination: B, owner: C }],
  ['syncNative', TOKEN_PROGRAM, [A], [17], { account: A }],
  ['initializeAccount3', TOKEN_PROGRAM, [A, B], [18, ...keyBytes(C)], { account: A, mint: B, owner: C }],
  [
    'create',
    ATA_PROGRAM,
    [A, B, C, D, E, F],
    [],
    { source: A, account: B, wallet: C, mint: D, systemProgram: E, tokenProgram: F },
  ],
  [
    'createIdempotent',
    ATA_PROGRAM,
    [A, B, C, D, E, F],
    [1],
    { source: A, account: B, wallet: C, mint: D, systemProgram: E, tokenProgram: F },
  ],
];

function parse(program: string, accounts: string[], data: number[]) {
  const keys = [...accounts, program];
  const raw = { programIdIndex: accounts.length, accounts: accounts.map((_, at) => at), data: Uint8Array.from(data) };
  return parseInstruction(keys, raw, 1);
}

test.each(CASES)('%s', (type, program, accounts, data, info) => {
  expect(parse(program, accounts, data)).toEqual({
    program: expect.any(String),
    programId: program,
    parsed: { type, info },
    stackHeight: 1,
  });
});

test.each(CASES.filter(([, program, , data]) => program !== ATA_PROGRAM && data.length > 1))(
  '%s that ends early is raw',
  (_, program, accounts, data) => {
    const cut = data.slice(0, -1);
    expect(parse(program, accounts, cut)).toEqual({
      programId: program,
      accounts,
      data: base58.encode(Uint8Array.from(cut)),
      stackHeight: 1,
    });
  },
);

test('a program that is not known is raw', () => {
  expect(parse(F, [A], [1, 2])).toEqual({
    programId: F,
    accounts: [A],
    data: base58.encode(Uint8Array.of(1, 2)),
    stackHeight: 1,
  });
});

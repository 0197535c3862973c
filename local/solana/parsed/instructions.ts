// What jsonParsed answers have of instructions: those of System, Token, associated token accounts and memos that we meet. Others stay raw, as nodes do it.
import { base58 } from '@scure/base';
import { SYSTEM_PROGRAM } from '../accounts.ts';
import { ATA_PROGRAM, isTokenProgram, uiAmount } from '../tokens.ts';
import type { Message } from '../wire.ts';

type Raw = { programIdIndex: number; accounts: readonly number[]; data: Uint8Array };
type Parsed = { type: string; info: Record<string, unknown> };
/** The address at a place of the instruction, and its data. */
type Content = { key: (at: number) => string | undefined; data: Buffer; count: number; keys: string[] };

const MEMOS = new Set(['MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo']);
const AUTHORITY_TYPES = ['mintTokens', 'freezeAccount', 'accountOwner', 'closeAccount'];

export function parseInstruction(keys: readonly string[], raw: Raw, stackHeight: number): object {
  const programId = keys[raw.programIdIndex] ?? '';
  const accounts = raw.accounts.map((index) => keys[index] ?? '');
  const content: Content = {
    key: (at) => accounts[at],
    data: Buffer.from(raw.data),
    count: accounts.length,
    keys: accounts,
  };
  const known = parserOf(programId, content);
  if (known) return { program: known.program, programId, parsed: known.parsed, stackHeight };
  return { programId, accounts, data: base58.encode(raw.data), stackHeight };
}

function parserOf(programId: string, content: Content): { program: string; parsed: Parsed | string } | null {
  try {
    if (MEMOS.has(programId)) return memoOf(content.data);
    const program = isTokenProgram(programId)
      ? 'spl-token'
      : programId === SYSTEM_PROGRAM
        ? 'system'
        : programId === ATA_PROGRAM
          ? 'spl-associated-token-account'
          : null;
    if (!program) return null;
    const parsed =
      program === 'spl-token' ? parseToken(content) : program === 'system' ? parseSystem(content) : parseAta(content);
    return parsed && { program, parsed };
  } catch (error) {
    // Data that ends early: no instruction that we know.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The texts of a transaction's memos. */
export function memosOf({ keys, instructions }: Message): string[] {
  return instructions.flatMap(({ programIdIndex, data }) =>
    MEMOS.has(keys[programIdIndex] ?? '') ? (memoOf(Buffer.from(data))?.parsed ?? []) : [],
  );
}

function memoOf(data: Buffer): { program: string; parsed: string } | null {
  const text = data.toString('utf8');
  return Buffer.from(text).equals(data) ? { program: 'spl-memo', parsed: text } : null;
}

const number = (value: bigint) => Number(value);

function keyIn(data: Buffer, at: number): string {
  if (data.length < at + 32) throw new RangeError('the data ends early');
  return base58.encode(data.subarray(at, at + 32));
}

function parseSystem({ data, key }: Content): Parsed | null {
  switch (data.readUInt32LE(0)) {
    case 0: {
      const info = {
        source: key(0),
        newAccount: key(1),
        lamports: number(data.readBigUInt64LE(4)),
        space: number(data.readBigUInt64LE(12)),
        owner: keyIn(data, 20),
      };
      return { type: 'createAccount', info };
    }
    case 1:
      return { type: 'assign', info: { account: key(0), owner: keyIn(data, 4) } };
    case 2:
      return {
        type: 'transfer',
        info: { source: key(0), destination: key(1), lamports: number(data.readBigUInt64LE(4)) },
      };
    case 4:
      return {
        type: 'advanceNonce',
        info: { nonceAccount: key(0), recentBlockhashesSysvar: key(1), nonceAuthority: key(2) },
      };
    case 8:
      return { type: 'allocate', info: { account: key(0), space: number(data.readBigUInt64LE(4)) } };
    default:
      return null;
  }
}

function parseAta({ data, key, count }: Content): Parsed | null {
  const kind = data[0] ?? 0;
  if (kind > 1 || count < 6) return null;
  return {
    type: kind === 1 ? 'createIdempotent' : 'create',
    info: {
      source: key(0),
      account: key(1),
      wallet: key(2),
      mint: key(3),
      systemProgram: key(4),
      tokenProgram: key(5),
    },
  };
}

/** The one who signs for an account: alone, or as several. */
function signers({ key, keys, count }: Content, at: number, name: string): Record<string, unknown> {
  if (count <= at + 1) return { [name]: key(at) };
  return { [`multisig${name[0]?.toUpperCase()}${name.slice(1)}`]: key(at), signers: keys.slice(at + 1) };
}

function parseToken(content: Content): Parsed | null {
  const { data, key } = content;
  const amount = () => data.readBigUInt64LE(1).toString();
  const tokenAmount = () => uiAmount(data.readBigUInt64LE(1), data.readUInt8(9));
  switch (data.readUInt8(0)) {
    case 3:
      return {
        type: 'transfer',
        info: { source: key(0), destination: key(1), amount: amount(), ...signers(content, 2, 'authority') },
      };
    case 4:
      return {
        type: 'approve',
        info: { source: key(0), delegate: key(1), amount: amount(), ...signers(content, 2, 'owner') },
      };
    case 5:
      return { type: 'revoke', info: { source: key(0), ...signers(content, 1, 'owner') } };
    case 6: {
      const type = AUTHORITY_TYPES[data.readUInt8(1)];
      if (!type) return null;
      const isMint = type === 'mintTokens' || type === 'freezeAccount';
      const newAuthority = data.readUInt8(2) === 1 ? keyIn(data, 3) : null;
      const info = { [isMint ? 'mint' : 'account']: key(0), authorityType: type, newAuthority };
      return { type: 'setAuthority', info: { ...info, ...signers(content, 1, 'authority') } };
    }
    case 7:
      return {
        type: 'mintTo',
        info: { mint: key(0), account: key(1), amount: amount(), ...signers(content, 2, 'mintAuthority') },
      };
    case 8:
      return {
        type: 'burn',
        info: { account: key(0), mint: key(1), amount: amount(), ...signers(content, 2, 'authority') },
      };
    case 9:
      return {
        type: 'closeAccount',
        info: { account: key(0), destination: key(1), ...signers(content, 2, 'owner') },
      };
    case 10:
    case 11:
      return {
        type: data[0] === 10 ? 'freezeAccount' : 'thawAccount',
        info: { account: key(0), mint: key(1), ...signers(content, 2, 'freezeAuthority') },
      };
    case 12:
      return {
        type: 'transferChecked',
        info: {
          source: key(0),
          mint: key(1),
          destination: key(2),
          tokenAmount: tokenAmount(),
          ...signers(content, 3, 'authority'),
        },
      };
    case 13:
      return {
        type: 'approveChecked',
        info: {
          source: key(0),
          mint: key(1),
          delegate: key(2),
          tokenAmount: tokenAmount(),
          ...signers(content, 3, 'owner'),
        },
      };
    case 14:
      return {
        type: 'mintToChecked',
        info: {
          mint: key(0),
          account: key(1),
          tokenAmount: tokenAmount(),
          ...signers(content, 2, 'mintAuthority'),
        },
      };
    case 17:
      return { type: 'syncNative', info: { account: key(0) } };
    case 18:
      return {
        type: 'initializeAccount3',
        info: { account: key(0), mint: key(1), owner: keyIn(data, 1) },
      };
    case 20: {
      const freezeAuthority = data.readUInt8(34) === 1 ? { freezeAuthority: keyIn(data, 35) } : {};
      const info = { mint: key(0), decimals: data.readUInt8(1), mintAuthority: keyIn(data, 2) };
      return { type: 'initializeMint2', info: { ...info, ...freezeAuthority } };
    }
    case 22:
      return { type: 'initializeImmutableOwner', info: { account: key(0) } };
    default:
      return null;
  }
}

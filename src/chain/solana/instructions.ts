// The program's instructions as data, from contracts/solana/interface.md, and their encoding for web3.js.
import { type AccountMeta, PublicKey, TransactionInstruction } from '@solana/web3.js';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from './addresses.ts';
import { encode, type Fields, type SolanaAddress, sizeOf, type Values } from './codec.ts';

/** `s` signs, `w` is writable. */
type Role = '' | 's' | 'w' | 'sw';
type Accounts = Readonly<Record<string, Role>>;
type Shape = { tag: number; args: Fields; accounts: Accounts; each?: { args: Fields; accounts: Accounts } };

const TERMS = {
  orderId: 'bytes32',
  payee: 'address',
  asset: 'u8',
  business: 'flag',
  amount: 'u64',
  deadline: 'u64',
} as const;
const LIMITS = { asset: 'u8', perTip: 'u64', perDay: 'u64', maxFee: 'u64' } as const;
const OWNER = { owner: 's', config: 'w' } as const;
const ANYONE = { caller: 's', config: 'w' } as const;
const KEY = { key: 'address' } as const;

/** `each` is repeated: once for a leg or a recipient. The executors of `initialize` and the payers of `closeBucket` follow as a list. */
export const INSTRUCTIONS = {
  initialize: {
    tag: 0,
    args: { owner: 'address', guardian: 'address', authority: 'address', treasury: 'address', executors: 'u8' },
    accounts: {
      payer: 'sw',
      upgradeAuthority: 's',
      config: 'w',
      programData: '',
      usdc: '',
      vaultUsdc: '',
      vaultWrapped: '',
      system: '',
    },
    each: { args: KEY, accounts: {} },
  },
  proposeOwner: { tag: 1, args: KEY, accounts: OWNER },
  acceptOwner: { tag: 2, args: {}, accounts: ANYONE },
  setGuardian: { tag: 3, args: KEY, accounts: OWNER },
  addExecutor: { tag: 4, args: KEY, accounts: OWNER },
  removeExecutor: { tag: 5, args: KEY, accounts: OWNER },
  announceAuthority: { tag: 6, args: KEY, accounts: OWNER },
  applyAuthority: { tag: 7, args: {}, accounts: ANYONE },
  announceTreasury: { tag: 8, args: KEY, accounts: OWNER },
  applyTreasury: { tag: 9, args: {}, accounts: ANYONE },
  pause: { tag: 10, args: { seconds: 'u64' }, accounts: { guardian: 's', config: 'w' } },
  unpause: { tag: 11, args: {}, accounts: OWNER },
  setShards: { tag: 12, args: { bits: 'u8', fromHour: 'u64' }, accounts: OWNER },

  setLimits: { tag: 16, args: LIMITS, accounts: { payer: 'sw', owner: 's', config: '', limits: 'w', system: '' } },
  lowerLimits: { tag: 17, args: LIMITS, accounts: { executor: 's', config: '', limits: 'w' } },
  setPaused: { tag: 18, args: { paused: 'flag' }, accounts: { signer: 's', config: '', limits: 'w' } },
  closeLimits: { tag: 19, args: {}, accounts: { owner: 's', config: '', limits: 'w', rentTo: 'w' } },

  tip: {
    tag: 24,
    args: { validUntil: 'u64' },
    accounts: {
      executor: 'sw',
      config: '',
      spender: '',
      treasury: 'w',
      bucket: 'w',
      tokenProgram: '',
      system: '',
    },
    each: {
      args: { messageKey: 'bytes32', amount: 'u64', fee: 'u64', bump: 'u8' },
      accounts: { source: 'w', limits: 'w', recipient: 'w' },
    },
  },
  tipToTab: {
    tag: 25,
    args: {
      validUntil: 'u64',
      messageKey: 'bytes32',
      amount: 'u64',
      deadline: 'u64',
      handleKey: 'bytes32',
    },
    accounts: {
      executor: 'sw',
      config: '',
      spender: '',
      bucket: 'w',
      source: 'w',
      limits: 'w',
      tab: 'w',
      vaultAccount: 'w',
      tokenProgram: '',
      system: '',
    },
  },
  closeBucket: {
    tag: 26,
    args: {},
    accounts: { caller: 's', config: '', bucket: 'w' },
    each: { args: {}, accounts: { payer: 'w' } },
  },

  openTab: {
    tag: 32,
    args: { nonce: 'u64', handleKey: 'bytes32', amount: 'u64', deadline: 'u64', revocable: 'flag' },
    accounts: {
      payer: 'sw',
      sender: 's',
      config: '',
      limits: 'w',
      source: 'w',
      tab: 'w',
      vaultAccount: 'w',
      tokenProgram: '',
      system: '',
    },
  },
  claimTab: {
    tag: 33,
    args: { recipient: 'address', notAfter: 'u64' },
    accounts: {
      executor: 's',
      authority: 's',
      config: '',
      tab: 'w',
      vault: '',
      vaultAccount: 'w',
      to: 'w',
      rentTo: 'w',
      tokenProgram: '',
    },
  },
  refundTab: {
    tag: 34,
    args: {},
    accounts: {
      caller: 's',
      config: '',
      tab: 'w',
      vault: '',
      vaultAccount: 'w',
      to: 'w',
      rentTo: 'w',
      tokenProgram: '',
    },
  },

  pay: {
    tag: 40,
    args: TERMS,
    accounts: {
      payer: 'sw',
      funder: 'sw',
      config: '',
      order: 'w',
      source: 'w',
      payee: 'w',
      treasury: 'w',
      tokenProgram: '',
      system: '',
    },
  },
  openDeposit: {
    tag: 41,
    args: TERMS,
    accounts: {
      funder: 'sw',
      config: '',
      order: 'w',
      deposit: 'w',
      usdc: '',
      tokenProgram: '',
      associatedTokenProgram: '',
      system: '',
    },
  },
  sweep: {
    tag: 42,
    args: TERMS,
    accounts: { caller: 's', config: '', order: 'w', deposit: 'w', payee: 'w', treasury: 'w', tokenProgram: '' },
  },
  acceptDeposit: {
    tag: 43,
    args: TERMS,
    accounts: { signer: 's', config: '', order: 'w', deposit: 'w', payee: 'w', treasury: 'w', tokenProgram: '' },
  },
  returnDeposit: {
    tag: 44,
    args: { ...TERMS, part: 'u64' },
    accounts: { signer: 's', config: '', order: 'w', deposit: 'w', to: 'w', tokenProgram: '' },
  },
  refund: {
    tag: 45,
    args: { ...TERMS, part: 'u64' },
    accounts: { signer: 'sw', config: '', order: 'w', source: 'w', to: 'w', tokenProgram: '', system: '' },
  },
  closeOrder: {
    tag: 46,
    args: TERMS,
    accounts: {
      caller: 's',
      config: '',
      order: 'w',
      deposit: 'w',
      rentTo: 'w',
      depositRentTo: 'w',
      tokenProgram: '',
    },
  },

  createPlan: {
    tag: 48,
    args: { planIdHash: 'bytes32', amount: 'u64', period: 'u32' },
    accounts: { payer: 'sw', creator: 's', config: '', plan: 'w', system: '' },
  },
  setPlan: { tag: 49, args: { state: 'u8' }, accounts: { creator: 's', config: '', plan: 'w' } },
  closePlan: { tag: 50, args: {}, accounts: { creator: 's', config: '', plan: 'w', rentTo: 'w' } },
  subscribe: {
    tag: 51,
    args: { amount: 'u64', period: 'u32' },
    accounts: {
      payer: 'sw',
      subscriber: 's',
      config: '',
      spender: '',
      plan: '',
      subscription: 'w',
      source: 'w',
      creator: 'w',
      treasury: 'w',
      tokenProgram: '',
      system: '',
    },
  },
  charge: {
    tag: 52,
    args: {},
    accounts: {
      caller: 's',
      config: '',
      spender: '',
      plan: '',
      subscription: 'w',
      source: 'w',
      creator: 'w',
      treasury: 'w',
      tokenProgram: '',
    },
  },
  cancel: { tag: 53, args: {}, accounts: { signer: 's', config: '', subscription: 'w' } },
  halt: { tag: 54, args: {}, accounts: { executor: 's', config: '', subscription: 'w' } },
  closeSubscription: { tag: 55, args: {}, accounts: { caller: 's', config: '', subscription: 'w', rentTo: 'w' } },

  openCampaign: {
    tag: 56,
    args: {
      salt: 'bytes32',
      asset: 'u8',
      total: 'u64',
      mostPerGrant: 'u64',
      maxFee: 'u64',
      expiry: 'u64',
      recipients: 'u32',
    },
    accounts: { payer: 'sw', sponsor: 's', config: '', campaign: 'w', system: '' },
  },
  grant: {
    tag: 57,
    args: { validUntil: 'u64' },
    accounts: {
      executor: 's',
      config: '',
      spender: '',
      campaign: 'w',
      limits: '',
      source: 'w',
      treasury: 'w',
      tokenProgram: '',
    },
    each: { args: { index: 'u32', amount: 'u64', fee: 'u64', bump: 'u8' }, accounts: { recipient: 'w' } },
  },
  closeCampaign: { tag: 58, args: {}, accounts: { signer: 's', config: '', campaign: 'w' } },
  deleteCampaign: { tag: 59, args: {}, accounts: { caller: 's', config: '', campaign: 'w', rentTo: 'w' } },
} as const satisfies Record<string, Shape>;

export type InstructionName = keyof typeof INSTRUCTIONS;

/** Accounts that the program's address alone decides, or that never change. */
export type FixedAccounts = { config: SolanaAddress; spender: SolanaAddress; vault: SolanaAddress };
type Fixed = keyof FixedAccounts | 'tokenProgram' | 'associatedTokenProgram' | 'system';
type Named<A extends Accounts> = { [Name in Exclude<keyof A, Fixed>]: SolanaAddress };
type Each<S extends Shape> = S extends { each: { args: infer A extends Fields; accounts: infer N extends Accounts } }
  ? { each: readonly (Values<A> & Named<N>)[] }
  : { each?: undefined };

/** What an instruction needs: its arguments and its accounts by name. */
export type InstructionInput<Name extends InstructionName> =
  Values<(typeof INSTRUCTIONS)[Name]['args']> extends infer V
    ? { args: V; accounts: Named<(typeof INSTRUCTIONS)[Name]['accounts']> } & Each<(typeof INSTRUCTIONS)[Name]>
    : never;

/** @throws RangeError for a value that does not fit its field */
export function buildInstruction<Name extends InstructionName>(
  program: { id: SolanaAddress; fixed: FixedAccounts },
  name: Name,
  input: InstructionInput<Name>,
): TransactionInstruction {
  const shape: Shape = INSTRUCTIONS[name];
  const {
    args,
    accounts,
    each = [],
  } = input as {
    args: Values<Fields>;
    accounts: Record<string, SolanaAddress>;
    each?: readonly Record<string, unknown>[];
  };
  const known: Record<string, SolanaAddress> = {
    ...program.fixed,
    tokenProgram: TOKEN_PROGRAM,
    associatedTokenProgram: ASSOCIATED_TOKEN_PROGRAM,
    system: SYSTEM_PROGRAM,
  };
  const repeated = shape.each;
  return new TransactionInstruction({
    programId: new PublicKey(program.id),
    keys: [
      // The program sends itself its events.
      { pubkey: new PublicKey(program.id), isSigner: false, isWritable: false },
      ...metasOf(shape.accounts, { ...known, ...accounts }),
      ...(repeated ? each.flatMap((one) => metasOf(repeated.accounts, one as Record<string, SolanaAddress>)) : []),
    ],
    data: Buffer.concat([
      Buffer.from([shape.tag]),
      encode(shape.args, args),
      ...(repeated && sizeOf(repeated.args) > 0 ? each.map((one) => encode(repeated.args, one as Values<Fields>)) : []),
    ]),
  });
}

function metasOf(roles: Accounts, addresses: Record<string, SolanaAddress>): AccountMeta[] {
  return Object.entries(roles).map(([name, role]) => {
    const address = addresses[name];
    if (address === undefined) throw new RangeError(`the account ${name} is missing`);
    return { pubkey: new PublicKey(address), isSigner: role.includes('s'), isWritable: role.includes('w') };
  });
}

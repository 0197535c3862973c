// The program initialized, with people who have USDC and wrapped SOL, and each instruction built from the fewest words.
import { createHash } from 'node:crypto';
import type { TransactionInstruction } from '@solana/web3.js';
import { type ConfigAccount, decodeConfig, decodeLimits } from '../../src/chain/solana/accounts.ts';
import {
  bucketOf,
  campaignIdOf,
  campaignOf,
  configOf,
  limitsOf,
  orderKeyOf,
  orderOf,
  planKeyOf,
  planOf,
  programDataOf,
  spenderOf,
  subscriptionOf,
  tabIdOf,
  tabOf,
  tokenAccount,
  vaultOf,
  WRAPPED_SOL,
} from '../../src/chain/solana/addresses.ts';
import type { Bytes32, SolanaAddress } from '../../src/chain/solana/codec.ts';
import { buildInstruction, type InstructionInput, type InstructionName } from '../../src/chain/solana/instructions.ts';
import { type Machine, named, putMint, putToken, setUpgradeAuthority, startMachine } from './machine.ts';

export const USDC = named('usdc');
export const ROLES = {
  upgrade: named('upgrade authority'),
  owner: named('owner'),
  guardian: named('guardian'),
  authority: named('authority'),
  treasury: named('treasury'),
  executor: named('executor'),
  executor2: named('executor 2'),
};
export const MILLION = 1_000_000n;
/** What each person has of both assets, and has approved. */
export const FLOAT = 1_000n * MILLION;
export const HOUR = 3_600;

export type Setting = Machine & {
  config: SolanaAddress;
  spender: SolanaAddress;
  vault: SolanaAddress;
  build<Name extends InstructionName>(name: Name, input: InstructionInput<Name>): TransactionInstruction;
  configState(): ConfigAccount;
};

export function bytesOf(text: string): Bytes32 {
  return `0x${createHash('sha256').update(text).digest('hex')}`;
}

/** The key of a message: a hash, and its time in the end. */
export function messageKeyOf(text: string, time: number): Bytes32 {
  return `${bytesOf(text).slice(0, 50) as '0x'}${BigInt(time).toString(16).padStart(16, '0')}`;
}

/** The program deployed and nothing more. */
export function deployed(): Setting {
  const machine = startMachine();
  const { program } = machine;
  setUpgradeAuthority(machine, ROLES.upgrade);
  putMint(machine, USDC);
  for (const role of Object.values(ROLES)) machine.give(role, 1_000_000_000_000n);
  const fixed = {
    config: configOf(program).address,
    spender: spenderOf(program).address,
    vault: vaultOf(program).address,
  };
  for (const mint of [USDC, WRAPPED_SOL]) {
    putToken(machine, { owner: fixed.vault, mint });
    putToken(machine, { owner: ROLES.treasury, mint });
  }
  return {
    ...machine,
    ...fixed,
    build: (name, input) => buildInstruction({ id: program, fixed }, name, input),
    configState: () => decodeConfig(machine.data(fixed.config) ?? new Uint8Array()) as ConfigAccount,
  };
}

export function initialization(setting: Setting): TransactionInstruction {
  const { vault, program } = setting;
  return setting.build('initialize', {
    args: {
      owner: ROLES.owner,
      guardian: ROLES.guardian,
      authority: ROLES.authority,
      treasury: ROLES.treasury,
      executors: 2,
    },
    accounts: {
      payer: ROLES.upgrade,
      upgradeAuthority: ROLES.upgrade,
      programData: programDataOf(program).address,
      usdc: USDC,
      vaultUsdc: tokenAccount(vault, USDC).address,
      vaultWrapped: tokenAccount(vault, WRAPPED_SOL).address,
    },
    each: [{ key: ROLES.executor }, { key: ROLES.executor2 }],
  });
}

export function initialized(): Setting {
  const setting = deployed();
  const { error } = setting.run(initialization(setting));
  if (error) throw new Error(`initialize: ${error}`);
  return setting;
}

/** A person with both assets, approved to the spender in full, and wide limits. */
export function person(setting: Setting, name: string): SolanaAddress {
  const owner = named(name);
  setting.give(owner, 100_000_000_000n);
  for (const mint of [USDC, WRAPPED_SOL]) {
    putToken(setting, { owner, mint, amount: FLOAT, delegate: { to: setting.spender, amount: FLOAT } });
  }
  for (const asset of [0, 1]) must(setting, limitsInstruction(setting, owner, asset, FLOAT, FLOAT, MILLION));
  return owner;
}

export function must(setting: Setting, ...instructions: TransactionInstruction[]) {
  const outcome = setting.run(...instructions);
  if (outcome.error) throw new Error(`${outcome.error}\n${outcome.logs.join('\n')}`);
  return outcome;
}

export function limitsInstruction(
  setting: Setting,
  owner: SolanaAddress,
  asset: number,
  perTip: bigint,
  perDay: bigint,
  maxFee: bigint,
) {
  const limits = limitsOf(setting.program, owner).address;
  return setting.build('setLimits', {
    args: { asset, perTip, perDay, maxFee },
    accounts: { payer: ROLES.executor, owner, limits },
  });
}

export const limitsState = (setting: Setting, owner: SolanaAddress) =>
  decodeLimits(setting.data(limitsOf(setting.program, owner).address) ?? new Uint8Array());

export const atOf = (owner: SolanaAddress, mint = USDC) => tokenAccount(owner, mint).address;

export type TipInput = {
  key?: string;
  from: SolanaAddress;
  to: SolanaAddress;
  amount?: bigint;
  fee?: bigint;
  mint?: SolanaAddress;
  /** Unix seconds; now unless said. */
  time?: number;
};

export function tips(
  setting: Setting,
  legs: TipInput[],
  patch: { executor?: SolanaAddress; validUntil?: number } = {},
) {
  const [first] = legs;
  const mint = first?.mint ?? USDC;
  const hour = BigInt(Math.floor((first?.time ?? setting.now()) / HOUR));
  return setting.build('tip', {
    args: { validUntil: BigInt(patch.validUntil ?? setting.now() + 900) },
    accounts: {
      executor: patch.executor ?? ROLES.executor,
      treasury: atOf(ROLES.treasury, mint),
      bucket: bucketOf(setting.program, hour, 0).address,
    },
    each: legs.map((leg) => ({
      messageKey: messageKeyOf(leg.key ?? 'message', leg.time ?? setting.now()),
      amount: leg.amount ?? 5n * MILLION,
      fee: leg.fee ?? 50_000n,
      bump: tokenAccount(leg.to, leg.mint ?? USDC).bump,
      source: atOf(leg.from, leg.mint),
      limits: limitsOf(setting.program, leg.from).address,
      recipient: atOf(leg.to, leg.mint),
    })),
  });
}

export const HANDLE = bytesOf('telegram:id:77');

export type TabTipInput = TipInput & { deadline?: number };

export function tabTip(
  setting: Setting,
  { key = 'tab', from, amount = 5n * MILLION, mint = USDC, time, deadline }: Omit<TabTipInput, 'to'>,
) {
  const at = time ?? setting.now();
  const hour = BigInt(Math.floor(at / HOUR));
  const messageKey = messageKeyOf(key, at);
  return setting.build('tipToTab', {
    args: {
      validUntil: BigInt(setting.now() + 900),
      messageKey,
      amount,
      deadline: BigInt(deadline ?? setting.now() + 7 * 86_400),
      handleKey: HANDLE,
    },
    accounts: {
      executor: ROLES.executor,
      bucket: bucketOf(setting.program, hour, 0).address,
      source: atOf(from, mint),
      limits: limitsOf(setting.program, from).address,
      tab: tabOf(setting.program, tabIdOf(setting.program, from, messageKey)).address,
      vaultAccount: atOf(setting.vault, mint),
    },
  });
}

export const tabAt = (setting: Setting, from: SolanaAddress, nonce: Bytes32 | bigint) =>
  tabOf(setting.program, tabIdOf(setting.program, from, nonce)).address;

export function openTab(
  setting: Setting,
  from: SolanaAddress,
  nonce: bigint,
  { amount = 5n * MILLION, mint = USDC, revocable = true, deadline = setting.now() + 7 * 86_400 } = {},
) {
  return setting.build('openTab', {
    args: { nonce, handleKey: HANDLE, amount, deadline: BigInt(deadline), revocable },
    accounts: {
      payer: ROLES.executor,
      sender: from,
      limits: limitsOf(setting.program, from).address,
      source: atOf(from, mint),
      tab: tabAt(setting, from, nonce),
      vaultAccount: atOf(setting.vault, mint),
    },
  });
}

export function claim(
  setting: Setting,
  tab: SolanaAddress,
  recipient: SolanaAddress,
  { mint = USDC, to = atOf(recipient, mint), notAfter = setting.now() + 300, rentTo = ROLES.executor } = {},
) {
  return setting.build('claimTab', {
    args: { recipient, notAfter: BigInt(notAfter) },
    accounts: {
      executor: ROLES.executor,
      authority: ROLES.authority,
      tab,
      vaultAccount: atOf(setting.vault, mint),
      to,
      rentTo,
    },
  });
}

export function refundTab(
  setting: Setting,
  tab: SolanaAddress,
  sender: SolanaAddress,
  { caller = sender, mint = USDC, to = atOf(sender, mint), rentTo = ROLES.executor } = {},
) {
  return setting.build('refundTab', {
    args: {},
    accounts: { caller, tab, vaultAccount: atOf(setting.vault, mint), to, rentTo },
  });
}

export type OrderInput = {
  id?: string;
  payee: SolanaAddress;
  asset?: number;
  business?: boolean;
  amount?: bigint;
  deadline?: number;
};

export function order(setting: Setting, input: OrderInput) {
  const { id = 'order', payee, asset = 0, business = true, amount = 10n * MILLION } = input;
  const deadline = BigInt(input.deadline ?? setting.now() + 1_800);
  const orderId = bytesOf(id);
  const terms = { orderId, payee, asset, business, amount, deadline };
  const key = orderKeyOf(setting.program, {
    orderId,
    payee,
    mint: asset === 0 ? USDC : null,
    amount,
    business,
    deadline,
  });
  const account = orderOf(setting.program, key).address;
  const deposit = atOf(account);
  const treasury = asset === 0 ? atOf(ROLES.treasury) : ROLES.treasury;
  const payeeAccount = asset === 0 ? atOf(payee) : payee;
  return {
    key,
    account,
    deposit,
    terms,
    pay: (payer: SolanaAddress, funder = ROLES.executor) =>
      setting.build('pay', {
        args: terms,
        accounts: {
          payer,
          funder,
          order: account,
          source: asset === 0 ? atOf(payer) : payer,
          payee: payeeAccount,
          treasury,
        },
      }),
    openDeposit: (funder = ROLES.executor) =>
      setting.build('openDeposit', { args: terms, accounts: { funder, order: account, deposit, usdc: USDC } }),
    sweep: (caller = ROLES.executor) =>
      setting.build('sweep', {
        args: terms,
        accounts: { caller, order: account, deposit, payee: payeeAccount, treasury },
      }),
    accept: (signer = payee) =>
      setting.build('acceptDeposit', {
        args: terms,
        accounts: { signer, order: account, deposit, payee: payeeAccount, treasury },
      }),
    giveBack: (to: SolanaAddress, part: bigint, signer = payee) =>
      setting.build('returnDeposit', { args: { ...terms, part }, accounts: { signer, order: account, deposit, to } }),
    refund: (to: SolanaAddress, part: bigint, signer = payee) =>
      setting.build('refund', {
        args: { ...terms, part },
        accounts: { signer, order: account, source: payeeAccount, to },
      }),
    close: (rentTo = ROLES.executor, depositRentTo = ROLES.executor) =>
      setting.build('closeOrder', {
        args: terms,
        accounts: { caller: ROLES.executor, order: account, deposit, rentTo, depositRentTo },
      }),
  };
}

export function plan(
  setting: Setting,
  creator: SolanaAddress,
  { id = 'plan', amount = 10n * MILLION, period = 86_400 } = {},
) {
  const planIdHash = bytesOf(id);
  const key = planKeyOf(setting.program, { creator, planIdHash, usdc: USDC, amount, period });
  const account = planOf(setting.program, key).address;
  const subscriptionAt = (subscriber: SolanaAddress) => subscriptionOf(setting.program, key, subscriber).address;
  const parties = (subscriber: SolanaAddress) => ({
    plan: account,
    subscription: subscriptionAt(subscriber),
    source: atOf(subscriber),
    creator: atOf(creator),
    treasury: atOf(ROLES.treasury),
  });
  return {
    key,
    account,
    subscriptionAt,
    create: () =>
      setting.build('createPlan', {
        args: { planIdHash, amount, period },
        accounts: { payer: ROLES.executor, creator, plan: account },
      }),
    set: (state: number, signer = creator) =>
      setting.build('setPlan', { args: { state }, accounts: { creator: signer, plan: account } }),
    close: (rentTo = ROLES.executor) =>
      setting.build('closePlan', { args: {}, accounts: { creator, plan: account, rentTo } }),
    subscribe: (subscriber: SolanaAddress, expected = { amount, period }) =>
      setting.build('subscribe', {
        args: expected,
        accounts: { payer: ROLES.executor, subscriber, ...parties(subscriber) },
      }),
    charge: (subscriber: SolanaAddress, caller = ROLES.executor) =>
      setting.build('charge', { args: {}, accounts: { caller, ...parties(subscriber) } }),
    cancel: (subscriber: SolanaAddress, signer = subscriber) =>
      setting.build('cancel', { args: {}, accounts: { signer, subscription: subscriptionAt(subscriber) } }),
    halt: (subscriber: SolanaAddress, executor = ROLES.executor) =>
      setting.build('halt', { args: {}, accounts: { executor, subscription: subscriptionAt(subscriber) } }),
    closeSubscription: (subscriber: SolanaAddress, rentTo = ROLES.executor) =>
      setting.build('closeSubscription', {
        args: {},
        accounts: { caller: ROLES.executor, subscription: subscriptionAt(subscriber), rentTo },
      }),
  };
}

export function campaign(
  setting: Setting,
  sponsor: SolanaAddress,
  {
    salt = 'campaign',
    mint = USDC,
    total = 100n * MILLION,
    mostPerGrant = 10n * MILLION,
    maxFee = 100_000n,
    expiry = setting.now() + 30 * 86_400,
    recipients = 100,
  } = {},
) {
  const asset = mint === USDC ? 0 : 1;
  const id = campaignIdOf(setting.program, sponsor, bytesOf(salt), BigInt(expiry));
  const account = campaignOf(setting.program, id).address;
  return {
    id,
    account,
    open: () =>
      setting.build('openCampaign', {
        args: { salt: bytesOf(salt), asset, total, mostPerGrant, maxFee, expiry: BigInt(expiry), recipients },
        accounts: { payer: ROLES.executor, sponsor, campaign: account },
      }),
    grant: (
      grants: { index: number; to: SolanaAddress; amount?: bigint; fee?: bigint }[],
      validUntil = setting.now() + 900,
    ) =>
      setting.build('grant', {
        args: { validUntil: BigInt(validUntil) },
        accounts: {
          executor: ROLES.executor,
          campaign: account,
          limits: limitsOf(setting.program, sponsor).address,
          source: atOf(sponsor, mint),
          treasury: atOf(ROLES.treasury, mint),
        },
        each: grants.map(({ index, to, amount = MILLION, fee = 50_000n }) => ({
          index,
          amount,
          fee,
          bump: tokenAccount(to, mint).bump,
          recipient: atOf(to, mint),
        })),
      }),
    close: (signer = sponsor) => setting.build('closeCampaign', { args: {}, accounts: { signer, campaign: account } }),
    remove: (rentTo = ROLES.executor) =>
      setting.build('deleteCampaign', { args: {}, accounts: { caller: ROLES.executor, campaign: account, rentTo } }),
  };
}

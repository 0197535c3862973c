// Orders on Solana: their keys and deposit accounts, the instructions that pay, sweep and refund them, and what the cluster says of one.
import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { AppError } from '../../domain/errors.ts';
import type { OrderRouter, OrderTerms } from '../../domain/typedData/orders.ts';
import { alike } from '../rpc/answers.ts';
import { decodeOrder } from './accounts.ts';
import { orderKeyOf, orderOf, type SolanaOrderTerms, SYSTEM_PROGRAM, tokenAccount } from './addresses.ts';
import { readingSolana, type SolanaCall, type SolanaChain } from './client.ts';
import { finalClock } from './clock.ts';
import type { Bytes32, SolanaAddress } from './codec.ts';
import { finalHead, mostAgree, wholeHistory } from './history.ts';
import { buildInstruction } from './instructions.ts';
import { createTokenAccount } from './tips.ts';
import { transferUsdc } from './tokens.ts';
import { receiptOfSolana } from './transactions.ts';
import { readConfig } from './verify.ts';

/** What stands for SOL where a token is named: 32 bytes of zero. */
export const SOL: SolanaAddress = SYSTEM_PROGRAM;

/** Measured at 16,500, and at 8,600 in SOL. */
const PAY_UNITS = 40_000;
/** Measured at 15,700, and 26,200 with the payee's token account that is opened first. */
const SEND_UNITS = 90_000;
/** Measured at 46,300 with the deposit account that is opened first. */
const SWEEP_UNITS = 80_000;
/** Measured at 5,900. */
const REFUND_UNITS = 20_000;
/** Measured at 12,200, and 26,600 more for the deposit account. */
const DEPOSIT_UNITS = 70_000;

export type SolanaOrder = { router: OrderRouter; terms: OrderTerms };

const business = (router: OrderRouter) => router === 'business';
const assetOf = (chain: SolanaChain, { token }: OrderTerms) => (token === chain.usdc ? 0 : 2);

function onChainTerms(chain: SolanaChain, { router, terms }: SolanaOrder): SolanaOrderTerms {
  const { orderId, payee, amount, deadline } = terms;
  const mint = assetOf(chain, terms) === 0 ? chain.usdc : null;
  return { orderId, payee, mint, amount, business: business(router), deadline };
}

export const argsOf = (chain: SolanaChain, { router, terms }: SolanaOrder) => ({
  orderId: terms.orderId as Bytes32,
  payee: terms.payee,
  asset: assetOf(chain, terms),
  business: business(router),
  amount: terms.amount,
  deadline: terms.deadline,
});

export function solanaOrderKey(chain: SolanaChain, order: SolanaOrder): Bytes32 {
  return orderKeyOf(chain.program.id, onChainTerms(chain, order));
}

/** The address of an order: its token account is the order's deposit, and a transfer that names it is for the order. */
export function solanaOrderAddress(chain: SolanaChain, order: SolanaOrder): SolanaAddress {
  return orderOf(chain.program.id, solanaOrderKey(chain, order)).address;
}

/** The accounts between which money of an order moves: token accounts, or the wallets themselves for SOL. */
function placeOf(chain: SolanaChain, { token }: OrderTerms, wallet: SolanaAddress): SolanaAddress {
  return token === chain.usdc ? tokenAccount(wallet, chain.usdc).address : wallet;
}

/** The treasury of the program now. @throws AppError `provider_unavailable` */
export async function treasuryOf(chain: SolanaChain): Promise<SolanaAddress> {
  const config = await readConfig(chain);
  if (!config) throw new Error('the program is not initialized');
  return config.treasury;
}

/**
 * What a wallet does with an order: pays it, refunds it, or moves what lies at its address to the payee or back to a sender. The payee signs all
 * but the first two. Recipients have their token accounts. `send` is `pay` with a fee in USDC that the payer gives the treasury on top, in the same
 * transaction; where it `opens`, the funder pays for the payee's token account.
 */
export type OrderMove =
  | { name: 'pay'; payer: string }
  | { name: 'send'; payer: string; fee: bigint; opens: boolean }
  | { name: 'refund'; to: string; units: bigint }
  | { name: 'accept' }
  | { name: 'send_back'; to: string; units: bigint };

export function signerOf({ terms }: SolanaOrder, move: OrderMove): SolanaAddress {
  return 'payer' in move ? move.payer : terms.payee;
}

/** @param funder pays for the order's account and its deposit where they are missing; their rent returns to it */
export function solanaMoveCall(
  chain: SolanaChain,
  order: SolanaOrder,
  move: OrderMove,
  { treasury, funder }: { treasury: SolanaAddress; funder: SolanaAddress },
): SolanaCall {
  const { terms } = order;
  const signer = signerOf(order, move);
  const args = argsOf(chain, order);
  const address = solanaOrderAddress(chain, order);
  const deposit = depositAccount(chain, order);
  const place = (wallet: SolanaAddress) => placeOf(chain, terms, wallet);
  switch (move.name) {
    case 'send': {
      const { payer, fee, opens } = move;
      const paid = solanaMoveCall(chain, order, { name: 'pay', payer }, { treasury, funder });
      const opening = opens ? [createTokenAccount(funder, terms.payee, chain.usdc)] : [];
      const feePaid = transferUsdc({ from: payer, to: treasury, usdc: chain.usdc, units: fee });
      return { units: SEND_UNITS, instructions: [...opening, ...paid.instructions, feePaid] };
    }
    case 'pay': {
      const accounts = { payer: signer, funder, order: address, source: place(signer), payee: place(terms.payee) };
      const pay = buildInstruction(chain.program, 'pay', {
        args,
        accounts: { ...accounts, treasury: place(treasury) },
      });
      return { units: PAY_UNITS, instructions: [pay] };
    }
    case 'refund': {
      const accounts = { signer, order: address, source: place(signer), to: place(move.to) };
      const refund = buildInstruction(chain.program, 'refund', { args: { ...args, part: move.units }, accounts });
      return { units: REFUND_UNITS, instructions: [refund] };
    }
    case 'accept': {
      const accounts = { signer, order: address, deposit, ...receivers(chain, terms.payee, treasury) };
      const accept = buildInstruction(chain.program, 'acceptDeposit', { args, accounts });
      return { units: DEPOSIT_UNITS, instructions: [openDeposit(chain, order, funder), accept] };
    }
    case 'send_back': {
      const accounts = { signer, order: address, deposit, to: tokenAccount(move.to, chain.usdc).address };
      const back = buildInstruction(chain.program, 'returnDeposit', { args: { ...args, part: move.units }, accounts });
      return { units: DEPOSIT_UNITS, instructions: [openDeposit(chain, order, funder), back] };
    }
  }
}

export function openDeposit(chain: SolanaChain, order: SolanaOrder, funder: SolanaAddress): TransactionInstruction {
  const accounts = { funder, order: solanaOrderAddress(chain, order), deposit: depositAccount(chain, order) };
  return buildInstruction(chain.program, 'openDeposit', {
    args: argsOf(chain, order),
    accounts: { ...accounts, usdc: chain.usdc },
  });
}

/** Settles an order from its deposit. The executor opens the order's account, and the deposit where its sender did not. */
export function solanaSweepCall(
  chain: SolanaChain,
  order: SolanaOrder,
  { treasury, executor }: { treasury: SolanaAddress; executor: SolanaAddress },
): SolanaCall {
  const accounts = { caller: executor, order: solanaOrderAddress(chain, order), deposit: depositAccount(chain, order) };
  const sweep = buildInstruction(chain.program, 'sweep', {
    args: argsOf(chain, order),
    accounts: { ...accounts, ...receivers(chain, order.terms.payee, treasury) },
  });
  return { units: SWEEP_UNITS, instructions: [openDeposit(chain, order, executor), sweep] };
}

const receivers = (chain: SolanaChain, payee: SolanaAddress, treasury: SolanaAddress) => ({
  payee: tokenAccount(payee, chain.usdc).address,
  treasury: tokenAccount(treasury, chain.usdc).address,
});

/** The token account that receives transfers for an order. */
export function depositAccount(chain: SolanaChain, order: SolanaOrder): SolanaAddress {
  return tokenAccount(solanaOrderAddress(chain, order), chain.usdc).address;
}

/** Whether an order is settled, and the sum of its refunds, in the newest confirmed slot. @throws AppError `provider_unavailable` */
export async function solanaPayment(
  chain: SolanaChain,
  order: SolanaOrder,
): Promise<{ settled: boolean; refunded: bigint }> {
  const address = new PublicKey(solanaOrderAddress(chain, order));
  const account = await readingSolana(chain, (at) => at.getAccountInfo(address));
  const found = account?.owner.toBase58() === chain.program.id ? decodeOrder(account.data) : null;
  return { settled: found?.settled ?? false, refunded: found?.refunded ?? 0n };
}

/** The same in final slots as enough endpoints show it, with the Unix second that all of them have reached. @throws AppError `provider_unavailable` */
export async function solanaFinalPayment(
  chain: SolanaChain,
  order: SolanaOrder,
): Promise<{ settled: boolean; time: number }> {
  const address = new PublicKey(solanaOrderAddress(chain, order));
  const asked = chain.endpoints.map(async (at) => {
    const { time } = await finalClock(at);
    const account = await at.getAccountInfo(address, 'finalized');
    const found = account?.owner.toBase58() === chain.program.id ? decodeOrder(account.data) : null;
    return { settled: found?.settled ?? false, time: Number(time) };
  });
  const answers = await alike(asked, ({ settled }) => String(settled), mostAgree(chain));
  const [first] = answers ?? [];
  if (!answers || !first)
    throw new AppError('provider_unavailable', `${chain.facts.label} does not show an order clearly`);
  return { settled: first.settled, time: Math.min(...answers.map(({ time }) => time)) };
}

/** The final transaction that settled an order; null where none is shown. @throws AppError `provider_unavailable` */
export async function solanaSettledBy(chain: SolanaChain, order: SolanaOrder): Promise<string | null> {
  const key = solanaOrderKey(chain, order);
  const { slot: upTo } = await finalHead(chain);
  for (const { signature } of await wholeHistory(chain, { address: solanaOrderAddress(chain, order), upTo })) {
    const receipt = await receiptOfSolana(chain, signature);
    if (receipt?.events.some((event) => event.name === 'paymentSettled' && event.orderKey === key)) return signature;
  }
  return null;
}

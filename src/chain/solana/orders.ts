// Orders on Solana: their keys and deposit accounts, the instructions that pay, sweep and refund them, and what the cluster says of one.
import { PublicKey } from '@solana/web3.js';
import type { OrderRouter, OrderTerms } from '../../domain/typedData/orders.ts';
import { decodeOrder } from './accounts.ts';
import { orderKeyOf, orderOf, type SolanaOrderTerms, SYSTEM_PROGRAM, tokenAccount } from './addresses.ts';
import { readingSolana, type SolanaCall, type SolanaChain } from './client.ts';
import { finalClock } from './clock.ts';
import type { Bytes32, SolanaAddress } from './codec.ts';
import { buildInstruction } from './instructions.ts';
import { createTokenAccount } from './tips.ts';
import { readConfig } from './verify.ts';

/** What stands for SOL where a token is named: 32 bytes of zero. */
export const SOL: SolanaAddress = SYSTEM_PROGRAM;

/** Measured at 16,500 and 8,600 in SOL; about 20,000 more where the payee's token account is created. */
const PAY_UNITS = 60_000;
/** Measured at 46,300 with the deposit account that is opened first, and about 20,000 more for the payee's token account. */
const SWEEP_UNITS = 100_000;

export type SolanaOrder = { router: OrderRouter; terms: OrderTerms };

const business = (router: OrderRouter) => router === 'business';
const assetOf = (chain: SolanaChain, { token }: OrderTerms) => (token === chain.usdc ? 0 : 2);

function onChainTerms(chain: SolanaChain, { router, terms }: SolanaOrder): SolanaOrderTerms {
  const { orderId, payee, amount, deadline } = terms;
  const mint = assetOf(chain, terms) === 0 ? chain.usdc : null;
  return { orderId, payee, mint, amount, business: business(router), deadline };
}

const argsOf = (chain: SolanaChain, { router, terms }: SolanaOrder) => ({
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

type Keys = { treasury: SolanaAddress; payer: SolanaAddress };

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

/** Paid from the payer's wallet, which signs; `funder` pays for the order's account and for a token account that the payee lacks. */
export function solanaPayCall(
  chain: SolanaChain,
  order: SolanaOrder,
  { treasury, payer, funder }: Keys & { funder: SolanaAddress },
): SolanaCall {
  const { terms } = order;
  const opening = terms.token === chain.usdc ? [createTokenAccount(funder, terms.payee, chain.usdc)] : [];
  const pay = buildInstruction(chain.program, 'pay', {
    args: argsOf(chain, order),
    accounts: {
      payer,
      funder,
      order: solanaOrderAddress(chain, order),
      source: placeOf(chain, terms, payer),
      payee: placeOf(chain, terms, terms.payee),
      treasury: placeOf(chain, terms, treasury),
    },
  });
  return { units: PAY_UNITS, instructions: [...opening, pay] };
}

/** Settles an order from its deposit. The executor opens what is missing: the order's account, and the payee's token account. */
export function solanaSweepCall(
  chain: SolanaChain,
  order: SolanaOrder,
  { treasury, payer: executor }: Keys,
): SolanaCall {
  const { payee } = order.terms;
  const accounts = { order: solanaOrderAddress(chain, order), deposit: depositAccount(chain, order) };
  const args = argsOf(chain, order);
  const openDeposit = buildInstruction(chain.program, 'openDeposit', {
    args,
    accounts: { ...accounts, funder: executor, usdc: chain.usdc },
  });
  const sweep = buildInstruction(chain.program, 'sweep', {
    args,
    accounts: { ...accounts, caller: executor, ...receivers(chain, payee, treasury) },
  });
  return { units: SWEEP_UNITS, instructions: [openDeposit, createTokenAccount(executor, payee, chain.usdc), sweep] };
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

/** The same in the newest final slot, with its Unix second. @throws AppError `provider_unavailable` */
export async function solanaFinalPayment(
  chain: SolanaChain,
  order: SolanaOrder,
): Promise<{ settled: boolean; time: number }> {
  const address = new PublicKey(solanaOrderAddress(chain, order));
  return readingSolana(chain, async (at) => {
    const { time } = await finalClock(at);
    const account = await at.getAccountInfo(address, 'finalized');
    const found = account?.owner.toBase58() === chain.program.id ? decodeOrder(account.data) : null;
    return { settled: found?.settled ?? false, time: Number(time) };
  });
}

// Orders on a chain of any family: their assets, keys and addresses, what the chain says of one, and the calls that pay and settle it.
import type { Hex } from 'viem';
import type { OrderRouter, OrderTerms, RouterOrderTerms } from '../domain/typedData/orders.ts';
import { type ChainCall, type SignedCall, signedCallOf, type TransactionToSign } from './calls.ts';
import type { Chain } from './chain.ts';
import {
  encodeSweep,
  depositAddress as evmDepositAddress,
  finalPayment as evmFinalPayment,
  orderKey as evmOrderKey,
  readPayment as evmPayment,
  settledBy as evmSettledBy,
  isSettled as isEvmSettled,
  NATIVE_TOKEN,
} from './routers/payment.ts';
import { headBlock } from './rpc/client.ts';
import {
  type OrderMove,
  SOL,
  signerOf,
  solanaFinalPayment,
  solanaMoveCall,
  solanaOrderAddress,
  solanaOrderKey,
  solanaPayment,
  solanaSettledBy,
  solanaSweepCall,
  treasuryOf,
} from './solana/orders.ts';
import { EXECUTOR, encodeInstructions } from './solana/payload.ts';
import { buildPaidMessage, readSignedCall, unsignedTransaction } from './solana/walletCalls.ts';

/** A payee that is a contract gets the native asset with all the gas there is; the address itself may have to be made first. */
const SWEEP_GAS = 600_000n;

export type { OrderMove };
/** An order where it is paid. */
export type OrderAt<C extends Chain = Chain> = { chain: C; router: OrderRouter; terms: OrderTerms };

const evmTerms = (terms: OrderTerms) => terms as RouterOrderTerms;

/** What stands for the native asset where a token is named. */
export function nativeToken({ family }: Chain): string {
  return family === 'solana' ? SOL : NATIVE_TOKEN;
}

/** Whose events settle an order: a router, or the program. */
export function orderContract(chain: Chain, router: OrderRouter): string {
  return chain.family === 'solana' ? chain.program.id : chain.routers[router];
}

/** The once-only key of an order's terms: what its events name. */
export function orderKey({ chain, router, terms }: OrderAt): Hex {
  if (chain.family === 'solana') return solanaOrderKey(chain, { router, terms });
  return evmOrderKey(chain, router, evmTerms(terms));
}

/** The address that belongs to these terms: what is sent to it can only settle them, or go where the payee says. */
export function depositAddress({ chain, router, terms }: OrderAt): string {
  if (chain.family === 'solana') return solanaOrderAddress(chain, { router, terms });
  return evmDepositAddress(chain, router, evmTerms(terms));
}

/** Whether an order can be settled from its deposit address: on Solana in USDC only. */
export function takesDeposits({ chain, terms }: OrderAt): boolean {
  return chain.family === 'evm' || terms.token === chain.usdc;
}

/** Whether an order is settled in the newest block, and the sum of its recorded refunds. @throws AppError `provider_unavailable` */
export function readPayment({ chain, router, terms }: OrderAt): Promise<{ settled: boolean; refunded: bigint }> {
  if (chain.family === 'solana') return solanaPayment(chain, { router, terms });
  return evmPayment(chain, router, evmOrderKey(chain, router, evmTerms(terms)));
}

/** Whether an order is settled in the newest block. @throws AppError `provider_unavailable` */
export async function isSettled({ chain, router, terms }: OrderAt): Promise<boolean> {
  if (chain.family === 'solana') return (await solanaPayment(chain, { router, terms })).settled;
  return isEvmSettled(chain, router, evmOrderKey(chain, router, evmTerms(terms)));
}

/** Whether an order is settled in blocks that are final for us, and the Unix second of the newest of those. @throws AppError `provider_unavailable` */
export function finalPayment({ chain, router, terms }: OrderAt): Promise<{ settled: boolean; time: number }> {
  if (chain.family === 'solana') return solanaFinalPayment(chain, { router, terms });
  return evmFinalPayment(chain, router, evmOrderKey(chain, router, evmTerms(terms)));
}

/**
 * The transaction that settled an order, looked for in blocks from the one after which its terms were made; null where none is shown.
 * @throws AppError `provider_unavailable`
 */
export async function settledBy(
  { chain, router, terms }: OrderAt,
  blocks: { fromBlock: bigint; most: bigint },
): Promise<string | null> {
  if (chain.family === 'solana') return solanaSettledBy(chain, { router, terms });
  const newest = await headBlock(chain);
  const last = blocks.fromBlock + blocks.most;
  const range = { fromBlock: blocks.fromBlock, toBlock: newest < last ? newest : last };
  return evmSettledBy(chain, router, evmOrderKey(chain, router, evmTerms(terms)), range);
}

/** The call that settles an order from its deposit address. Any executor. @throws AppError `provider_unavailable` */
export async function sweepCall({ chain, router, terms }: OrderAt): Promise<ChainCall> {
  if (chain.family === 'evm') return { to: chain.routers[router], data: encodeSweep(evmTerms(terms)), gas: SWEEP_GAS };
  const treasury = await treasuryOf(chain);
  const { units, instructions } = solanaSweepCall(chain, { router, terms }, { treasury, executor: EXECUTOR });
  return { to: chain.program.id, data: encodeInstructions(instructions), gas: BigInt(units) };
}

/**
 * A move as a transaction that its wallet signs and an executor sends.
 * @param funder the key of ours that pays the network fee, and the rent of the order's account
 * @returns null where wallets send by themselves, or sign something else than a transaction
 * @throws AppError `provider_unavailable`
 */
export async function prepareMove(
  { chain, router, terms }: OrderAt,
  move: OrderMove,
  funder: string | null,
): Promise<TransactionToSign | null> {
  if (chain.family === 'evm') return null;
  if (funder === null) throw new Error('a transaction on Solana names who pays for it');
  const order = { router, terms };
  const call = solanaMoveCall(chain, order, move, { treasury: await treasuryOf(chain), funder });
  const paid = await buildPaidMessage(chain, funder, call);
  return { signed_by: signerOf(order, move), solana_transaction: unsignedTransaction(paid) };
}

/**
 * A move in a transaction that its wallet has signed.
 * @param text in base64
 * @returns null for any other transaction than {@link prepareMove} gives, and for another signature
 * @throws AppError `provider_unavailable`
 */
export async function readMove(
  { chain, router, terms }: OrderAt,
  move: OrderMove,
  text: string,
): Promise<SignedCall | null> {
  if (chain.family === 'evm') return null;
  const order = { router, terms };
  const treasury = await treasuryOf(chain);
  const build = (funder: string) => solanaMoveCall(chain, order, move, { treasury, funder });
  const signed = await readSignedCall(chain, text, signerOf(order, move), build);
  return signed && signedCallOf(chain, signed);
}

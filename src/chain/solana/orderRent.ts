// Accounts of orders that are old enough to be closed.
import { PublicKey } from '@solana/web3.js';
import type { RentReturn } from '../rent.ts';
import { decodeOrder } from './accounts.ts';
import { readingSolana, type SolanaChain } from './client.ts';
import type { SolanaAddress } from './codec.ts';
import { buildInstruction } from './instructions.ts';
import { argsOf, depositAccount, type SolanaOrder, solanaOrderAddress } from './orders.ts';
import { EXECUTOR, encodeInstructions } from './payload.ts';
import { decodeTokenAccount } from './tokens.ts';

/** Two accounts an order. */
const AT_ONCE = 50;
/** Measured at 9,100 with the deposit account. */
const UNITS = 20_000;

/** Those that exist and whose deposit is empty, with the calls that close them. @throws AppError `provider_unavailable` */
export async function closableOrders(chain: SolanaChain, orders: readonly SolanaOrder[]): Promise<RentReturn[]> {
  const found: RentReturn[] = [];
  for (let at = 0; at < orders.length; at += AT_ONCE) {
    const some = orders.slice(at, at + AT_ONCE).map((order) => {
      return { order, address: solanaOrderAddress(chain, order), deposit: depositAccount(chain, order) };
    });
    const keys = some.flatMap(({ address, deposit }) => [new PublicKey(address), new PublicKey(deposit)]);
    const accounts = await readingSolana(chain, (to) => to.getMultipleAccountsInfo(keys, 'finalized'));
    for (const [index, place] of some.entries()) {
      const [account, deposit] = [accounts[2 * index], accounts[2 * index + 1]];
      const onChain = account?.owner.toBase58() === chain.program.id ? decodeOrder(account.data) : null;
      const left = deposit ? (decodeTokenAccount(deposit.data)?.amount ?? 0n) : 0n;
      if (onChain && left === 0n) found.push(closing(chain, place, onChain));
    }
  }
  return found;
}

function closing(
  chain: SolanaChain,
  { order, address, deposit }: { order: SolanaOrder; address: SolanaAddress; deposit: SolanaAddress },
  { rentTo, depositRentTo }: { rentTo: SolanaAddress; depositRentTo: SolanaAddress },
): RentReturn {
  const isOurs = depositRentTo !== NO_ONE;
  const close = buildInstruction(chain.program, 'closeOrder', {
    args: argsOf(chain, order),
    accounts: {
      caller: EXECUTOR,
      order: address,
      deposit,
      rentTo,
      depositRentTo: isOurs ? depositRentTo : order.terms.payee,
    },
  });
  return { address, call: { to: chain.program.id, data: encodeInstructions([close]), gas: BigInt(UNITS) } };
}

/** Of a deposit account that another program created. */
const NO_ONE = PublicKey.default.toBase58();

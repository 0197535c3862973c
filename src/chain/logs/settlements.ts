// What blocks say about payments of orders: the events of the payment routers, and transfers of USDC to addresses that belong to one order each.
import { erc20Abi, pad } from 'viem';
import type { OrderRouter } from '../../domain/typedData/orders.ts';
import type { OrderEntry, Place } from '../orderEvents.ts';
import { paymentEvents } from '../routers/payment.ts';
import type { BlockLog, BlockRange } from '../rpc/blockRanges.ts';
import type { Address, EvmChain } from '../rpc/client.ts';
import { PAYMENT_EVENTS, TRANSFER } from './filter.ts';
import { ownEvents } from './routerEvents.ts';

const ROUTERS: readonly OrderRouter[] = ['payment', 'business'];

/**
 * Decodes what a block range says about orders, in the chain's order. A log of any other contract, or one that does not fit its event, is left
 * out, whatever the filter requested.
 */
export function readSettlements(chain: EvmChain, range: BlockRange, watched: readonly Address[]): OrderEntry[] {
  const addresses = new Set(watched.map((address) => pad(address).toLowerCase()));
  const own: BlockLog[] = [];
  const transfers: BlockLog[] = [];
  for (const log of range.logs) {
    const [selector, , to] = log.topics;
    if (selector === TRANSFER) {
      if (addresses.has(to?.toLowerCase() ?? '')) transfers.push(log);
    } else if (selector !== undefined && PAYMENT_EVENTS.has(selector)) own.push(log);
  }
  const entries = [
    ...ROUTERS.flatMap((router) => routerEntries(chain, range, router, own)),
    ...ownEvents(erc20Abi, chain.usdc, transfers).flatMap((log): OrderEntry[] => {
      if (log.eventName !== 'Transfer') return [];
      const { from, to, value: units } = log.args;
      return placed(range, log as BlockLog).map((place) => ({
        ...place,
        kind: 'deposit',
        from,
        to,
        token: chain.usdc,
        units,
      }));
    }),
  ];
  return entries.sort((a, b) => Number(a.block - b.block) || a.logIndex - b.logIndex);
}

function routerEntries(chain: EvmChain, range: BlockRange, router: OrderRouter, logs: BlockLog[]): OrderEntry[] {
  const routerAddress = chain.routers[router];
  return paymentEvents(chain, router, logs).flatMap((log): OrderEntry[] =>
    placed(range, log as BlockLog).flatMap((place): OrderEntry[] => {
      if (log.eventName === 'PaymentSettled') {
        const { key, orderId: onChainId, payer, payee, token, amount: units, fee: feeUnits } = log.args;
        const of = { router, routerAddress, key, onChainId };
        return [{ ...place, ...of, kind: 'settled', payer, payee, token, units, feeUnits }];
      }
      if (log.eventName === 'PaymentRefunded') {
        const { key, orderId: onChainId, to, token, amount: units } = log.args;
        return [{ ...place, router, routerAddress, key, onChainId, kind: 'refunded', to, token, units }];
      }
      if (log.eventName !== 'DepositMoved') return [];
      const { key, orderId: onChainId, to, token, amount: units, fee: feeUnits, accepted } = log.args;
      const of = { router, routerAddress, key, onChainId };
      return [{ ...place, ...of, kind: 'deposit_moved', to, token, units, feeUnits, accepted }];
    }),
  );
}

/** A log whose block is not in the range lies in no block that was read. */
function placed({ blocks }: BlockRange, log: BlockLog): Place[] {
  const block = blocks.get(log.blockNumber);
  if (!block || !log.transactionHash || !log.blockHash) return [];
  const { transactionHash: txHash, logIndex, blockNumber, blockHash } = log;
  return [{ txHash, logIndex, block: blockNumber, blockHash, blockTime: block.time }];
}

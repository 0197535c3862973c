// What is signed for the payment router and the business router (IPaymentRouter): an order by its payer, a refund by its payee.
import { type Bytes, type Struct, signedFor, struct, type TypedData, type Verifier } from '../typedData.ts';

export const ORDER_ROUTERS = { payment: 'Ampersat Payment Router', business: 'Ampersat Business Router' } as const;
export type OrderRouter = keyof typeof ORDER_ROUTERS;

/** An order's terms on a chain of any family: a payment of other terms burns another key and credits nothing. */
export type OrderTerms = {
  /** keccak256 of the order's identifier. */
  orderId: Bytes;
  payee: string;
  /** USDC, or for the native asset the address that is nothing but zeros. */
  token: string;
  /** What the payer gives, in smallest units. */
  amount: bigint;
  /** Part of `amount` that goes to the treasury. */
  fee: bigint;
  /** Last Unix second at which the order may be paid. */
  deadline: bigint;
};

/** The same as the routers take them. */
export type RouterOrderTerms = OrderTerms & { payee: Bytes; token: Bytes };

/** The struct whose hash is the EIP-3009 nonce and the Permit2 witness of a payment. */
export function orderStruct(terms: RouterOrderTerms, payer: Bytes): Struct {
  const members =
    'bytes32 orderId,address payer,address payee,address token,uint256 amount,uint256 fee,uint64 deadline';
  return struct('Order', members, { ...terms, payer });
}

/** `Order`: anyone may submit the payer's payment of the order from its allowance. */
export function orderData(router: OrderRouter, at: Verifier, terms: RouterOrderTerms, payer: Bytes): TypedData {
  return signedFor(at, domainOf(router), orderStruct(terms, payer));
}

export type RefundTerms = {
  /** The order's key. */
  key: Bytes;
  to: Bytes;
  amount: bigint;
  /** The payee's next one at that router. */
  nonce: bigint;
  /** Unix seconds. */
  deadline: bigint;
};

/** `RefundTo`: anyone may submit the payee's refund from its allowance. */
export function refundToData(router: OrderRouter, at: Verifier, terms: RefundTerms): TypedData {
  const members = 'bytes32 key,address to,uint256 amount,uint256 nonce,uint256 deadline';
  return signedFor(at, domainOf(router), struct('RefundTo', members, terms));
}

function domainOf(router: OrderRouter) {
  return { name: ORDER_ROUTERS[router], version: '1' };
}

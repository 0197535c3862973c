// In words: an order and its refund.
import { orderData, refundToData } from '../../../../../src/domain/typedData/orders.ts';
import { isSameAddress } from '../../../../../src/domain/walletFamily.ts';
import { bytes, type Explainer, number, on, orderRouterAt, text, until, usdc, verifier, warningOf } from './reading.ts';

export const ORDERS: Record<string, Explainer> = {
  Order(message, { chain, address }, { domain }) {
    const router = orderRouterAt(chain, domain);
    if (!router || !isSameAddress(text(message, 'payer'), address)) return null;
    const terms = {
      orderId: bytes(message, 'orderId'),
      payee: bytes(message, 'payee'),
      token: bytes(message, 'token'),
      amount: number(message, 'amount'),
      fee: number(message, 'fee'),
      deadline: number(message, 'deadline'),
    };
    if (!isSameAddress(terms.token, chain.usdc)) return null;
    const again = orderData(router, verifier(chain, domain), terms, bytes(message, 'payer'));
    const amount = usdc(chain, terms.amount);
    const facts = [
      ...on(chain),
      { name: 'To', value: terms.payee },
      { name: 'Fee, in the amount', value: usdc(chain, terms.fee) },
      until(terms.deadline),
    ];
    return {
      again,
      words: {
        title: `Pay ${amount}`,
        text: `Pays ${amount} for one order, once.`,
        facts,
        ...warningOf(chain, terms.amount),
      },
    };
  },

  RefundTo(message, { chain }, { domain }) {
    const router = orderRouterAt(chain, domain);
    if (!router) return null;
    const terms = {
      key: bytes(message, 'key'),
      to: bytes(message, 'to'),
      amount: number(message, 'amount'),
      nonce: number(message, 'nonce'),
      deadline: number(message, 'deadline'),
    };
    const again = refundToData(router, verifier(chain, domain), terms);
    const amount = usdc(chain, terms.amount);
    const facts = [...on(chain), { name: 'To', value: terms.to }, until(terms.deadline)];
    return {
      again,
      words: {
        title: `Refund ${amount}`,
        text: `Gives ${amount} of one order back, to the address below, once.`,
        facts,
        ...warningOf(chain, terms.amount),
      },
    };
  },
};

// What IPaymentRouter and IBusinessRouter promise, without anything of how they keep it.
import {
  allowanceOf,
  balanceOf,
  FEE_TO,
  holding,
  type Model,
  move,
  nonceOf,
  type Party,
  pull,
  type Reasons,
  type Token,
  takeNonce,
  unless,
} from './ledger.ts';

export type OrderRouterName = 'payment' | 'business';
/** `token` native stands for the zero address. */
export type Order = {
  id: number;
  payee: Party;
  token: 'usdc' | 'native';
  amount: bigint;
  fee: bigint;
  deadline: bigint;
};
/** Refunded sums of the keys that are settled. */
export type PaymentBooks = Map<string, bigint>;
export type OrderWay = 'direct' | 'allowance' | 'eip2612' | 'eip3009' | 'permit2';

export const keyName = (router: OrderRouterName, { id }: Order) => `${router} ${id}`;
export const depositOf = (router: OrderRouterName, { id }: Order): Party => `deposit:${router}:${id}`;

const rounded = (amount: bigint, part: bigint, whole: bigint) => (2n * amount * part + whole) / (2n * whole);

function termsReasons(router: OrderRouterName, { amount, fee }: Order): Reasons {
  return holding({
    ZeroAmount: amount === 0n,
    InvalidFee: fee >= amount || (router === 'business' && fee !== rounded(amount, 100n, 10_000n)),
  });
}

function openReasons(m: Model, router: OrderRouterName, order: Order): Reasons {
  return [
    ...termsReasons(router, order),
    ...holding({
      Paused: m.paused.has(router),
      Expired: m.now > order.deadline,
      AlreadySettled: m.payments.has(keyName(router, order)),
    }),
  ];
}

export type Pay = {
  router: OrderRouterName;
  order: Order;
  way: OrderWay;
  payer: Party;
  caller: Party;
  /** Whose key signs what the payer has to. */
  signer: Party;
};

export function pay(m: Model, { router, order, way, payer, caller, signer }: Pay): Reasons {
  const spender = `router:${router}`;
  const { token, payee, amount, fee } = order;
  const signed = signer === payer;
  const reasons = openReasons(m, router, order);
  if (token === 'native') {
    if (way !== 'direct') return [...reasons, 'UnsupportedToken', 'InvalidSignature', 'TokenRefused', 'InvalidSigner'];
    return settle(m, router, order, reasons, 'TransferFailed', (part, to) => move(m, 'native', payer, to, part));
  }
  if (way === 'allowance' || way === 'eip2612') {
    if (!signed && caller !== payer) reasons.push('InvalidSignature');
    if (way === 'eip2612' && signed) {
      m.allowances.set(`usdc ${payer} ${spender}`, amount);
      takeNonce(m, 'usdc', payer);
    }
  }
  if (way === 'eip3009') {
    const authorization = `${payer} order ${order.id}`;
    const refused = !signed || m.authorizations.has(authorization) || m.blacklist.has(payer);
    if (refused || balanceOf(m, 'usdc', payer) < amount) reasons.push('TokenRefused');
    m.authorizations.add(authorization);
  }
  if (way === 'permit2') {
    if (!signed) reasons.push('InvalidSigner');
    const drawn = allowanceOf(m, 'usdc', payer, 'permit2') >= amount && !m.blacklist.has(payer);
    if (!drawn || balanceOf(m, 'usdc', payer) < amount) reasons.push('TokenRefused');
    m.allowances.set(`usdc ${payer} permit2`, allowanceOf(m, 'usdc', payer, 'permit2') - amount);
  }
  const drawsOnRouter = way === 'direct' || way === 'allowance' || way === 'eip2612';
  return settle(m, router, order, reasons, 'TransferFailed', (part, to) =>
    drawsOnRouter ? pull(m, 'usdc', spender, payer, to, part) : move(m, 'usdc', payer, to, part),
  );

  function settle(
    model: Model,
    at: OrderRouterName,
    terms: Order,
    against: Reasons,
    failure: string,
    give: (part: bigint, to: Party) => boolean,
  ): Reasons {
    model.payments.set(keyName(at, terms), 0n);
    return unless(against, () => give(amount - fee, payee) && (fee === 0n || give(fee, FEE_TO)), failure);
  }
}

export function sweep(m: Model, router: OrderRouterName, order: Order): Reasons {
  const at = depositOf(router, order);
  const { token, amount, fee, payee } = order;
  const reasons = [
    ...openReasons(m, router, order),
    ...holding({ DepositIncomplete: balanceOf(m, token, at) < amount }),
  ];
  m.payments.set(keyName(router, order), 0n);
  return unless(
    reasons,
    () => move(m, token, at, payee, amount - fee) && (fee === 0n || move(m, token, at, FEE_TO, fee)),
    'TransferFailed',
  );
}

/** Whether anybody could settle the order from its deposit now: then the payee moves nothing in another way. */
function isSweepable(m: Model, router: OrderRouterName, order: Order, token: Token, balance: bigint): boolean {
  return openReasons(m, router, order).length === 0 && token === order.token && balance >= order.amount;
}

export function acceptDeposit(
  m: Model,
  router: OrderRouterName,
  order: Order,
  token: Exclude<Token, 'wrapped'>,
  caller: Party,
): Reasons {
  const at = depositOf(router, order);
  const balance = balanceOf(m, token, at);
  const sweepable = isSweepable(m, router, order, token, balance);
  const reasons = [
    ...termsReasons(router, order),
    ...holding({ NotPayee: caller !== order.payee, ZeroAmount: balance === 0n, DepositCovered: sweepable }),
  ];
  const share = rounded(balance, order.fee, order.amount);
  return unless(
    reasons,
    () =>
      (balance === share || move(m, token, at, order.payee, balance - share)) &&
      (share === 0n || move(m, token, at, FEE_TO, share)),
    'TransferFailed',
  );
}

export function refundDeposit(
  m: Model,
  router: OrderRouterName,
  order: Order,
  { token, to, amount, caller }: { token: Exclude<Token, 'wrapped'>; to: Party; amount: bigint; caller: Party },
): Reasons {
  const at = depositOf(router, order);
  const balance = balanceOf(m, token, at);
  const reasons = holding({
    NotPayee: caller !== order.payee,
    ZeroAmount: amount === 0n,
    DepositIncomplete: balance < amount,
    DepositCovered: isSweepable(m, router, order, token, balance),
  });
  return unless(reasons, () => move(m, token, at, to, amount), 'TransferFailed');
}

export function refund(
  m: Model,
  router: OrderRouterName,
  order: Order,
  { to, amount, caller }: { to: Party; amount: bigint; caller: Party },
): Reasons {
  // What the payee does itself voids what it signed before.
  takeNonce(m, router, order.payee);
  return recorded(m, router, order, amount, holding({ NotPayee: caller !== order.payee }), () =>
    order.token === 'native'
      ? move(m, 'native', caller, to, amount)
      : pull(m, 'usdc', `router:${router}`, order.payee, to, amount),
  );
}

export function refundBySig(
  m: Model,
  router: OrderRouterName,
  order: Order,
  {
    to,
    amount,
    signer,
    nonce,
    deadline,
  }: { to: Party; amount: bigint; signer: Party; nonce: bigint; deadline: bigint },
): Reasons {
  const reasons = holding({
    UnsupportedToken: order.token === 'native',
    Expired: m.now > deadline,
    InvalidNonce: nonce !== nonceOf(m, router, order.payee),
    InvalidSignature: signer !== order.payee,
  });
  takeNonce(m, router, order.payee);
  return recorded(m, router, order, amount, reasons, () =>
    pull(m, 'usdc', `router:${router}`, order.payee, to, amount),
  );
}

function recorded(
  m: Model,
  router: OrderRouterName,
  order: Order,
  amount: bigint,
  reasons: Reasons,
  send: () => boolean,
): Reasons {
  const before = m.payments.get(keyName(router, order));
  const all = [
    ...reasons,
    ...holding({
      ZeroAmount: amount === 0n,
      NotSettled: before === undefined,
      RefundTooLarge: before !== undefined && before + amount > order.amount,
    }),
  ];
  m.payments.set(keyName(router, order), (before ?? 0n) + amount);
  return unless(all, send, 'TransferFailed');
}

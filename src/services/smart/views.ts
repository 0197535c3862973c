// A smart payment as it is shown. No secret is in it: anyone who has the id may look.
import { acrossOf } from '../../chain/bridge/across.ts';
import { prepareLeg } from '../../chain/bridge/legs.ts';
import type { Address } from '../../chain/rpc/client.ts';
import { allowanceOf } from '../../chain/signing/gasless.ts';
import { type Ctx, chainOf, evmChainOf } from '../../context.ts';
import type { Row } from '../../db.ts';
import { CHAINS, type ChainName } from '../../domain/chains.ts';
import { WHOLE_SIGNATURE_MS } from '../../domain/checkout.ts';
import { AppError } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import { formatUnits } from '../../domain/money.ts';
import { type LegStatus, type SmartStatus, type SmartStep, stepOf, type Via } from '../../domain/smartLeg.ts';
import { type WalletChain, walletChain } from '../accounts/walletChains.ts';
import { type LegStep, legTerms, stepsOf, type WholeTerms, wholeLegOf } from '../bridges/legTerms.ts';
import { transactionUrl } from '../chains.ts';
import { placeOf } from '../orders/payments/payable.ts';
import { unitsOf } from '../orders/views.ts';
import { choosePayer } from '../outgoing/payers.ts';

export const WITH_LEGS = { legs: { orderBy: { number: 'asc' } } } as const;
export type SmartPayment = Row<'SmartPayment'> & { legs: Row<'SmartLeg'>[] };

type LegTxs = { origin: string | null; destination: string | null; refund: string | null };
export type LegView = {
  n: number;
  status: LegStatus;
  requestId: string;
  via: Via;
  chain: string;
  chain_label: string;
  asset: string;
  payer: string;
  amount: string;
  arrives: string;
  txHashes: LegTxs;
  explorerUrls: LegTxs;
  /** When its payer gave the money, ISO 8601; null before. */
  sent_at: string | null;
  reason?: string;
};
export type PaymentView = {
  id: string;
  orderId: string | null;
  chain: string;
  currency: string;
  amount: string;
  step: SmartStep;
  status: SmartStatus;
  allOk: boolean;
  legs: LegView[];
  expires_at: string;
};
export type PreparedPayment = Omit<PaymentView, 'legs'> & {
  legs: (LegView & { network: WalletChain['add']; steps: LegStep[] })[];
};

/** @throws AppError `resource_missing` */
export async function findPayment(ctx: Ctx, where: { id: string } | { requestId: string }): Promise<SmartPayment> {
  const id = 'id' in where ? where.id : await paymentOfRequest(ctx, where.requestId);
  const row =
    id !== null && isId('pay', id) ? await ctx.db.smartPayment.findUnique({ where: { id }, include: WITH_LEGS }) : null;
  if (!row) throw new AppError('resource_missing', 'No such payment. Check the ID.');
  return row;
}

async function paymentOfRequest(ctx: Ctx, requestId: string): Promise<string | null> {
  const leg = await ctx.db.smartLeg.findUnique({ where: { requestId }, select: { paymentId: true } });
  return leg?.paymentId ?? null;
}

export function viewPayment(ctx: Ctx, payment: SmartPayment): PaymentView {
  const statuses = payment.legs.map(({ status }) => status as LegStatus);
  return {
    id: payment.id,
    orderId: payment.orderId,
    chain: payment.chain,
    currency: payment.currency,
    amount: formatUnits(unitsOf(payment.dueUnits), payment.decimals),
    step: stepOf(statuses),
    status: payment.status as SmartStatus,
    allOk: statuses.every((status) => status === 'arrived'),
    legs: payment.legs.map((leg) => viewLeg(ctx, payment, leg)),
    expires_at: payment.expiresAt.toISOString(),
  };
}

function viewLeg(ctx: Ctx, { chain, decimals }: SmartPayment, leg: Row<'SmartLeg'>): LegView {
  const facts = CHAINS[leg.chain as ChainName];
  const given = leg.asset === 'USDC' ? facts.usdcDecimals : facts.nativeDecimals;
  const { originHash, destinationHash, refundHash } = leg;
  return {
    n: leg.number,
    status: leg.status as LegStatus,
    requestId: leg.requestId,
    via: leg.via as Via,
    chain: leg.chain,
    chain_label: facts.label,
    asset: leg.asset,
    payer: leg.payer,
    amount: formatUnits(unitsOf(leg.giveUnits), given),
    arrives: formatUnits(unitsOf(leg.arriveUnits), decimals),
    txHashes: { origin: originHash, destination: destinationHash, refund: refundHash },
    explorerUrls: {
      origin: transactionUrl(ctx, leg.chain, originHash),
      destination: transactionUrl(ctx, chain, destinationHash),
      refund: transactionUrl(ctx, leg.chain, refundHash),
    },
    sent_at: leg.sentAt?.toISOString() ?? null,
    ...(leg.reason === null ? {} : { reason: leg.reason }),
  };
}

/** With what the payer signs or sends for each leg that waits for it. @throws AppError `provider_unavailable` */
export async function viewPrepared(ctx: Ctx, payment: SmartPayment): Promise<PreparedPayment> {
  const view = viewPayment(ctx, payment);
  const isOpen = await isPayable(ctx, payment);
  const steps = await Promise.all(
    payment.legs.map((leg) => (isOpen && leg.status === 'prepared' ? legSteps(ctx, payment, leg) : [])),
  );
  const legs = view.legs.map((leg, index) => ({
    ...leg,
    network: walletChain(ctx, chainOf(ctx, leg.chain)).add,
    steps: steps[index] ?? [],
  }));
  return { ...view, legs };
}

/** Nothing more is given to an order that is over, or for prices that are. */
async function isPayable(ctx: Ctx, { orderId, expiresAt }: SmartPayment): Promise<boolean> {
  if (expiresAt.getTime() <= ctx.clock.now()) return false;
  if (orderId === null) return true;
  const { status } = await ctx.db.order.findUniqueOrThrow({ where: { id: orderId }, select: { status: true } });
  return status === 'awaiting_payment';
}

async function legSteps(ctx: Ctx, payment: SmartPayment, leg: Row<'SmartLeg'>): Promise<LegStep[]> {
  const terms = legTerms.parse(leg.terms);
  if (terms.by === 'transaction') return [await wholeStep(ctx, payment, leg, terms)];
  const origin = evmChainOf(ctx, leg.chain);
  const deposits = terms.via === 'across' && terms.by === 'wallet';
  const allowance = deposits ? await allowanceOf(origin, leg.payer as Address, acrossOf(origin).pool) : 0n;
  return stepsOf(origin, terms, allowance);
}

/** The transaction names its block hash, so it is good for about a minute: the same payment, requested again, has a new one. */
async function wholeStep(
  ctx: Ctx,
  { orderId, expiresAt }: SmartPayment,
  leg: Row<'SmartLeg'>,
  terms: WholeTerms,
): Promise<LegStep> {
  const origin = chainOf(ctx, leg.chain);
  const order = orderId === null ? null : await ctx.db.order.findUniqueOrThrow({ where: { id: orderId } });
  const payer = await choosePayer(ctx, origin, leg.number);
  const prepared = await prepareLeg(origin, wholeLegOf(terms, order && placeOf(ctx, order)), payer);
  const until = new Date(Math.min(ctx.clock.now() + WHOLE_SIGNATURE_MS, expiresAt.getTime()));
  return { kind: 'solana_transaction', ...prepared, until: until.toISOString() };
}

// A payment is made of a candidate: its legs are written with everything that their proofs need, and the payer learns what to sign or to send.
import { randomBytes } from 'node:crypto';
import { canonicalAddress } from '../../chain/addresses.ts';
import type { Chain } from '../../chain/chain.ts';
import { finalBlock, newestBlock } from '../../chain/heads.ts';
import { treasuryOf } from '../../chain/routers/bot.ts';
import type { Address, EvmChain, Hex } from '../../chain/rpc/client.ts';
import { type Ctx, chainOf, evmChainOf, newId } from '../../context.ts';
import { type Json, type Row, sqlState, type Tx } from '../../db.ts';
import { CHAINS, type ChainName } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { formatUnits } from '../../domain/money.ts';
import { FILL_WITHIN_MS, LEG_SIGNATURE_MS } from '../../domain/smartLeg.ts';
import { familyOf } from '../../domain/walletFamily.ts';
import { type AcrossTerms, acrossRequestId, type LegTerms, requestIdOf } from '../bridges/legTerms.ts';
import { once } from '../bridges/memo.ts';
import { firmQuote, networkFee, unlessAway } from '../bridges/prices.ts';
import { deadlineMs } from '../orders/payments/payable.ts';
import { lockPayments } from '../orders/payments/quota.ts';
import { unitsOf } from '../orders/views.ts';
import { wake } from '../wake.ts';
import { type CandidateList, listCandidates, type PlannedLeg, plannedLeg } from './candidates.ts';
import { type Due, dueOf, isTooLate } from './due.ts';
import { type PreparedPayment, type SmartPayment, viewPrepared, WITH_LEGS } from './views.ts';

const TREASURY_KEPT_MS = 60_000;
/** SQLSTATE. */
const UNIQUE_VIOLATION = '23505';

export type PayWish = {
  candidateId: string;
  orderId?: string | undefined;
  payer: string;
  idempotencyKey?: string | undefined;
  /** The network address that asks. */
  client?: string | undefined;
  /** Whose SOL it is, and what it is worth; `requireLeft` throws where the day has no room for it. */
  topUp?: { handleId: string; usd: bigint; requireLeft(tx: Tx): Promise<void> } | undefined;
};

/**
 * The same candidate again, or the same key of the same payer, is the same payment.
 * @throws AppError `resource_missing`, `parameter_invalid`, `quote_expired` with fresh candidates, `state_conflict` for an order that cannot be paid,
 * `idempotency_key_reused`, `provider_unavailable`
 */
export async function createPayment(ctx: Ctx, wish: PayWish): Promise<PreparedPayment> {
  const payer = canonicalAddress(familyOf(wish.payer), wish.payer);
  if (!payer) throw new AppError('parameter_invalid', 'Invalid address. Check it and try again.', { param: 'payer' });
  const before = await samePayment(ctx, payer, wish);
  if (before) return viewPrepared(ctx, before);
  const candidate = await ctx.db.smartCandidate.findUnique({ where: { id: wish.candidateId } });
  if (!candidate) throw new AppError('resource_missing', 'No such candidate. List candidates again.');
  if (wish.orderId !== undefined && wish.orderId !== candidate.orderId)
    throw new AppError('parameter_invalid', 'This candidate is for another order.', { param: 'orderId' });
  if (!candidate.payers.includes(payer))
    throw new AppError('parameter_invalid', 'This candidate is for another wallet.', { param: 'payer' });
  if (candidate.expiresAt.getTime() <= ctx.clock.now()) throw await expired(ctx, candidate);
  const due = await dueOf(ctx, wishOf(candidate));
  if (isTooLate(ctx, due)) {
    const words =
      'There isn’t enough time left for a payment from elsewhere. Pay with your wallet, or ask for a new order.';
    throw new AppError('state_conflict', words);
  }
  // Something arrived, or was sent back, since it was priced.
  if (due.units !== unitsOf(candidate.dueUnits)) throw await expired(ctx, candidate);
  const legs = plannedLeg.array().parse(candidate.legs);
  const id = newId(ctx, 'pay');
  const built = await Promise.all(
    legs.map((leg) => buildLeg(ctx, due, leg, candidate.slippageBps, wish.client ?? null)),
  ).catch(async (error: unknown) => {
    throw error instanceof AppError && error.code === 'quote_expired' ? await expired(ctx, candidate) : error;
  });
  const key = wish.idempotencyKey ?? null;
  const { topUp = null } = wish;
  const payment = await store(ctx, { id, candidate, due, payer, key, legs, built, topUp }).catch((error: unknown) => {
    // Two candidates under one key at once.
    throw key !== null && sqlState(error) === UNIQUE_VIOLATION ? new AppError('idempotency_key_reused') : error;
  });
  return viewPrepared(ctx, payment);
}

async function samePayment(ctx: Ctx, payer: string, wish: PayWish): Promise<SmartPayment | null> {
  const { candidateId, idempotencyKey: key } = wish;
  const [byKey, byCandidate] = await Promise.all([
    key === undefined
      ? null
      : ctx.db.smartPayment.findUnique({ where: { payer_key: { payer, key } }, include: WITH_LEGS }),
    ctx.db.smartPayment.findUnique({ where: { candidateId }, include: WITH_LEGS }),
  ]);
  if (byKey && byKey.candidateId !== candidateId) throw new AppError('idempotency_key_reused');
  return byCandidate && requireOwn(byCandidate, payer);
}

function requireOwn(payment: SmartPayment, payer: string): SmartPayment {
  if (payment.payer === payer) return payment;
  throw new AppError('parameter_invalid', 'Another wallet already pays with this candidate.', { param: 'payer' });
}

function wishOf({ orderId, recipient, chain, currency, dueUnits }: Row<'SmartCandidate'>) {
  const facts = CHAINS[chain as ChainName];
  const decimals = currency === 'USDC' ? facts.usdcDecimals : facts.nativeDecimals;
  const amount = formatUnits(unitsOf(dueUnits), decimals);
  return orderId === null ? { recipient, chain, currency, amount } : { orderId };
}

/** With what it costs now. @throws what {@link listCandidates} throws, where it can no longer be paid */
async function expired(ctx: Ctx, candidate: Row<'SmartCandidate'>): Promise<AppError> {
  const fresh: CandidateList = await listCandidates(ctx, {
    ...wishOf(candidate),
    payer: candidate.payers,
    slippageBps: candidate.slippageBps,
  });
  return new AppError('quote_expired', undefined, { more: { candidates: fresh } });
}

type BuiltLeg = {
  id: string;
  terms: LegTerms;
  requestId: string;
  originFrom: bigint;
  destinationFrom: bigint;
  deadlineMs: number;
};

async function buildLeg(
  ctx: Ctx,
  due: Due,
  leg: PlannedLeg,
  slippageBps: number,
  client: string | null,
): Promise<BuiltLeg> {
  const origin = chainOf(ctx, leg.chain);
  const [originFinal, destinationFinal, originHead] = await Promise.all([
    finalBlock(origin),
    finalBlock(due.chain),
    newestBlock(origin),
  ]);
  const nowMs = ctx.clock.now();
  const signedUntil = Math.floor((nowMs + LEG_SIGNATURE_MS) / 1_000);
  const deadline = Math.floor(Math.min(nowMs + FILL_WITHIN_MS, due.endsAt ?? Number.POSITIVE_INFINITY) / 1_000);
  const times = { signedUntil: Math.min(signedUntil, deadline), deadline, quotedAt: originFinal.time };
  const { terms, requestId } =
    leg.via === 'across'
      ? await acrossLeg(ctx, due, leg, times)
      : known(
          leg.via === 'direct'
            ? await directTerms(ctx, due, origin, leg, times.signedUntil)
            : await relayTerms(ctx, due, origin, leg, { slippageBps, signedUntil: times.signedUntil, client }),
        );
  return {
    id: newId(ctx, 'leg'),
    terms,
    requestId,
    // What a wallet sends now is mined later; what a signature allows may be mined again after a reorg.
    originFrom: terms.via === 'direct' && terms.by === 'wallet' ? originHead + 1n : originFinal.number,
    destinationFrom: destinationFinal.number,
    deadlineMs: deadline * 1_000,
  };
}

type BridgedTerms = Exclude<LegTerms, AcrossTerms>;

const known = (terms: BridgedTerms) => ({ terms, requestId: requestIdOf(terms) });

async function directTerms(
  ctx: Ctx,
  due: Due,
  origin: Chain,
  leg: PlannedLeg,
  signedUntil: number,
): Promise<BridgedTerms> {
  const { payer, token, arrives: amount } = leg;
  const nonce: Hex = `0x${randomBytes(32).toString('hex')}`;
  if (leg.by !== 'transaction') {
    const [from, to] = [payer, due.recipient] as [Address, Address];
    return { via: 'direct', by: leg.by, from, to, token: token as Address | null, amount, nonce, signedUntil };
  }
  const { via, by } = { via: 'direct', by: leg.by } as const;
  const gas = due.order ? 0n : await networkFee(ctx, origin, { via, by, isNative: token === null, opens: false });
  const money = { from: payer, to: due.recipient, token, amount, gas: String(gas) };
  return { via, by, ...money, nonce, opens: due.opens, signedUntil };
}

async function acrossLeg(
  ctx: Ctx,
  due: Due,
  leg: PlannedLeg,
  times: { signedUntil: number; deadline: number; quotedAt: number },
): Promise<{ terms: AcrossTerms; requestId: string }> {
  const origin = evmChainOf(ctx, leg.chain);
  const terms = acrossTerms(due, origin, leg, { ...times, feeTo: await treasury(ctx, origin) });
  return { terms, requestId: acrossRequestId(origin, terms) };
}

function acrossTerms(
  due: Due,
  origin: EvmChain,
  leg: PlannedLeg,
  { feeTo, ...times }: { signedUntil: number; deadline: number; quotedAt: number; feeTo: Address },
): AcrossTerms {
  if (leg.by === 'transaction') throw new Error('Across takes signatures, and calls of wallets');
  return {
    via: 'across',
    by: leg.by,
    originChainId: origin.facts.chainId,
    destinationChainId: due.chain.facts.chainId,
    depositor: leg.payer as Address,
    recipient: due.recipient as Address,
    inputToken: leg.token as Address,
    outputToken: due.token as Address,
    input: String(BigInt(leg.give) - BigInt(leg.fee)),
    output: leg.arrives,
    fillDeadline: times.deadline,
    nonce: String(BigInt(`0x${randomBytes(31).toString('hex')}`)),
    fee: leg.fee,
    feeTo,
    signedUntil: times.signedUntil,
    quotedAt: times.quotedAt,
  };
}

/** Relay's current price, for exactly what was planned. @throws AppError `quote_expired` where it moved past the slippage */
async function relayTerms(
  ctx: Ctx,
  due: Due,
  origin: Chain,
  leg: PlannedLeg,
  { slippageBps, signedUntil, client }: { slippageBps: number; signedUntil: number; client: string | null },
): Promise<BridgedTerms> {
  const { payer, token } = leg;
  const route = {
    via: 'relay' as const,
    origin,
    destination: due.chain,
    inputToken: token,
    outputToken: due.token,
    inputDecimals: leg.decimals,
    outputDecimals: due.decimals,
    inputValue: 0n,
    outputValue: 0n,
  };
  const request = {
    payer,
    recipient: due.recipient,
    amount: BigInt(leg.arrives),
    slippageBps,
    client,
    opens: due.opens,
  };
  const quote = await unlessAway(() => firmQuote(ctx, route, request, 'payment'));
  if (quote === 'unavailable')
    throw new AppError('provider_unavailable', 'The bridge doesn’t answer. Try again shortly.');
  const most = (BigInt(leg.give) * BigInt(10_000 + slippageBps)) / 10_000n;
  if (quote === null || quote.input > most) throw new AppError('quote_expired');
  const places = { via: 'relay', from: payer, to: due.recipient, inputToken: token, outputToken: due.token } as const;
  const money = { input: String(quote.input), output: leg.arrives, requestId: quote.requestId as Hex, signedUntil };
  if (quote.deposit === null) {
    const calls = quote.calls.map(({ purpose, to, data, value }) => ({ purpose, to, data, value: String(value) }));
    return { ...places, ...money, by: 'wallet', calls };
  }
  const { program, id: depositId } = quote.deposit;
  const sending = { via: 'relay', by: 'transaction', isNative: token === null, opens: false } as const;
  const gas = String(await networkFee(ctx, origin, sending));
  return { ...places, ...money, by: 'transaction', program, depositId, gas };
}

/** What executors are paid for their gas goes where all fees go, and they are filled up from there. */
function treasury(ctx: Ctx, chain: EvmChain): Promise<Address> {
  return once(
    ctx,
    `treasury ${chain.name}`,
    () => treasuryOf(chain),
    () => ctx.clock.now() + TREASURY_KEPT_MS,
  );
}

type NewPayment = {
  id: string;
  candidate: Row<'SmartCandidate'>;
  due: Due;
  payer: string;
  key: string | null;
  legs: PlannedLeg[];
  built: BuiltLeg[];
  topUp: NonNullable<PayWish['topUp']> | null;
};

/** Two of one candidate: the database refuses the second, which is answered with the first. */
async function store(
  ctx: Ctx,
  { id, candidate, due, payer, key, legs, built, topUp }: NewPayment,
): Promise<SmartPayment> {
  const now = new Date(ctx.clock.now());
  const { order, chain, recipient, currency, decimals, units } = due;
  return ctx.db.$transaction(async (tx) => {
    await lockPayments(tx, chain.name);
    const twin = await tx.smartPayment.findUnique({ where: { candidateId: candidate.id }, include: WITH_LEGS });
    if (twin) return requireOwn(twin, payer);
    await topUp?.requireLeft(tx);
    if (order) {
      const { count } = await tx.order.updateMany({
        where: { id: order.id, depositShownAt: null },
        data: { depositAddress: recipient, depositShownAt: now },
      });
      if (count > 0) await wake(tx, 'deposits');
    }
    const endMs = order ? deadlineMs(order) : Number.POSITIVE_INFINITY;
    return tx.smartPayment.create({
      data: {
        id,
        candidateId: candidate.id,
        orderId: order?.id ?? null,
        recipient,
        chain: chain.name,
        currency,
        decimals,
        dueUnits: String(units),
        payer,
        key,
        ...(topUp && { topUpOf: topUp.handleId, topUpUsd: topUp.usd }),
        status: 'pending',
        createdAt: now,
        expiresAt: new Date(Math.min(now.getTime() + LEG_SIGNATURE_MS, endMs)),
        legs: {
          create: built.map((leg, index) => ({
            id: leg.id,
            number: index + 1,
            via: leg.terms.via,
            chain: legs[index]?.chain ?? '',
            asset: legs[index]?.asset ?? '',
            payer: legs[index]?.payer ?? '',
            giveUnits: leg.terms.via === 'relay' ? leg.terms.input : (legs[index]?.give ?? '0'),
            arriveUnits: legs[index]?.arrives ?? '0',
            status: 'prepared',
            requestId: leg.requestId,
            terms: leg.terms as Json,
            originFrom: leg.originFrom,
            destinationFrom: leg.destinationFrom,
            deadline: new Date(leg.deadlineMs),
            nextLookAt: now,
            createdAt: now,
          })),
        },
      },
      include: WITH_LEGS,
    });
  });
}

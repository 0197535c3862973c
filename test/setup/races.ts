// Two processes that do the same at the same moment, in a world of smart payments: each is led up to one lock, and then all go on.
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import type { Address } from '../../src/chain/rpc/client.ts';
import type { Tx } from '../../src/db.ts';
import type { PreparedPaymentAnswer } from '../../src/http/api/smartAnswers.ts';
import { lockKey } from '../../src/services/locks.ts';
import type { SmartWorld } from './smart.ts';

type Payer = Awaited<ReturnType<SmartWorld['payer']>>;
export type Races = ReturnType<typeof racesOf>;

export function racesOf(smart: SmartWorld) {
  const legRow = (paymentId: string, number = 1) =>
    smart.world.ctx.db.smartLeg.findUniqueOrThrow({ where: { paymentId_number: { paymentId, number } } });
  const callsOf = async (paymentId: string) =>
    smart.world.ctx.db.outgoingTx.count({ where: { subjectId: (await legRow(paymentId)).id } });

  async function prepare(orderId: string, { address }: Payer): Promise<PreparedPaymentAnswer> {
    const { body } = await smart.candidates({ orderId, payer: [address] });
    return (await smart.pay({ candidateId: body.data[0].id, payer: address })).body;
  }
  /** The payer's signature, given when this is called. */
  async function signer(payment: PreparedPaymentAnswer, { key }: Payer) {
    const [step] = payment.legs[0]?.steps ?? [];
    if (step?.kind !== 'signature') throw new Error('this leg is signed');
    const signature = await privateKeyToAccount(key).signTypedData(step.typed_data as never);
    return () => smart.leg(payment.id, 1, { signature });
  }

  /** How many of our statements wait for a lock. */
  async function waiting(): Promise<number> {
    const [row] = await smart.world.ctx.db.$queryRaw<{ count: number }[]>`
    select count(distinct l.pid)::int as count from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where not l.granted and a.datname = current_database()`;
    return row?.count ?? 0;
  }

  /**
   * Starts all while `hold` holds what they come to, each once the one before it waits or has ended, and then lets them go on.
   * @param most how many wait or have ended then
   */
  async function together<T>(
    hold: (tx: Tx) => Promise<unknown>,
    racers: (() => Promise<T>)[],
    most = racers.length,
  ): Promise<T[]> {
    let settled = 0;
    const { started } = await smart.world.ctx.db.$transaction(async (tx) => {
      await hold(tx);
      const started: Promise<T>[] = [];
      for (const racer of racers) {
        const before = started.length;
        started.push(racer().finally(() => (settled += 1)));
        const come = before + 1 === racers.length ? most : before + 1;
        await expect.poll(async () => settled + (await waiting()), { interval: 20 }).toBeGreaterThanOrEqual(come);
      }
      return { started };
    });
    return Promise.all(started);
  }
  const lockLegs =
    (...payments: string[]) =>
    async (tx: Tx) => {
      for (const id of payments) await lockKey(tx, `smart:${id}`);
    };

  /** Payments of it without an order, all equal. */
  async function equal(name: string, count: number) {
    const payer = await smart.payer(name, { base: '20' }, { gas: true });
    const recipient = (await smart.payer(`${name} paid`, {})).address;
    const wish = { recipient, amount: '4', currency: 'USDC', chain: 'base', payer: [payer.address] };
    const payments: PreparedPaymentAnswer[] = [];
    for (let n = 0; n < count; n += 1) {
      const { body } = await smart.candidates({ ...wish, sources: [{ chain: 'base', asset: 'USDC' }] });
      payments.push((await smart.pay({ candidateId: body.data[0].id, payer: payer.address })).body);
    }
    const [step] = payments[0]?.legs[0]?.steps ?? [];
    if (step?.kind !== 'transaction') throw new Error('this leg is sent by its wallet');
    const call = { to: step.to as Address, data: step.data as Hex };
    return { payer, recipient, payments, call };
  }

  return { legRow, callsOf, prepare, signer, waiting, together, lockLegs, equal };
}

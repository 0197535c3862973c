// Smart payments from and to Solana, by Relay and without a bridge: what is offered, what the payer signs, and what proves that it arrived or came back.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { aroundSmart, type SmartWorld, shape } from '../../../test/setup/smart.ts';

let smart: SmartWorld;
aroundSmart(
  ['base', 'celo'],
  (started) => {
    smart = started;
  },
  { solana: true },
);

const statusOf = (id: string) => smart.statusOf(id);
const orderOf = (id: string) => smart.checkout.row(id);

test('an order on Base is paid with USDC on Solana: the payer signs one transaction, and exactly what is due arrives', async () => {
  const { id } = await smart.order(25);
  const payer = smart.solanaPayer(randomUUID(), { usdc: '40' });
  const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
  expect(body.error).toBeUndefined();
  const [candidate] = body.data;
  expect(shape(candidate)).toEqual(['single', 'solana relay 25.00']);
  const prepared = (await smart.pay({ candidateId: candidate.id, orderId: id, payer: payer.address })).body;
  expect(prepared.error).toBeUndefined();
  await smart.give(prepared);
  await smart.settle();
  const ended = await statusOf(prepared.id);
  expect([ended.status, (await orderOf(id)).status]).toEqual(['succeeded', 'completed']);
  const gave = 40_000_000n - smart.world.solana.usdcOf(payer.address);
  expect(Number(gave) / 1e6).toBeCloseTo(Number(prepared.legs[0].amount), 6);
});

test('an order on Solana is paid with USDC on Base', async () => {
  const { id } = await smart.solanaOrder('12');
  const payer = await smart.payer(randomUUID(), { base: '40' }, { gas: true });
  const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
  expect(body.error).toBeUndefined();
  expect(shape(body.data[0])).toEqual(['single', 'base relay 12.00']);
  const prepared = (await smart.pay({ candidateId: body.data[0].id, orderId: id, payer: payer.address })).body;
  await smart.give(prepared, payer.key);
  await smart.settle();
  expect([(await statusOf(prepared.id)).status, (await orderOf(id)).status]).toEqual(['succeeded', 'completed']);
});

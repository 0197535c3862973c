// Money that is on another network: an order on Base paid from Celo with one signature, and a tip that arrives on Celo from a sender who has USDC on Base alone.
import { type Address, erc20Abi, formatUnits, parseUnits } from 'viem';
import { CHAINS } from '../../src/domain/chains.ts';
import type { CandidateListAnswer, PreparedPaymentAnswer } from '../../src/http/api/smartAnswers.ts';
import type { Person } from '../stack/people.ts';
import { openClient } from './cast.ts';
import { answered } from './chat.ts';
import { moved, readLedger } from './ledger.ts';
import { ask, completed, named, type Order, sentBy, signed, till } from './orders.ts';
import { check, type Tour } from './tour.ts';

/** Of a tip that crosses, in USDC: what the sender pays on top, and the most that the bridge may take for five. */
const FEE = '0.3';
const MOST_FOR_THE_BRIDGE = parseUnits('0.15', 6);

export async function crossings(tour: Tour): Promise<void> {
  if (!tour.local.chains['celo'] || tour.local.bridges_url === undefined)
    return tour.tell('Payments from and to Celo are left out here: this stack runs without it.');
  await orderFromCelo(tour);
  await tipToCelo(tour);
}

/** USDC of a person on Celo, in units. */
async function onCelo({ local }: Tour, { address }: Person): Promise<bigint> {
  const { rpc_url: rpcUrl = '', usdc } = local.chains['celo'] ?? {};
  const read = { address: usdc as Address, abi: erc20Abi, functionName: 'balanceOf', args: [address] } as const;
  return openClient(rpcUrl).readContract(read);
}

async function orderFromCelo(tour: Tour): Promise<void> {
  const alice = named('alice');
  const order = await till(tour)<Order>('/orders', { amount: '20', currency: 'USDC', chain: 'base' });
  const pay = `${tour.local.checkout_base}/api/pay/smart`;
  const wish = { orderId: order.id, payer: [alice.address], sources: [{ chain: 'celo', asset: 'USDC' }] };
  const { data } = await ask<CandidateListAnswer>(`${pay}/candidates`, wish);
  const [way] = data;
  check(way?.kind === 'single' && way.gasless && way.confirmations === 1, 'Celo takes one signature and no gas');
  const [before, had, nonce] = [await readLedger(tour), await onCelo(tour, alice), await sentBy(tour, alice)];
  const { id, legs } = await ask<PreparedPaymentAnswer>(pay, { candidateId: way.id, payer: alice.address });
  const [step] = legs[0]?.steps ?? [];
  check(step?.kind === 'signature', 'there is one thing to sign');
  await ask(`${pay}/${id}/legs/1`, { signature: await signed(alice, step.typed_data) });
  await completed(tour, order.id);
  const transaction = await moved(tour, before, { shop: '19.8', treasury: '0.2' });
  const gave = formatUnits(had - (await onCelo(tour, alice)), CHAINS.celo.usdcDecimals);
  check(Number(gave) === Number(way.legs[0]?.amount), `what left the wallet is what was stated: ${gave}`);
  check((await sentBy(tour, alice)) === nonce, 'Alice’s wallet sent no transaction');
  tour.tell(
    'Alice pays an order of 20 USDC on Base with her USDC on Celo: one signature, no gas. It arrives in full, and what leaves her wallet is what the page stated.',
    { order: order.id, 'left her wallet on Celo': `${gave} USDC, of them ${way.cost_usd} USD in fees`, transaction },
  );
}

async function tipToCelo(tour: Tour): Promise<void> {
  const { telegram } = tour.chats;
  const { quentin, sven } = tour.cast;
  const [before, had] = [await readLedger(tour), await onCelo(tour, sven)];
  const written = await telegram.write(quentin, telegram.command(`tip ${telegram.at(sven)} 5 on celo`));
  const onItsWay = await answered(telegram, written, ({ text }) => text.includes('on its way to Celo'));
  const arrived = await answered(telegram, written, ({ text }) => text.includes('arrived on Celo'));
  check((await onCelo(tour, sven)) - had === parseUnits('5', CHAINS.celo.usdcDecimals), 'Sven has 5 USDC more on Celo');
  const sent = before.units.quentin - (await readLedger(tour)).units.quentin;
  const bridge = sent - parseUnits('5', 6) - parseUnits(FEE, 6);
  check(bridge >= 0n && bridge <= MOST_FOR_THE_BRIDGE, `the bridge takes at most 0.15: ${formatUnits(bridge, 6)}`);
  const transaction = await moved(tour, before, { quentin: `-${formatUnits(sent, 6)}`, treasury: FEE });
  const said = await telegram.answers(written);
  check(said.length === 1, `one message is edited to the end: ${said.map(({ text }) => text).join(' | ')}`);
  tour.tell(
    'Telegram: Quentin says “tip @sven 5 on celo”, and has USDC on Base alone. It is paid from there, and Sven has all 5 on Celo.',
    {
      first: onItsWay.text.replaceAll('\n', ' / '),
      afterwards: arrived.text.replaceAll('\n', ' / '),
      'on top of the 5': `${FEE}0 fee, ${formatUnits(bridge, 6)} for the bridge`,
      transaction,
    },
  );
}

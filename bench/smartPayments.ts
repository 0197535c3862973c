// A payment over Across with one signature, from Celo to an order on Base: from the signature to `order.completed`, against a bare script that makes the same
// deposit, waits for the same filler and sweeps, with the same confirmations.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createPublicClient, createTestClient, createWalletClient, erc20Abi, http, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { mintUsdc } from '../local/chains/deploy/usdc.ts';
import { localKey } from '../local/stack/people.ts';
import { ROLES } from '../local/stack/roles.ts';
import {
  type AuthorizedDeposit,
  acrossOf,
  depositWitness,
  encodeAuthorizedDeposit,
} from '../src/chain/bridge/across.ts';
import { depositAddress, encodeSweep, orderIdHash } from '../src/chain/routers/payment.ts';
import { type Address, createEvmChain, type EvmChain, type Hex } from '../src/chain/rpc/client.ts';
import { waitForReceipt } from '../src/chain/rpc/receipts.ts';
import type { ChainName } from '../src/domain/chains.ts';
import type { RouterOrderTerms } from '../src/domain/typedData/orders.ts';
import { authorizationData } from '../src/domain/typedData/tokens.ts';
import type { CandidateListAnswer, PreparedPaymentAnswer } from '../src/http/api/smartAnswers.ts';
import { middle } from './api.ts';
import type { Row } from './main.ts';
import { anOrder, ask, round, type SmartBench } from './visitors.ts';

/** Of each, after one that is not counted. */
const RUNS = 20;
const UNITS = 5_000_000n;
/** What the bare script gives the filler and the treasury. */
const BRIDGE_FEE = 20_000n;
const EXECUTOR_FEE = 10_000n;
const GOOD_FOR_S = 1_800;
const POLL_MS = 20;
/** For the payment to be begun. */
const LEAST_LEFT_MS = 5_000;
/** A payer signs at any moment between two blocks: each run at another one, the same for both. */
const BLOCK_MS = 1_000;
const WITHIN_MS = 60_000;

type Place = { chain: EvmChain; rpcUrl: string };
type Stages = { sent: number; filled: number; queued: number; swept: number; total: number };

export async function measurePayments(bench: SmartBench): Promise<Row[]> {
  const [origin, destination] = [placeOf(bench, 'celo'), placeOf(bench, 'base')];
  const keys = Array.from({ length: 2 * (RUNS + 1) }, (_, index) => localKey(`bench smart payer ${index}`));
  const to = keys.map(({ address }) => address);
  await mintUsdc({ rpcUrl: origin.rpcUrl, usdc: origin.chain.usdc, to, amount: 2n * UNITS });
  const sender = localKey('bench smart sender');
  for (const { rpcUrl } of [origin, destination])
    await createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).setBalance({
      address: sender.address,
      value: parseEther('10'),
    });
  const db = new pg.Client({ connectionString: bench.stack.processEnv['DATABASE_URL'] ?? '' });
  await db.connect();
  try {
    const [ours, bare]: [Stages[], Stages[]] = [[], []];
    for (let run = 0; run <= RUNS; run++) {
      const [one, other] = keys.slice(2 * run) as [(typeof keys)[number], (typeof keys)[number]];
      const signs = () => momentAfterBlock(destination, (run / RUNS) * BLOCK_MS);
      const stages = [await barePayment(origin, destination, one.key, sender.key, signs)] as Stages[];
      stages.push(await ourPayment(bench, db, destination, other.key, signs));
      if (run === 0) continue;
      bare.push(stages[0] as Stages);
      ours.push(stages[1] as Stages);
    }
    const of = (all: Stages[], name: keyof Stages) => Math.round(middle(all.map((stages) => stages[name])));
    const [value, baseline] = [of(ours, 'total'), of(bare, 'total')];
    const told = (all: Stages[]) =>
      `deposit sent ${of(all, 'sent')}, filled ${of(all, 'filled')}, sweep begun ${of(all, 'queued')}, sent ${of(all, 'swept')}`;
    const range = (all: Stages[]) => {
      const sorted = all.map(({ total }) => Math.round(total)).sort((a, b) => a - b);
      return `${sorted[0]} to ${sorted.at(-1)}`;
    };
    return [
      {
        name: 'payment over Across, signature to order.completed, p50',
        value,
        unit: 'ms',
        baseline,
        ratio: round(value / baseline),
        note: `goal: ratio 1.3; ${RUNS} of each, ${range(ours)} and ${range(bare)}; ours: ${told(ours)}; baseline, a bare script with the same ${destination.chain.confirmations} confirmations: ${told(bare)}`,
      },
    ];
  } finally {
    await db.end();
  }
}

function placeOf({ stack }: SmartBench, name: ChainName): Place {
  const found = stack.chains.find((one) => one.name === name);
  if (!found) throw new Error(`the bench runs on ${name}`);
  return { chain: createEvmChain(name, found.config), rpcUrl: found.config.rpcUrls[0] ?? '' };
}

async function momentAfterBlock({ chain }: Place, ms: number): Promise<void> {
  const head = () => chain.client.getBlockNumber({ cacheTime: 0 });
  const before = await head();
  await until(async () => (await head()) > before);
  await sleep(ms);
}

async function ourPayment(
  bench: SmartBench,
  db: pg.Client,
  { chain }: Place,
  key: Hex,
  signs: () => Promise<void>,
): Promise<Stages> {
  const account = privateKeyToAccount(key);
  const payer = account.address;
  const orderId = await anOrder(bench, '5');
  const { data } = await freshList(bench, orderId, payer);
  const payment = await ask<PreparedPaymentAnswer>(bench, '/api/pay/smart', { candidateId: data[0]?.id, payer });
  const [step] = payment.legs[0]?.steps ?? [];
  if (payment.legs[0]?.via !== 'across' || step?.kind !== 'signature') throw new Error('Across takes a signature');
  const { rows } = await db.query('select deposit_address from payment_order where id = $1', [orderId]);
  const signature = await account.signTypedData(step.typed_data as never);

  await signs();
  const clock = Date.now();
  const began = performance.now();
  await ask(bench, `/api/pay/smart/${payment.id}/legs/1`, { signature });
  const isCompleted = async () =>
    (await db.query("select from event where resource_id = $1 and type = 'order.completed'", [orderId])).rowCount === 1;
  await until(async () => (await usdcOf(chain, rows[0].deposit_address)) >= UNITS || isCompleted());
  const filled = performance.now() - began;
  await until(isCompleted);
  const total = performance.now() - began;
  const { rows: stages } = await db.query(
    `select d.sent_at as sent, s.created_at as queued, s.sent_at as swept
     from smart_leg l join outgoing_tx d on d.subject_id = l.id, order_submission o join outgoing_tx s on s.subject_id = o.id
     where l.payment_id = $1 and o.order_id = $2`,
    [payment.id, orderId],
  );
  const since = (name: string) => (stages[0]?.[name] ?? new Date(0)).getTime() - clock;
  return { sent: since('sent'), filled, queued: since('queued'), swept: since('swept'), total };
}

/** A list that holds for a while: a price is kept from the list of an earlier visitor, with what is left of its time. */
async function freshList(bench: SmartBench, orderId: string, payer: Address): Promise<CandidateListAnswer> {
  const wish = { orderId, payer: [payer], sources: [{ chain: 'celo', asset: 'USDC' }] };
  for (;;) {
    const list = await ask<CandidateListAnswer>(bench, '/api/pay/smart/candidates', wish);
    const leftMs = Date.parse(list.expires_at) - Date.now();
    if (leftMs >= LEAST_LEFT_MS) return list;
    await sleep(Math.max(POLL_MS, leftMs));
  }
}

async function barePayment(
  origin: Place,
  destination: Place,
  key: Hex,
  senderKey: Hex,
  signs: () => Promise<void>,
): Promise<Stages> {
  const account = privateKeyToAccount(key);
  const [from, to] = [walletOn(origin, senderKey), walletOn(destination, senderKey)];
  const until_S = Math.floor(Date.now() / 1_000) + GOOD_FOR_S;
  const terms: RouterOrderTerms = {
    orderId: orderIdHash(randomBytes(16).toString('hex')),
    payee: localKey('alice').address,
    token: destination.chain.usdc,
    amount: UNITS,
    fee: 0n,
    deadline: BigInt(until_S),
  };
  const authorized: AuthorizedDeposit = {
    deposit: {
      originChainId: origin.chain.facts.chainId,
      destinationChainId: destination.chain.facts.chainId,
      depositor: account.address,
      recipient: depositAddress(destination.chain, 'payment', terms),
      inputToken: origin.chain.usdc,
      outputToken: destination.chain.usdc,
      input: UNITS + BRIDGE_FEE,
      output: UNITS,
      fillDeadline: until_S,
    },
    fee: EXECUTOR_FEE,
    feeTo: ROLES.treasury.address,
    nonce: BigInt(`0x${randomBytes(16).toString('hex')}`),
  };
  const contracts = acrossOf(origin.chain);
  const { chainId, usdcDomain } = origin.chain.facts;
  if (!usdcDomain) throw new Error('the origin takes signatures');
  const data = authorizationData({ chainId, contract: origin.chain.usdc }, usdcDomain, {
    from: account.address,
    to: contracts.periphery,
    value: authorized.deposit.input + EXECUTOR_FEE,
    nonce: depositWitness(contracts, authorized),
    validAfter: 0n,
    validBefore: BigInt(until_S),
  });
  const signature = await account.signTypedData(data as never);

  await signs();
  const began = performance.now();
  const since = () => performance.now() - began;
  await from.send(
    contracts.periphery,
    encodeAuthorizedDeposit(contracts, authorized, { validBefore: BigInt(until_S), signature }),
  );
  const sent = since();
  await until(async () => (await usdcOf(destination.chain, authorized.deposit.recipient)) >= UNITS);
  const filled = since();
  const block = await to.send(destination.chain.routers.payment, encodeSweep(terms));
  const swept = since();
  const last = block + BigInt(destination.chain.confirmations) - 1n;
  await until(async () => (await to.reader.getBlockNumber()) >= last);
  return { sent, filled, queued: filled, swept, total: since() };
}

/** `send` waits for the block, whose number it returns. */
function walletOn({ rpcUrl }: Place, key: Hex) {
  const transport = http(rpcUrl);
  const reader = createPublicClient({ transport, pollingInterval: POLL_MS, cacheTime: 0 });
  const wallet = createWalletClient({ account: privateKeyToAccount(key), transport });
  return {
    reader,
    async send(to: Address, data: Hex): Promise<bigint> {
      const hash = await wallet.sendTransaction({ to, data, chain: null, gas: 600_000n });
      const { status, blockNumber } = await waitForReceipt(reader, hash);
      if (status !== 'success') throw new Error('a transaction of the bare script reverted');
      return blockNumber;
    },
  };
}

function usdcOf({ client, usdc: address }: EvmChain, account: Address): Promise<bigint> {
  return client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [account] });
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + WITHIN_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`a payment took longer than ${WITHIN_MS / 1_000} s`);
    await sleep(POLL_MS);
  }
}

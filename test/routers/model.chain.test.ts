// Random sequences of operations, played against the five contracts and against a model that was written from their interfaces: after
// each step both have given the same answer and hold the same balances and books. `AMPERSAT_MODEL_RUNS` asks for more runs.
import fc from 'fast-check';
import { encodeFunctionData, erc20Abi, type Hex, parseEther } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { depositAddress } from '../../src/chain/routers/payment.ts';
import type { Address } from '../../src/chain/rpc/client.ts';
import { type LocalChainWorld, startLocalChain } from '../setup/localChain.ts';
import { balanceOf, type Model, type Party, REFUSER, type Token } from './model/ledger.ts';
import { depositOf } from './model/payments.ts';
import { botPlays, campaignPlay, checkBot, limitsPlay } from './plays/bot.ts';
import { checkEscrow, escrowPlays } from './plays/escrow.ts';
import { checkPayments, orders, paymentPlays, termsOf } from './plays/payments.ts';
import { addressBook, commonPlays, PEOPLE, type Play, type Stage } from './plays/stage.ts';
import { checkSubscriptions, createPlay, subscriptionPlays } from './plays/subscriptions.ts';

const RUNS = Number(process.env['AMPERSAT_MODEL_RUNS'] ?? 20);
const STEPS = 45;
const SEED = Number(process.env['AMPERSAT_MODEL_SEED'] ?? 20_261_121);
const SPENDERS = ['router:bot', 'router:escrow', 'router:payment', 'router:business', 'router:subscription', 'permit2'];

let local: LocalChainWorld;
let snapshot: Hex;
/** What every run begins with, and when it began. */
let begin: Model;
let began: bigint;
const book = new Map<Party, Address>();
const seen = new Map<string, number>();

beforeAll(async () => {
  local = await startLocalChain('base');
  const { chain, admin } = local;
  for (const [party, address] of addressBook(local)) book.set(party, address);
  const people = PEOPLE.map((name) => book.get(name) as Address);
  await local.mint(200_000_000n, ...people);
  await admin.setCode({ address: book.get(REFUSER) as Address, bytecode: '0x5f5ffd' });
  begin = emptyModel(await local.now());
  for (const [at, person] of people.entries()) {
    await admin.setBalance({ address: person, value: parseEther('10') });
    await local.must({ from: person, to: chain.wrappedNative, data: '0x', value: parseEther('2') });
    for (const spender of SPENDERS) {
      for (const [token, amount] of [
        ['usdc', 150_000_000n],
        ['wrapped', parseEther('1')],
      ] as const) {
        const args = [book.get(spender) as Address, amount] as const;
        const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
        await local.must({ from: person, to: book.get(token) as Address, data });
        begin.allowances.set(`${token} ${PEOPLE[at]} ${spender}`, amount);
      }
    }
  }
  const now = await local.now();
  const stage = stageOf(begin, now);
  for (const router of ['payment', 'business'] as const) {
    for (const order of orders(now))
      book.set(depositOf(router, order), depositAddress(chain, router, termsOf(stage, order)));
  }
  begin.balances = await chainBalances(everything());
  began = now;
  for (const step of prologue) await playStep(stage, { ...step, wait: 0, check: async () => {} });
  snapshot = await admin.snapshot();
});
afterAll(() => local.stop());

function emptyModel(now: bigint): Model {
  return {
    now,
    balances: new Map(),
    allowances: new Map(),
    blacklist: new Set(),
    paused: new Set(),
    nonces: new Map(),
    authorizations: new Set(),
    permit2: new Map(),
    payments: new Map(),
    escrow: {
      escrows: new Map(),
      authority: 'authority',
      pending: null,
      changedAt: 0n,
      claimPause: { from: 0n, until: 0n },
    },
    subscriptions: { plans: new Map(), subscriptions: new Map() },
    bot: {
      limits: new Map(),
      draws: [],
      pausedSenders: new Set(),
      processed: new Set(),
      campaigns: new Map(),
      granted: new Set(),
    },
  };
}

function stageOf(m: Model, start: bigint): Stage {
  const at = (party: Party) => {
    const address = book.get(party);
    if (!address) throw new Error(`nobody is called ${party}`);
    return address;
  };
  return { m, local, start, at, count: 1, seen };
}

const TOKENS: Token[] = ['usdc', 'wrapped', 'native'];
/** The token contracts themselves hold what is wrapped. */
const holders = () => [...book.keys()].filter((party) => party !== 'usdc' && party !== 'wrapped');

type Holding = { token: Token; party: Party };
const everything = (): Holding[] => TOKENS.flatMap((token) => holders().map((party) => ({ token, party })));

/** Balances, asked in one request. */
async function chainBalances(asked: Holding[]): Promise<Map<string, bigint>> {
  const body = asked.map(({ token, party }, id) => {
    const address = book.get(party) as Address;
    if (token === 'native') return { jsonrpc: '2.0', id, method: 'eth_getBalance', params: [address, 'latest'] };
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address] });
    return { jsonrpc: '2.0', id, method: 'eth_call', params: [{ to: book.get(token), data }, 'latest'] };
  });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(local.rpcUrl, { method: 'POST', headers, body: JSON.stringify(body) });
  const answers = (await response.json()) as { id: number; result: Hex }[];
  return new Map(
    answers.map(({ id, result }) => [`${asked[id]?.token} ${asked[id]?.party}`, BigInt(result)] as [string, bigint]),
  );
}

/** Where the model knows of nothing it is enough to look at the end of a run: USDC that is elsewhere is missed at once. */
async function compare({ m }: Stage, all: boolean): Promise<void> {
  const asked = everything().filter(({ token, party }) => all || m.balances.has(`${token} ${party}`));
  const actual = await chainBalances(asked);
  const wrong = [...actual].filter(([name, amount]) => amount !== (m.balances.get(name) ?? 0n));
  if (wrong.length > 0) {
    const words = wrong.map(([name, amount]) => `${name} holds ${amount} and not ${m.balances.get(name) ?? 0n}`);
    throw new Error(words.join('; '));
  }
  const sum = holders().reduce((total, party) => total + balanceOf(m, 'usdc', party), 0n);
  if (sum !== 800_000_000n) throw new Error(`there are ${sum} units of USDC, and 800,000,000 were minted`);
}

const families = [
  { weight: 7, plays: paymentPlays, check: checkPayments },
  { weight: 6, plays: escrowPlays, check: checkEscrow },
  { weight: 7, plays: subscriptionPlays, check: checkSubscriptions },
  { weight: 8, plays: botPlays, check: checkBot },
  { weight: 2, plays: commonPlays, check: async () => {} },
];
/** Plans, limits and a campaign that every run has from the beginning. */
const usual = { way: 'call', other: null, nonce: 0n } as const;
const generous = { perTip: 1_000n, perDay: 2_000n, maxFee: 100n };
const prologue = [
  createPlay(0),
  createPlay(2),
  limitsPlay({ ...usual, sender: 'alice', token: 'usdc', limits: generous }),
  limitsPlay({ ...usual, sender: 'alice', token: 'wrapped', limits: generous }),
  limitsPlay({ ...usual, sender: 'bob', token: 'usdc', limits: generous }),
  limitsPlay({ ...usual, sender: 'bob', token: 'wrapped', limits: generous }),
  campaignPlay({ sponsor: 'alice', salt: 0, token: 'usdc', total: 3_000n, mostPerGrant: 400n, days: 300n }),
  campaignPlay({ sponsor: 'bob', salt: 1, token: 'wrapped', total: 3_000n, mostPerGrant: 400n, days: 300n }),
];
const wait = fc.oneof(
  { weight: 16, arbitrary: fc.constant(0) },
  { weight: 8, arbitrary: fc.constantFrom(60, 1_800, 3_600, 5_400) },
  { weight: 3, arbitrary: fc.constantFrom(21_600, 43_200, 86_399, 86_400, 108_000) },
  { weight: 1, arbitrary: fc.constantFrom(259_200, 604_800, 2_592_000) },
);
type Step = Play & { check(stage: Stage, all: boolean): Promise<void> };
const play: fc.Arbitrary<Step> = fc
  .tuple(
    wait,
    fc.oneof(
      ...families.map(({ weight, plays, check }) => ({ weight, arbitrary: plays.map((one) => ({ ...one, check })) })),
    ),
  )
  .map(([seconds, one]) => ({ ...one, wait: seconds, [fc.toStringMethod]: () => `${seconds} s, ${one.label}` }));

async function playStep(stage: Stage, step: Step): Promise<void> {
  stage.m.now += BigInt(step.wait + 1);
  await local.admin.setNextBlockTimestamp({ timestamp: stage.m.now });
  await step.run(stage);
  try {
    await compare(stage, false);
    await step.check(stage, false);
  } catch (cause) {
    throw new Error(`after ${step.label}: ${(cause as Error).message}`, { cause });
  }
}

test('contracts and model agree on every step', async () => {
  const property = fc.asyncProperty(fc.array(play, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
    await local.admin.revert({ id: snapshot });
    snapshot = await local.admin.snapshot();
    const stage = stageOf(structuredClone(begin), began);
    for (const step of steps) await playStep(stage, step);
    await compare(stage, true);
    for (const { check } of families) await check(stage, true);
  });
  await fc.assert(property, {
    numRuns: RUNS,
    seed: SEED,
    endOnFailure: process.env['AMPERSAT_MODEL_SHRINK'] === undefined,
  });
}, 3_600_000);

test('the sequences reach what they are meant to', () => {
  if (process.env['AMPERSAT_MODEL_SHOW'])
    console.log(
      [...seen]
        .sort()
        .map(([kind, count]) => `${count} ${kind}`)
        .join('\n'),
    );
  const done = new Set([...seen.keys()].filter((kind) => kind.endsWith(': ok')).map((kind) => kind.split(/[.:]/)[0]));
  const never = EXPECTED.filter((kind) => !done.has(kind));
  expect(never).toEqual([]);
});

/** Operations that have to go through at least once in the committed runs; else the test would prove little. */
const EXPECTED = [
  ...['pay', 'sweep', 'acceptDeposit', 'refundDeposit', 'refund', 'refundBySig'],
  ...['open', 'claim', 'refundEscrow', 'refundEscrowBySig', 'announceAuthority', 'pauseClaims'],
  ...['createPlan', 'setPlan', 'subscribe', 'charge', 'cancel', 'halt'],
  ...['setLimits', 'lowerLimits', 'pauseSender', 'unpauseSender', 'tip', 'tipToTab'],
  ...['openCampaign', 'grant', 'closeCampaign', 'approve', 'blacklist', 'pause'],
];

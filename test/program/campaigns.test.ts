// Campaigns: opened by their sponsors, granted by executors, closed and deleted.
import { describe, expect, test } from 'vitest';
import { decodeCampaign, isGranted } from '../../src/chain/solana/accounts.ts';
import { WRAPPED_SOL } from '../../src/chain/solana/addresses.ts';
import { CAMPAIGNS_REFUSALS } from './campaignsRefusals.ts';
import { putToken, rentOf } from './machine.ts';
import { testRefusals } from './refusals.ts';
import {
  ALICE,
  type Attempt,
  attempt,
  BOB,
  DAY,
  limitsAt,
  MALLORY,
  SCENES,
  sceneOf,
  tokenChanges,
  world,
} from './scenes.ts';
import { campaign, limitsInstruction, limitsState, MILLION, must, person, ROLES, type Setting } from './setting.ts';

const HEAD_BYTES = 216;
const gained = (s: Setting, { before }: Attempt, of: string) => s.lamports(of) - (before.get(of)?.lamports ?? 0n);
const stateOf = (s: Setting) => decodeCampaign(s.data(campaign(s, ALICE).account) ?? new Uint8Array());

test('a sponsor opens a campaign, and the payer pays for its bitmap', () => {
  const { setting: s, ready } = SCENES.openCampaign.make();
  const one = campaign(s, ALICE);
  const expiry = BigInt(s.now() + 30 * DAY);
  const outcome = attempt(s, ready);
  expect(outcome.error).toBeNull();
  const shared = {
    asset: 0,
    total: 100_000_000n,
    mostPerGrant: 10_000_000n,
    maxFee: 100_000n,
    expiry,
    recipients: 100,
  };
  expect(outcome.events).toEqual([{ name: 'campaignOpened', campaignId: one.id, sponsor: ALICE, ...shared }]);
  expect(stateOf(s)).toMatchObject({
    kind: 8,
    closed: false,
    id: one.id,
    sponsor: ALICE,
    limits: limitsAt(s, ALICE),
    rentTo: ROLES.executor,
    spent: 0n,
    ...shared,
  });
  expect(gained(s, outcome, ROLES.executor)).toBe(-rentOf(HEAD_BYTES + 13));
});

test.each([
  [1, 1],
  [8, 1],
  [9, 2],
  [65_536, 8_192],
])('%i recipients take %i bytes, and the last one has its grant', (recipients, bytes) => {
  const s = world();
  const one = campaign(s, ALICE, { recipients });
  must(s, one.open());
  expect(s.data(one.account)?.length).toBe(HEAD_BYTES + bytes);
  must(s, one.grant([{ index: recipients - 1, to: BOB }]));
  expect(isGranted(s.data(one.account) ?? new Uint8Array(), recipients - 1)).toBe(true);
  const beyond = attempt(s, one.grant([{ index: recipients, to: BOB }]));
  expect(beyond).toMatchObject({ error: 'unknownRecipient', moved: [] });
});

test('an executor grants out of the sponsor’s account: the fee goes to the treasury, and no limit of tips counts', () => {
  const { setting: s, ready } = SCENES.grant.make();
  must(s, limitsInstruction(s, ALICE, 0, 0n, 0n, 0n));
  const outcome = attempt(s, ready);
  expect(outcome.error).toBeNull();
  expect(outcome.events).toEqual([
    {
      name: 'grantPaid',
      campaignId: campaign(s, ALICE).id,
      index: 0,
      recipient: BOB,
      asset: 0,
      amount: 1_000_000n,
      fee: 50_000n,
    },
  ]);
  expect(tokenChanges(outcome)).toEqual({
    'alice USDC': -1_050_000n,
    'bob USDC': 1_000_000n,
    'treasury USDC': 50_000n,
  });
  expect(stateOf(s)).toMatchObject({ spent: 1_050_000n });
  expect(limitsState(s, ALICE)?.usdc.slices[0]).toBe(0n);
  const data = s.data(campaign(s, ALICE).account) ?? new Uint8Array();
  expect([0, 1, 8].map((index) => isGranted(data, index))).toEqual([true, false, false]);
});

test('twelve grants fit, up to the last unit of the total; when one fails none is paid', () => {
  const s = world();
  const one = campaign(s, ALICE, { mint: WRAPPED_SOL, total: 12n * 10n * MILLION + 3n, mostPerGrant: 10n * MILLION });
  must(s, one.open());
  const people = Array.from({ length: 12 }, (_, index) => ({
    index,
    to: person(s, `p${index}`),
    amount: 10n * MILLION,
  }));
  const grants = people.map((grant, at) => ({ ...grant, fee: at === 11 ? 3n : 0n }));
  const tooMuch = grants.map((grant) => ({ ...grant, fee: 1n }));
  expect(attempt(s, one.grant(tooMuch))).toMatchObject({ error: 'campaignExhausted', moved: [] });
  const outcome = attempt(s, one.grant(grants));
  expect(outcome.error).toBeNull();
  expect(outcome.events).toHaveLength(12);
  expect(tokenChanges(outcome)).toMatchObject({ 'alice wrapped SOL': -120_000_003n, 'treasury wrapped SOL': 3n });
});

test('a campaign may end 366 days from now', () => {
  const { setting: s } = sceneOf('openCampaign');
  must(s, campaign(s, ALICE, { expiry: s.now() + 366 * DAY }).open());
});

test('a campaign grants until the last second of its expiry', () => {
  const { setting: s, ready } = SCENES.grant.make();
  s.later(900);
  must(s, ready);
  const brief = campaign(s, ALICE, { salt: 'brief', expiry: s.now() + 10 });
  must(s, brief.open());
  s.later(10);
  must(s, brief.grant([{ index: 0, to: BOB }]));
});

test('a sponsor without limits is paused by nobody', () => {
  const { setting: s, ready } = SCENES.grant.make();
  must(
    s,
    s.build('closeLimits', {
      args: {},
      accounts: { owner: ALICE, limits: limitsAt(s, ALICE), rentTo: ROLES.executor },
    }),
  );
  must(s, ready);
});

test.each([
  ['the sponsor', ALICE],
  ['an executor', ROLES.executor2],
])('%s closes a campaign', (_, signer) => {
  const { setting: s } = SCENES.closeCampaign.make();
  expect(must(s, campaign(s, ALICE).close(signer)).events).toEqual([
    { name: 'campaignClosed', campaignId: campaign(s, ALICE).id, by: signer },
  ]);
  expect(stateOf(s)?.closed).toBe(true);
});

test('anyone deletes a campaign after its expiry: the rent returns to the one that paid it', () => {
  const { setting: s, ready } = SCENES.deleteCampaign.make();
  const outcome = attempt(s, ready);
  expect(outcome).toMatchObject({ error: null, events: [] });
  expect(gained(s, outcome, ROLES.executor)).toBe(rentOf(HEAD_BYTES + 13));
});

test('a sponsor who took the approval back pays no more grants', () => {
  const { setting: s, ready } = SCENES.grant.make();
  putToken(s, { owner: ALICE, mint: WRAPPED_SOL, amount: 5n });
  putToken(s, { owner: ALICE, mint: s.configState().usdc, amount: 5n * MILLION });
  expect(attempt(s, ready)).toMatchObject({ error: 'notApproved', moved: [] });
  expect(attempt(s, campaign(s, MALLORY).close(MALLORY))).toMatchObject({ error: 'wrongKind', moved: [] });
});

describe('refused', () => testRefusals(CAMPAIGNS_REFUSALS));

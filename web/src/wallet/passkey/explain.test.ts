// A passkey signs only what it can say in words: what is ours, of this account, for a contract of this deployment, and nothing else in it.
import { hashTypedData } from 'viem';
import { describe, expect, it } from 'vitest';
import { CHAINS } from '../../../../src/domain/chains.ts';
import { escrowRefundData, escrowStruct } from '../../../../src/domain/typedData/escrow.ts';
import { orderData, orderStruct, refundToData } from '../../../../src/domain/typedData/orders.ts';
import { cancelData, setPlanData, subscribeData } from '../../../../src/domain/typedData/subscriptions.ts';
import {
  authorizationData,
  permit2AllowanceData,
  permit2WitnessData,
  transferData,
} from '../../../../src/domain/typedData/tokens.ts';
import { businessWalletData, recipientData } from '../../../../src/domain/typedData/workspaces.ts';
import {
  type Bytes,
  permitData,
  setLimitsData,
  spendingRightData,
  type TypedData,
  unpauseData,
  walletAdditionData,
  walletChangeData,
} from '../../../../src/domain/typedData.ts';
import type { ContractsView } from '../../../../src/http/api/configAnswers.ts';
import { explain } from './explain.ts';

const at = (digit: string): Bytes => `0x${digit.repeat(40)}`;
const word = (digit: string): Bytes => `0x${digit.repeat(64)}`;
const [OWN, STRANGER, PAYEE] = [at('a'), at('e'), at('d')];

const BASE: ContractsView = {
  name: 'base',
  chain_id: 8453,
  usdc: at('1'),
  wrapped_native: at('2'),
  routers: { bot: at('3'), escrow: at('4'), payment: at('5'), business: at('6'), subscription: at('7') },
};
const { routers, usdc } = BASE;
const chainId = BASE.chain_id;
const tokenDomain = CHAINS.base.usdcDomain ?? { name: '', version: '' };
const DEADLINE = 1_800_000_000;
const use = { nonce: 3n, deadline: BigInt(DEADLINE) };

const permit = (spender: string, value = 500_000_000n, owner: string = OWN) =>
  permitData({ chainId, token: usdc, tokenDomain, owner, spender, value, nonce: 0n, deadline: DEADLINE });
const limits = (token: string = usdc, sender: string = OWN) =>
  setLimitsData({
    chainId,
    router: routers.bot,
    sender,
    token,
    perTip: 100_000_000n,
    perDay: 500_000_000n,
    maxFee: 1_000_000n,
    nonce: 0n,
    deadline: DEADLINE,
  });
const right = () =>
  spendingRightData({
    chainId,
    platform: 'telegram',
    platformUserId: '7000001',
    username: 'alice',
    handle: 'alice',
    commandCap: '100',
    dayCap: '500',
    nonce: 1,
    deadline: DEADLINE,
  });
const terms = {
  orderId: word('b'),
  payee: PAYEE,
  token: usdc as Bytes,
  amount: 12_500_000n,
  fee: 125_000n,
  deadline: 1_800_000_000n,
};
const order = () => orderData('business', { chainId, contract: routers.business }, terms, OWN);
const authorization = { from: OWN, value: 12_500_000n, validAfter: 0n, validBefore: 1_800_000_000n, nonce: word('c') };
const token = { chainId, contract: usdc };
const subscription = { chainId, contract: routers.subscription };
const signing = { chainId, workspace: 'shop', nonce: 1, deadline: DEADLINE };

const words = (data: TypedData) => {
  const { title, text, facts, warning } = explain(data, OWN, [BASE]);
  return [title, text, warning, ...facts.map(({ name, value }) => `${name}: ${value}`)].join(' | ');
};

describe('what is said of each message', () => {
  it.each<[string, TypedData, string[]]>([
    ['an allowance', permit(routers.bot), ['up to 500.00 USDC in total', 'on Base', 'tips you type']],
    ['one without end', permit(routers.bot, 2n ** 256n - 1n), ['any amount of USDC', 'This has no limit']],
    ['a large one', permit(routers.bot, 10_000_000_000n), ['up to 10,000.00 USDC', 'This is a large amount']],
    ['until when it is taken', permit(routers.bot), ['Takes effect until: ']],
    ['the highest fee', limits(), ['the fee of a tip is at most 1.00 USDC']],
    ['the fee of an order', order(), ['Fee, in the amount: 0.12']],
    ['one of a payment', permit(routers.payment), ['for the payment or the refund']],
    ['limits', limits(), ['100.00 USDC each and 500.00 USDC in 24 hours']],
    ['limits of the wrapped coin', limits(BASE.wrapped_native), ['0.0000000001 WETH each']],
    ['a right', right(), ['@alice on Telegram (ID 7000001) spend for @alice', '$100.00 per command']],
    ['a resume', unpauseData({ chainId, router: routers.bot, sender: OWN, ...use, deadline: DEADLINE }), ['again']],
    ['an order', order(), ['Pay 12.50 USDC', `To: ${PAYEE}`, 'Network: Base']],
    [
      'its authorization',
      authorizationData(token, tokenDomain, { ...authorization, to: routers.payment as Bytes }),
      ['Pay 12.50 USDC', 'one order'],
    ],
    [
      'an escrow',
      authorizationData(token, tokenDomain, { ...authorization, to: routers.escrow as Bytes }),
      ['Keep 12.50 USDC'],
    ],
    [
      'a transfer',
      transferData(token, tokenDomain, { ...authorization, to: PAYEE }),
      ['Send 12.50 USDC', `To: ${PAYEE}`, 'can’t undo it'],
    ],
    [
      'a refund',
      refundToData(
        'business',
        { chainId, contract: routers.business },
        { key: word('b'), to: PAYEE, amount: 1_000_000n, ...use },
      ),
      ['Refund 1.00 USDC', `To: ${PAYEE}`],
    ],
    [
      'taking back',
      escrowRefundData({ chainId, contract: routers.escrow }, { tabId: word('b'), deadline: 1_800_000_000n }),
      ['Take it back'],
    ],
    [
      'a subscription',
      subscribeData(subscription, {
        planKey: word('b'),
        subscriber: OWN,
        amount: 5_000_000n,
        period: 2_592_000,
        ...use,
      }),
      ['Subscribe for 5.00 USDC', 'every 30 days', 'when the trial ends', 'Starts until: '],
    ],
    ['its end', cancelData(subscription, { planKey: word('b'), subscriber: OWN, ...use }), ['Cancel']],
    ['a plan’s end', setPlanData(subscription, { planKey: word('b'), state: 'inactive', ...use }), ['Close a plan']],
    [
      'another wallet',
      walletChangeData({ chainId, handle: 'alice', oldWallet: OWN, newWallet: PAYEE, nonce: 1, deadline: DEADLINE }),
      [`To: ${PAYEE}`],
    ],
    [
      'one more wallet',
      walletAdditionData({
        chainId,
        handle: 'alice',
        currentWallet: OWN,
        newWallet: 'So1',
        nonce: 1,
        deadline: DEADLINE,
      }),
      ['Wallet: So1'],
    ],
    ['a recipient', recipientData({ ...signing, recipient: 'bob', allowed: true }), ['Lets API keys of @shop', '@bob']],
    ['no recipient', recipientData({ ...signing, recipient: 'bob', allowed: false }), ['Stops']],
    ['a business', businessWalletData({ ...signing, wallet: OWN, payoutAddress: PAYEE }), [`Paid to: ${PAYEE}`]],
  ])('%s', (_name, data, parts) => {
    for (const part of parts) expect(words(data)).toContain(part);
  });
});

it('flags nothing below', () => {
  expect(explain(permit(routers.bot, 9_999_999_999n), OWN, [BASE]).warning).toBeUndefined();
});

describe('what is refused before a prompt', () => {
  type Changes = {
    domain?: Record<string, unknown>;
    message?: Record<string, string>;
    order?: TypedData['types'][string];
  };
  const changed = (data: TypedData, { domain = {}, message = {}, order: members }: Changes): TypedData => ({
    ...data,
    domain: { ...data.domain, ...domain } as TypedData['domain'],
    message: { ...data.message, ...message },
    types: members ? { ...data.types, Order: members } : data.types,
  });
  const members = order().types['Order'] ?? [];
  it.each<[string, TypedData]>([
    ['an allowance for another contract', permit(STRANGER)],
    ['an allowance of another account', permit(routers.bot, 1n, STRANGER)],
    ['an allowance of another token', changed(permit(routers.bot), { domain: { verifyingContract: STRANGER } })],
    ['a chain that is not served', changed(permit(routers.bot), { domain: { chainId: 1 } })],
    ['no chain at all', changed(right(), { domain: { chainId: undefined } })],
    ['limits of a token that has no name here', limits(STRANGER)],
    ['limits of another account', limits(usdc, STRANGER)],
    ['limits at another contract', changed(limits(), { domain: { verifyingContract: routers.escrow } })],
    ['another name in the domain', changed(right(), { domain: { name: 'Permit2' } })],
    ['one more member in the domain', changed(right(), { domain: { verifyingContract: STRANGER } })],
    ['members in another order', changed(order(), { order: members.toReversed() })],
    [
      'a member of another type',
      changed(order(), { order: [{ name: 'orderId', type: 'string' }, ...members.slice(1)] }),
    ],
    ['one more member', changed(order(), { message: { extra: '1' } })],
    ['a number that is none', changed(order(), { message: { amount: '0x10' } })],
    ['an order of another payer', orderData('business', { chainId, contract: routers.business }, terms, STRANGER)],
    [
      'an order at the router of another name',
      orderData('payment', { chainId, contract: routers.business }, terms, OWN),
    ],
    [
      'an authorization for another contract',
      authorizationData(token, tokenDomain, { ...authorization, to: STRANGER }),
    ],
    [
      'a transfer from another account',
      transferData(token, tokenDomain, { ...authorization, from: STRANGER, to: PAYEE }),
    ],
    [
      'Permit2',
      permit2WitnessData(
        { chainId, contract: STRANGER },
        { token: usdc as Bytes, amount: 1n, spender: STRANGER, ...use },
        orderStruct(terms, OWN),
      ),
    ],
    [
      'an allowance at Permit2',
      permit2AllowanceData(
        { chainId, contract: STRANGER },
        { token: usdc as Bytes, amount: 1n, expiration: 1, nonce: 1, spender: STRANGER, deadline: BigInt(DEADLINE) },
      ),
    ],
    [
      'a struct that is not signed by itself',
      {
        ...order(),
        ...escrowStruct({
          sender: OWN,
          token: usdc as Bytes,
          handleKey: word('b'),
          amount: 1n,
          deadline: 1n,
          senderNonce: 1n,
          revocable: true,
        }),
      },
    ],
    ['a type named like a member of every object', { ...right(), primaryType: 'constructor' }],
  ])('%s', (_name, data) => {
    expect(() => explain(data, OWN, [BASE])).toThrow('signs only what this page can explain');
  });
});

it('hashes what it has said: the same typed data, member by member', () => {
  const hash = (data: TypedData) => hashTypedData(data as Parameters<typeof hashTypedData>[0]);
  expect(hash(order())).not.toBe(
    hash(orderData('business', { chainId, contract: routers.business }, { ...terms, payee: STRANGER }, OWN)),
  );
});

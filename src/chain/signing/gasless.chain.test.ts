// Which gasless way is named for an account, and that it is the truth: real payments by each way that is named and by each that is closed.
import { concatHex, createWalletClient, defineChain, type Hex, http, pad } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTRACT_WALLET } from '../../../test/setup/contractWallet.ts';
import { type LocalChainWorld, startLocalChain } from '../../../test/setup/localChain.ts';
import { orderData, orderStruct, type RouterOrderTerms } from '../../domain/typedData/orders.ts';
import { authorizationData, permit2WitnessData } from '../../domain/typedData/tokens.ts';
import { permitData, type TypedData } from '../../domain/typedData.ts';
import { encodePayment, type OrderMeans, orderHash, orderIdHash } from '../routers/payment.ts';
import type { Address } from '../rpc/client.ts';
import { waitForReceipt } from '../rpc/receipts.ts';
import { permitOf } from './authorizations.ts';
import { checkSigned, gaslessWays, type SignedRefusal, type Way } from './gasless.ts';
import { encodePermit, permitNonce } from './permits.ts';

/** A delegate that knows its account's own key: `isValidSignature` is `ecrecover == address(this)`. */
const OWN_KEY_DELEGATE = CONTRACT_WALLET.replace('600054146316', '30146316') as Hex;
/** One that takes whatever is called and answers nothing; one that refuses all that it does not know. */
const SILENT_DELEGATE = '0x00';
const REVERTING_DELEGATE = '0x5f5ffd';
/** One that knows the question, and refuses every signature in words. */
const WORDY_DELEGATE = '0x60205ffd';
const DELEGATES = {
  ownKey: '0x00000000000000000000000000000000000de101',
  silent: '0x00000000000000000000000000000000000de102',
  reverting: '0x00000000000000000000000000000000000de103',
  wordy: '0x00000000000000000000000000000000000de104',
  stored: '0x00000000000000000000000000000000000de105',
} as const;
const PAYEE = privateKeyToAccount(generatePrivateKey()).address;
const RELAYER = privateKeyToAccount(generatePrivateKey());
const ALL: Way[] = ['eip3009', 'permit2', 'eip2612', 'allowance', 'direct'];

let base: LocalChainWorld;
let bsc: LocalChainWorld;
beforeAll(async () => {
  [base, bsc] = await Promise.all([startLocalChain('base'), startLocalChain('bsc')]);
  for (const { admin } of [base, bsc]) {
    await admin.setBalance({ address: RELAYER.address, value: 10n ** 18n });
    await admin.setCode({ address: DELEGATES.ownKey, bytecode: OWN_KEY_DELEGATE });
    await admin.setCode({ address: DELEGATES.silent, bytecode: SILENT_DELEGATE });
    await admin.setCode({ address: DELEGATES.reverting, bytecode: REVERTING_DELEGATE });
    await admin.setCode({ address: DELEGATES.wordy, bytecode: WORDY_DELEGATE });
    await admin.setCode({ address: DELEGATES.stored, bytecode: CONTRACT_WALLET });
  }
});
afterAll(() => Promise.all([base.stop(), bsc.stop()]));

/** Who pays: its address, and the key that signs for it. */
type Payer = { address: Address; key: PrivateKeyAccount };
const unit = (local: LocalChainWorld) => 10n ** BigInt(local.chain.facts.usdcDecimals);
const use = (local: LocalChainWorld) => ({ router: 'payment' as const, amount: unit(local) });

/** Somebody with money, an allowance for Permit2 and one for the router. */
async function funded(local: LocalChainWorld, address?: Address): Promise<Payer> {
  const key = privateKeyToAccount(generatePrivateKey());
  const payer = { address: address ?? key.address, key };
  await local.mint(20n * unit(local), payer.address);
  await local.approve(payer, local.chain.permit2, 20n * unit(local));
  await local.approve(payer, local.chain.routers.payment, unit(local));
  return payer;
}

/** A real EIP-7702 transaction: the payer's key delegates its account. */
async function delegated(local: LocalChainWorld, delegate: Address): Promise<Payer> {
  const payer = await funded(local);
  const { chainId, label } = local.chain.facts;
  const nativeCurrency = { name: 'native', symbol: 'ETH', decimals: 18 };
  const chain = defineChain({
    id: chainId,
    name: label,
    nativeCurrency,
    rpcUrls: { default: { http: [local.rpcUrl] } },
  });
  const wallet = createWalletClient({ account: RELAYER, chain, transport: http(local.rpcUrl) });
  // What the payer sent before counts.
  const nonce = await local.chain.client.getTransactionCount({ address: payer.address });
  const authorization = await payer.key.signAuthorization({ address: delegate, chainId, nonce });
  const hash = await wallet.sendTransaction({ authorizationList: [authorization], to: RELAYER.address });
  await waitForReceipt(local.chain.client, hash);
  expect(await local.chain.client.getCode({ address: payer.address })).toBe(concatHex(['0xef0100', delegate]));
  return payer;
}

async function contractWallet(local: LocalChainWorld, code: Hex): Promise<Payer> {
  const payer = await funded(local, privateKeyToAccount(generatePrivateKey()).address);
  await local.admin.setCode({ address: payer.address, bytecode: code });
  await local.admin.setStorageAt({ address: payer.address, index: 0, value: pad(payer.key.address) });
  return payer;
}

let orders = 0;
type Attempt = { data: TypedData; signature: Hex; call: { account: Address; to: Address; data: Hex } };

/** What is signed and sent to pay one unit in a way. */
async function attempt(local: LocalChainWorld, { address, key }: Payer, way: Way): Promise<Attempt> {
  const { chain } = local;
  const { chainId, usdcDomain } = chain.facts;
  const router = chain.routers.payment;
  const deadline = (await local.now()) + 3_600n;
  const orderId = orderIdHash(`order ${orders++}`);
  const terms: RouterOrderTerms = { orderId, payee: PAYEE, token: chain.usdc, amount: unit(local), fee: 0n, deadline };
  const domain = usdcDomain ?? { name: 'USD Coin', version: '2' };
  const sign = (data: TypedData) => key.signTypedData(data as never);
  const order = orderData('payment', { chainId, contract: router }, terms, address);
  const made = async (
    data: TypedData,
    means: (signature: Hex) => OrderMeans | Promise<OrderMeans>,
  ): Promise<Attempt> => {
    const signature = await sign(data);
    const account = way === 'direct' ? address : RELAYER.address;
    return {
      data,
      signature,
      call: { account, to: router, data: encodePayment(terms, address, await means(signature)) },
    };
  };
  switch (way) {
    case 'eip3009': {
      const window = { validAfter: 0n, validBefore: deadline };
      const nonce = orderHash(terms, address);
      const authorization = { ...window, from: address, to: router, value: terms.amount, nonce };
      return made(authorizationData({ chainId, contract: chain.usdc }, domain, authorization), (signature) => ({
        way,
        authorization: { ...window, signature },
      }));
    }
    case 'permit2': {
      const permit = { nonce: BigInt(orders), deadline };
      const data = permit2WitnessData(
        { chainId, contract: chain.permit2 },
        { ...permit, token: chain.usdc, amount: terms.amount, spender: router },
        orderStruct(terms, address),
      );
      return made(data, (signature) => ({ way, permit: { ...permit, signature } }));
    }
    case 'eip2612': {
      // Without what the permit gives there would be nothing to draw on.
      await local.approve({ address }, router, 0n);
      const permit = { value: terms.amount, deadline };
      const nonce = usdcDomain ? await permitNonce(chain, address) : 0n;
      const data = permitData({
        chainId,
        token: chain.usdc,
        tokenDomain: domain,
        owner: address,
        spender: router,
        value: permit.value,
        nonce,
        deadline: Number(deadline),
      });
      return made(data, async (signature) => ({
        way,
        permit: permitOf(permit, signature),
        orderSignature: await sign(order),
      }));
    }
    case 'allowance':
      await local.approve({ address }, router, terms.amount);
      return made(order, (orderSignature) => ({ way, orderSignature }));
    case 'direct':
      await local.approve({ address }, router, terms.amount);
      return made(order, () => ({ way }));
  }
}

/** Pays for real. @returns what was said before, and whether the payee got the money */
async function tried(local: LocalChainWorld, payer: Payer, way: Way): Promise<[SignedRefusal | null, boolean]> {
  const { data, signature, call } = await attempt(local, payer, way);
  const said = await checkSigned(local.chain, { account: payer.address, data, signature }, call);
  const { reason } = await local.send({ from: call.account, ...call });
  return [said, reason === null];
}

type Expected = { sure: Way[]; unsure?: Way[]; closed?: Partial<Record<Way, string>>; delegate?: Address };

async function expectWays(
  local: LocalChainWorld,
  payer: Payer,
  { sure, unsure = [], closed = {}, delegate }: Expected,
) {
  const found = await gaslessWays(local.chain, payer.address, use(local));
  expect(found.ways).toEqual(
    ALL.filter((way) => sure.includes(way) || unsure.includes(way)).map((way) => ({ way, sure: sure.includes(way) })),
  );
  expect(Object.fromEntries(Object.entries(found.closed).map(([way, { why }]) => [way, why]))).toEqual(closed);
  expect(found.delegate).toBe(delegate ?? null);
  return found;
}

const LEGACY = { eip3009: 'delegation_legacy', permit2: 'delegation_legacy', eip2612: 'delegation_legacy' };
const NOT_ON_BSC = { eip3009: 'not_offered', eip2612: 'not_offered' };

describe('on USDC', () => {
  test('every way is open to a key’s account, and works', async () => {
    const payer = await funded(base);
    await expectWays(base, payer, { sure: ALL });
    for (const way of ALL) expect([way, await tried(base, payer, way)]).toEqual([way, [null, true]]);
  });

  test('a delegate that knows the account’s key changes nothing', async () => {
    const payer = await delegated(base, DELEGATES.ownKey);
    await expectWays(base, payer, { sure: ALL, delegate: DELEGATES.ownKey });
    for (const way of ALL) expect([way, await tried(base, payer, way)]).toEqual([way, [null, true]]);
  });

  test.each(['silent', 'reverting'] as const)('a %s delegate leaves the router’s own signature', async (kind) => {
    const delegate = DELEGATES[kind];
    const payer = await delegated(base, delegate);
    const { closed } = await expectWays(base, payer, { sure: ['allowance', 'direct'], closed: LEGACY, delegate });
    expect(closed.eip3009).toEqual({ why: 'delegation_legacy', delegate });
    for (const way of ALL) {
      const works = way === 'allowance' || way === 'direct';
      const [said, paid] = await tried(base, payer, way);
      expect([way, paid]).toEqual([way, works]);
      expect(said).toEqual(works ? null : { code: 'delegation_legacy', delegate });
    }
  });

  test('whether a delegate that refuses in words knows the key is told with the signature in hand', async () => {
    const delegate = DELEGATES.wordy;
    const payer = await delegated(base, delegate);
    const unsure: Way[] = ['eip3009', 'permit2', 'eip2612'];
    await expectWays(base, payer, { sure: ['allowance', 'direct'], unsure, delegate });
    for (const way of unsure)
      expect(await tried(base, payer, way)).toEqual([{ code: 'delegation_legacy', delegate }, false]);
  });

  test('so is whether one that has to be set up first has been', async () => {
    const delegate = DELEGATES.stored;
    const payer = await delegated(base, delegate);
    const unsure: Way[] = ['eip3009', 'permit2', 'eip2612'];
    await expectWays(base, payer, { sure: ['allowance', 'direct'], unsure, delegate });
    expect(await tried(base, payer, 'eip3009')).toEqual([{ code: 'delegation_legacy', delegate }, false]);
    await base.admin.setStorageAt({ address: payer.address, index: 0, value: pad(payer.address) });
    for (const way of ALL) expect([way, await tried(base, payer, way)]).toEqual([way, [null, true]]);
  });

  test('a delegation that was taken back is none', async () => {
    const payer = await delegated(base, DELEGATES.silent);
    await base.admin.setCode({ address: payer.address, bytecode: '0x' });
    await expectWays(base, payer, { sure: ALL });
  });

  test('a contract wallet that signs may use every way, of which only its signature makes sure', async () => {
    const payer = await contractWallet(base, CONTRACT_WALLET);
    await expectWays(base, payer, { sure: ['direct'], unsure: ['eip3009', 'permit2', 'eip2612', 'allowance'] });
    for (const way of ALL) expect([way, await tried(base, payer, way)]).toEqual([way, [null, true]]);
  });

  test('a contract that cannot sign pays itself', async () => {
    const payer = await contractWallet(base, SILENT_DELEGATE);
    const why = 'no_erc1271';
    const closed = { eip3009: why, permit2: why, eip2612: why, allowance: why };
    await expectWays(base, payer, { sure: ['direct'], closed });
    for (const way of ALL) expect([way, (await tried(base, payer, way))[1]]).toEqual([way, way === 'direct']);
  });

  test('what is missing is named: Permit2, its allowance, the router’s allowance, the token’s domain', async () => {
    const payer = await funded(base);
    const { chain } = base;
    await base.approve(payer, chain.permit2, unit(base) - 1n);
    await base.approve(payer, chain.routers.payment, unit(base) - 1n);
    const found = await gaslessWays(chain, payer.address, use(base));
    const allowance = unit(base) - 1n;
    expect(found.closed).toEqual({
      permit2: { why: 'allowance_missing', spender: chain.permit2, allowance },
      allowance: { why: 'allowance_missing', spender: chain.routers.payment, allowance },
    });
    const elsewhere = { ...chain, permit2: PAYEE };
    expect((await gaslessWays(elsewhere, payer.address, use(base))).closed.permit2).toEqual({ why: 'permit2_missing' });
    const misnamed = { ...chain, facts: { ...chain.facts, usdcDomain: { name: 'USDC', version: '2' } } };
    const { closed } = await gaslessWays(misnamed, payer.address, use(base));
    expect([closed.eip3009, closed.eip2612]).toEqual([{ why: 'domain_mismatch' }, { why: 'domain_mismatch' }]);
  });

  test('a signature that is simply wrong is no matter of a delegation', async () => {
    const payer = await delegated(base, DELEGATES.silent);
    const { data, call } = await attempt(base, payer, 'eip3009');
    const signature = await RELAYER.signTypedData(data as never);
    const wrong = { account: payer.address, data, signature };
    expect(await checkSigned(base.chain, wrong, call)).toEqual({
      code: 'refused',
      reason: { name: 'TokenRefused', text: 'FiatTokenV2: invalid signature' },
    });
  });

  test('a permit that goes to the token by itself is told apart in the same way', async () => {
    const payer = await delegated(base, DELEGATES.silent);
    const { data, signature } = await attempt(base, payer, 'eip2612');
    const { value, deadline, nonce } = data.message as Record<string, string>;
    const { chain } = base;
    const terms = {
      chainId: chain.facts.chainId,
      token: chain.usdc,
      tokenDomain: { name: 'USD Coin', version: '2' },
      owner: payer.address,
      spender: chain.routers.payment,
      value: BigInt(value ?? 0),
      nonce: BigInt(nonce ?? 0),
      deadline: Number(deadline),
    };
    const call = { to: chain.usdc, data: encodePermit(terms, signature) };
    const said = await checkSigned(chain, { account: payer.address, data, signature }, call);
    expect(said).toEqual({ code: 'delegation_legacy', delegate: DELEGATES.silent });
  });
});

describe('on a token of 18 decimals without permits', () => {
  test('Permit2 comes first', async () => {
    const payer = await funded(bsc);
    await expectWays(bsc, payer, { sure: ['permit2', 'allowance', 'direct'], closed: NOT_ON_BSC });
    for (const way of ALL) {
      const works = way !== 'eip3009' && way !== 'eip2612';
      expect([way, (await tried(bsc, payer, way))[1]]).toEqual([way, works]);
    }
  });

  test('it asks a delegate as a token does', async () => {
    const knows = await delegated(bsc, DELEGATES.ownKey);
    const sure: Way[] = ['permit2', 'allowance', 'direct'];
    await expectWays(bsc, knows, { sure, closed: NOT_ON_BSC, delegate: DELEGATES.ownKey });
    for (const way of sure) expect([way, await tried(bsc, knows, way)]).toEqual([way, [null, true]]);

    const delegate = DELEGATES.silent;
    const silent = await delegated(bsc, delegate);
    const closed = { ...NOT_ON_BSC, permit2: 'delegation_legacy' };
    await expectWays(bsc, silent, { sure: ['allowance', 'direct'], closed, delegate });
    expect(await tried(bsc, silent, 'permit2')).toEqual([{ code: 'delegation_legacy', delegate }, false]);
    for (const way of ['allowance', 'direct'] as const) expect(await tried(bsc, silent, way)).toEqual([null, true]);
  });

  test('and a contract wallet', async () => {
    const payer = await contractWallet(bsc, CONTRACT_WALLET);
    await expectWays(bsc, payer, { sure: ['direct'], unsure: ['permit2', 'allowance'], closed: NOT_ON_BSC });
    for (const way of ['permit2', 'allowance', 'direct'] as const)
      expect([way, await tried(bsc, payer, way)]).toEqual([way, [null, true]]);
  });
});

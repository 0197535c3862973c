// Deposits to Across's real contracts on two chains: by one signature and by the wallet itself, filled, not filled and returned.
import { encodeFunctionData, erc20Abi, type Hex, keccak256, pad, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFaults, faultInput } from '../../../local/bridge/faults.ts';
import { type Filler, startFiller } from '../../../local/bridge/filler.ts';
import { bridgeChain } from '../../../test/setup/bridges.ts';
import { type LocalChainWorld, startLocalChain } from '../../../test/setup/localChain.ts';
import { encodeRedirectedFill, fillAbi, redirection, relayOf } from '../../../test/setup/redirectedFill.ts';
import { authorizationData } from '../../domain/typedData/tokens.ts';
import type { Address } from '../rpc/client.ts';
import { finalBlock } from '../rpc/finality.ts';
import { tokenDomain } from '../signing/permits.ts';
import {
  type AcrossDeposit,
  type AuthorizedDeposit,
  acrossOf,
  authorizedDepositId,
  depositWitness,
  encodeAuthorizedDeposit,
  encodeOwnDeposit,
  findDeposit,
  findFill,
  findRefunds,
  readFill,
  relayHash,
  unsafeDepositId,
} from './across.ts';

const faults = createFaults();
const RECIPIENT = privateKeyToAccount(generatePrivateKey()).address;
const FEE_TO = privateKeyToAccount(generatePrivateKey()).address;
const SENDER = privateKeyToAccount(generatePrivateKey()).address;
let celo: LocalChainWorld;
let base: LocalChainWorld;
let filler: Filler;
beforeAll(async () => {
  [celo, base] = await Promise.all([startLocalChain('celo'), startLocalChain('base')]);
  await celo.admin.setBalance({ address: SENDER, value: 10n ** 18n });
  filler = await startFiller(
    [celo, base].map(({ chain, rpcUrl }) => bridgeChain(chain, rpcUrl)),
    faults,
    { every: false },
  );
});
afterAll(async () => {
  await filler.close();
  await Promise.all([celo.stop(), base.stop()]);
});

const balance = ({ chain }: LocalChainWorld, of: Address) =>
  chain.client.readContract({ address: chain.usdc, abi: erc20Abi, functionName: 'balanceOf', args: [of] });

async function payer() {
  const account = privateKeyToAccount(generatePrivateKey());
  await celo.mint(20_000_000n, account.address);
  await celo.admin.setBalance({ address: account.address, value: 10n ** 18n });
  return account;
}

async function depositOf(depositor: Address): Promise<AcrossDeposit> {
  const { timestamp } = await base.chain.client.getBlock();
  return {
    originChainId: celo.chain.facts.chainId,
    destinationChainId: base.chain.facts.chainId,
    depositor,
    recipient: RECIPIENT,
    inputToken: celo.chain.usdc,
    outputToken: base.chain.usdc,
    input: 10_050_000n,
    output: 10_000_000n,
    fillDeadline: Number(timestamp) + 1_800,
  };
}

/** Signed once, sent by another account. */
async function depositBySignature(nonce = 7n) {
  const account = await payer();
  const authorized: AuthorizedDeposit = {
    deposit: await depositOf(account.address),
    fee: 20_000n,
    feeTo: FEE_TO,
    nonce,
  };
  const contracts = acrossOf(celo.chain);
  const validBefore = BigInt(authorized.deposit.fillDeadline);
  const { facts, usdc } = celo.chain;
  const domain = await tokenDomain(celo.chain);
  if (!domain) throw new Error('USDC has a domain');
  const typed = authorizationData({ chainId: facts.chainId, contract: usdc }, domain, {
    from: account.address,
    to: contracts.periphery,
    value: authorized.deposit.input + authorized.fee,
    validAfter: 0n,
    validBefore,
    nonce: depositWitness(contracts, authorized),
  });
  const signature = await account.signTypedData(typed as never);
  const data = encodeAuthorizedDeposit(contracts, authorized, { validBefore, signature });
  const depositId = authorizedDepositId(contracts, authorized);
  return { account, authorized, data, depositId, hash: relayHash(authorized.deposit, depositId) };
}
const send = (data: Hex, from = SENDER) => celo.send({ from, to: acrossOf(celo.chain).periphery, data });
const finalise = async (local: LocalChainWorld) => {
  await local.admin.mine({ blocks: local.chain.confirmations });
  return finalBlock(local.chain);
};

test('one signature: what it takes, what arrives, and an id that is known before', async () => {
  const { account, authorized, data, depositId, hash } = await depositBySignature();
  const before = await balance(base, RECIPIENT);
  const { reason, receipt } = await send(data);
  expect(reason).toBeNull();
  expect([await balance(celo, account.address), await balance(celo, FEE_TO)]).toEqual([9_930_000n, 20_000n]);
  const made = { depositId, depositor: account.address };
  expect(await findDeposit(celo.chain, made, 0n, receipt.blockNumber)).toBe(receipt.transactionHash);
  expect(await readFill(base.chain, hash, await finalBlock(base.chain))).toEqual({ seen: false, final: false });

  await filler.look();
  expect((await balance(base, RECIPIENT)) - before).toBe(authorized.deposit.output);
  expect(await readFill(base.chain, hash, await finalBlock(base.chain))).toEqual({ seen: true, final: false });
  const final = await finalise(base);
  expect(await readFill(base.chain, hash, final)).toEqual({ seen: true, final: true });
  const { deposit } = authorized;
  const found = await findFill(base.chain, deposit, depositId, 0n, final.number);
  expect(found).toEqual({ hash: expect.stringMatching(/^0x[0-9a-f]{64}$/), isAsDeposited: true });
  expect(await findFill(base.chain, deposit, depositId + 1n, 0n, final.number)).toBeNull();
  expect(
    await findFill(base.chain, { ...deposit, output: deposit.output - 1n }, depositId, 0n, final.number),
  ).toBeNull();

  // Anyone can fill another deposit under its id.
  const others: Partial<AcrossDeposit>[] = [
    { depositor: FEE_TO },
    { recipient: FEE_TO },
    { inputToken: FEE_TO },
    { outputToken: FEE_TO },
    { input: deposit.input + 1n },
    { fillDeadline: deposit.fillDeadline + 1 },
  ];
  for (const other of others)
    expect([other, await findFill(base.chain, { ...deposit, ...other }, depositId, 0n, final.number)]).toEqual([
      other,
      null,
    ]);

  // The same again is refused by the token.
  expect((await send(data)).reason?.text).toMatch(/authorization is used/);
});

test.each(['output', 'recipient', 'fillDeadline', 'fee', 'feeTo', 'nonce'])(
  'a signature is for its %s alone',
  async (field) => {
    const { authorized } = await depositBySignature(9n);
    const contracts = acrossOf(celo.chain);
    const other: AuthorizedDeposit = {
      ...authorized,
      ...(field === 'fee'
        ? { fee: 1n }
        : field === 'feeTo'
          ? { feeTo: RECIPIENT }
          : field === 'nonce'
            ? { nonce: 1n }
            : {}),
      deposit: {
        ...authorized.deposit,
        ...(field === 'output' ? { output: 1n } : field === 'recipient' ? { recipient: FEE_TO } : {}),
        ...(field === 'fillDeadline' ? { fillDeadline: authorized.deposit.fillDeadline + 1 } : {}),
      },
    };
    expect(depositWitness(contracts, other)).not.toBe(depositWitness(contracts, authorized));
    expect(authorizedDepositId(contracts, other)).not.toBe(authorizedDepositId(contracts, authorized));
  },
);

test('the wallet’s own deposit', async () => {
  const account = await payer();
  const deposit = await depositOf(account.address);
  const { pool } = acrossOf(celo.chain);
  const nonce = BigInt(keccak256(toHex('leg')));
  const { timestamp } = await celo.chain.client.getBlock();
  await celo.approve({ address: account.address }, pool, deposit.input);
  const data = encodeOwnDeposit(deposit, { nonce, quotedAt: Number(timestamp) });
  const { reason } = await celo.send({ from: account.address, to: pool, data });
  expect(reason).toBeNull();
  const before = await balance(base, RECIPIENT);
  await filler.look();
  expect((await balance(base, RECIPIENT)) - before).toBe(deposit.output);
  const depositId = unsafeDepositId(account.address, account.address, nonce);
  const final = await finalise(base);
  expect(await readFill(base.chain, relayHash(deposit, depositId), final)).toEqual({ seen: true, final: true });
});

test('a fill that the payer redirected by a later signature is no arrival; one of another deposit under the same id is none of ours', async () => {
  const { account, authorized, data, depositId, hash } = await depositBySignature(13n);
  expect((await send(data)).reason).toBeNull();
  const { deposit } = authorized;
  const { pool } = acrossOf(base.chain);
  const relay = relayOf(deposit, depositId);
  const relayer = FEE_TO;
  await base.mint(20_000_000n, relayer);
  await base.approve({ address: relayer }, pool, 20_000_000n);
  // Anyone may fill a deposit that was never made.
  const forged = { ...relay, recipient: pad(relayer), outputAmount: 1n };
  const forgery = encodeFunctionData({ abi: fillAbi, functionName: 'fillRelay', args: [forged, 8453n, pad(relayer)] });
  await base.must({ from: relayer, to: pool, data: forgery });
  const find = async () => findFill(base.chain, deposit, depositId, 0n, (await finalise(base)).number);
  expect(await find()).toBeNull();
  const to = account.address;
  const signature = await account.signTypedData(redirection(deposit, depositId, to));
  const redirected = encodeRedirectedFill(deposit, depositId, { relayer, to, signature });
  await base.must({ from: relayer, to: pool, data: redirected });
  expect(await readFill(base.chain, hash, await finalise(base))).toEqual({ seen: true, final: true });
  expect(await find()).toEqual({ hash: expect.stringMatching(/^0x/), isAsDeposited: false });
});

test.each([
  ['all of it to another account', 'payer', 0n],
  ['less to the recipient', 'recipient', 1n],
] as const)('a fill that the payer redirected, %s, is no arrival', async (_, who, less) => {
  const { account, authorized, data, depositId } = await depositBySignature(17n + less);
  expect((await send(data)).reason).toBeNull();
  const { deposit } = authorized;
  const { pool } = acrossOf(base.chain);
  const relayer = FEE_TO;
  await base.admin.setBalance({ address: relayer, value: 10n ** 18n });
  await base.mint(20_000_000n, relayer);
  await base.approve({ address: relayer }, pool, 20_000_000n);
  const to = who === 'payer' ? account.address : deposit.recipient;
  const units = deposit.output - less;
  const signature = await account.signTypedData(redirection(deposit, depositId, to, units));
  const fill = encodeRedirectedFill(deposit, depositId, { relayer, to, signature, units });
  await base.must({ from: relayer, to: pool, data: fill });
  const { number } = await finalise(base);
  expect(await findFill(base.chain, deposit, depositId, 0n, number)).toMatchObject({ isAsDeposited: false });
});

test('never filled: it returns to the payer after its deadline, all of it', async () => {
  const { account, authorized, data, depositId, hash } = await depositBySignature(11n);
  faults.add(faultInput.parse({ bridge: 'across', kind: 'never_filled' }));
  const { receipt } = await send(data);
  await filler.look();
  const seconds = 1_900;
  for (const { admin } of [base, celo]) {
    await admin.increaseTime({ seconds });
    await admin.mine({ blocks: 1 });
  }
  expect(await balance(celo, account.address)).toBe(9_930_000n);
  await filler.look();
  expect(await balance(celo, account.address)).toBe(9_930_000n + authorized.deposit.input);
  expect(await readFill(base.chain, hash, await finalise(base))).toEqual({ seen: false, final: false });
  const whose = { depositor: account.address, token: celo.chain.usdc };
  const final = await finalise(celo);
  const [refund, ...others] = await findRefunds(celo.chain, whose, receipt.blockNumber, final.number);
  expect([refund?.amount, others]).toEqual([authorized.deposit.input, []]);
  expect(await findRefunds(celo.chain, { ...whose, depositor: FEE_TO }, 0n, final.number)).toEqual([]);
  // A filler that starts again leaves it alone.
  const again = await startFiller(
    [celo, base].map(({ chain, rpcUrl }) => bridgeChain(chain, rpcUrl)),
    faults,
    { every: false },
  );
  await again.look();
  await again.close();
  expect(await balance(celo, account.address)).toBe(9_930_000n + authorized.deposit.input);
  expect(depositId).toBeGreaterThan(0n);
});

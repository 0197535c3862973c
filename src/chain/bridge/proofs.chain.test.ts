// What is read of refunds and of received money: only what reached the account, in that token, by that transaction.
import { concatHex, encodeAbiParameters, encodeEventTopics, type Hex, parseAbi, parseAbiParameters } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalChainWorld, startLocalChain } from '../../../test/setup/localChain.ts';
import type { Address } from '../rpc/client.ts';
import { finalBlock } from '../rpc/finality.ts';
import { findRefunds } from './across.ts';
import { receivedBy } from './relayProof.ts';

const SENDER = privateKeyToAccount(generatePrivateKey()).address;
const [PAYER, OTHER] = [1, 2].map(() => privateKeyToAccount(generatePrivateKey()).address) as [Address, Address];
let celo: LocalChainWorld;
beforeAll(async () => {
  celo = await startLocalChain('celo');
  await celo.admin.setBalance({ address: SENDER, value: 10n ** 18n });
});
afterAll(() => celo.stop());

describe('refunds of a bundle', () => {
  const abi = parseAbi([
    'event ExecutedRelayerRefundRoot(uint256 amountToReturn, uint256 indexed chainId, uint256[] refundAmounts, uint32 indexed rootBundleId, uint32 indexed leafId, address l2TokenAddress, address[] refundAddresses, bool deferredRefunds, address caller)',
  ]);
  /** Contracts that log what they are called with: its first four words as topics, the rest as data; one once, the other twice. */
  const LOG: Hex = '0x6060356040356020355f35845fa4';
  const HEAD: Hex = '0x608036038060805f37';
  const ONCE: Address = `0x${'71'.repeat(20)}`;
  const TWICE: Address = `0x${'72'.repeat(20)}`;
  let next = 1;
  async function publish(
    pool: Address,
    { chainId = celo.chain.facts.chainId, token = celo.chain.usdc, deferred = false, to = [PAYER], amounts = [5n] },
  ) {
    const topics = encodeEventTopics({
      abi,
      args: { chainId: BigInt(chainId), rootBundleId: next, leafId: 1 },
    }) as Hex[];
    next += 1;
    const data = encodeAbiParameters(parseAbiParameters('uint256, uint256[], address, address[], bool, address'), [
      0n,
      amounts,
      token,
      to,
      deferred,
      SENDER,
    ]);
    return celo.must({ from: SENDER, to: pool, data: concatHex([...topics, data]) });
  }
  const refunds = (pool: Address) => {
    const origin = { ...celo.chain, across: { ...celo.chain.across, pool } } as typeof celo.chain;
    return celo.chain.client
      .getBlockNumber({ cacheTime: 0 })
      .then((head) => findRefunds(origin, { depositor: PAYER, token: celo.chain.usdc }, 0n, head));
  };

  test('that are deferred, of another token, chain or depositor have not reached the wallet', async () => {
    await celo.admin.setCode({ address: ONCE, bytecode: concatHex([HEAD, LOG, '0x00']) });
    await publish(ONCE, { deferred: true });
    await publish(ONCE, { token: OTHER });
    await publish(ONCE, { chainId: 8_453 });
    await publish(ONCE, { to: [OTHER] });
    await publish(ONCE, { amounts: [0n] });
    expect(await refunds(ONCE)).toEqual([]);
    await publish(ONCE, { to: [OTHER, PAYER, PAYER], amounts: [9n, 5n, 6n] });
    expect(await refunds(ONCE)).toMatchObject([{ amount: 11n }]);
  });

  test('of several leaves in one transaction are added up', async () => {
    await celo.admin.setCode({ address: TWICE, bytecode: concatHex([HEAD, LOG, LOG, '0x00']) });
    await publish(TWICE, {});
    expect(await refunds(TWICE)).toMatchObject([{ amount: 10n }]);
  });
});

describe('what an account got in the native asset', () => {
  const received = async (hash: Hex, account: Address) => {
    await celo.admin.mine({ blocks: celo.chain.confirmations });
    return receivedBy(celo.chain, hash, { account, token: null }, await finalBlock(celo.chain));
  };

  test('is what it has more than before, not what it has', async () => {
    await celo.admin.setBalance({ address: PAYER, value: 10n ** 18n });
    await celo.admin.mine({ blocks: 1 });
    const { receipt } = await celo.send({ from: SENDER, to: PAYER, value: 3n } as never);
    expect(await received(receipt.transactionHash, PAYER)).toBe(3n);
    const elsewhere = await celo.send({ from: SENDER, to: OTHER, value: 3n } as never);
    expect(await received(elsewhere.receipt.transactionHash, PAYER)).toBe(0n);
  });
});

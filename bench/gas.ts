// Gas a tip in windows of one, five and twenty legs, against tips that go out one by one: real transactions of an executor, straight to the router.
import { randomBytes } from 'node:crypto';
import { createPublicClient, createWalletClient, erc20Abi, http, parseUnits, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { crowd } from '../local/platforms/loadGenerator.ts';
import { localKey } from '../local/stack/people.ts';
import { ROLES } from '../local/stack/roles.ts';
import { seedMore } from '../local/stack/seed.ts';
import type { Stack } from '../local/stack/stack.ts';
import { encodeTips, gasForTips } from '../src/chain/routers/bot.ts';
import type { Address, Hex } from '../src/chain/rpc/client.ts';
import { waitForReceipt } from '../src/chain/rpc/receipts.ts';
import type { Row } from './main.ts';

const WINDOWS = [1, 5, 20];
const ratio = (value: number, baseline: number) => Math.round((value / baseline) * 100) / 100;

/** Run it when nothing else uses the executor's key. */
export async function measureGas(stack: Stack): Promise<Row[]> {
  const base = stack.chains.find((chain) => chain.name === 'base');
  if (!base) throw new Error('the chain base runs');
  const senders = crowd('gas', 4_000, Math.max(...WINDOWS));
  await seedMore(stack.processEnv, [base], senders);
  const { usdc, routers, rpcUrls } = base.config;
  const transport = http(rpcUrls[0]);
  const reader = createPublicClient({ transport, pollingInterval: 20 });
  const executor = createWalletClient({
    account: privateKeyToAccount((ROLES.executors[0] ?? localKey('')).key),
    transport,
  });
  const recipient = localKey('bob').address;
  const used = async (hash: Hex) => {
    const { status, gasUsed } = await waitForReceipt(reader, hash);
    if (status !== 'success') throw new Error('a transaction that was measured failed');
    return Number(gasUsed);
  };
  const sendTips = async (count: number) => {
    const { timestamp } = await reader.getBlock();
    const tips = senders.slice(0, count).map((sender) => ({
      messageKey: toHex(randomBytes(32)),
      sender: sender.address,
      recipient,
      token: usdc as Address,
      amount: parseUnits('1', 6),
      fee: parseUnits('0.05', 6),
      validUntil: timestamp + 600n,
    }));
    const data = encodeTips(tips);
    return used(
      await executor.sendTransaction({ to: routers.bot as Address, data, gas: gasForTips(count), chain: null }),
    );
  };
  const owner = createWalletClient({ account: privateKeyToAccount(senders[0]?.key ?? '0x'), transport });
  const token = { address: usdc as Address, abi: erc20Abi, chain: null } as const;
  const spender = executor.account.address;
  await used(await owner.writeContract({ ...token, functionName: 'approve', args: [spender, 10n ** 12n] }));
  const transfer = { ...token, functionName: 'transferFrom', args: [owner.account.address, recipient, 1n] } as const;
  const plain = await used(await executor.writeContract(transfer));

  const rows: Row[] = [];
  let single = 0;
  for (const count of WINDOWS) {
    // The first tip of a sender writes the slots of its day for the first time; later tips are the usual case.
    await sendTips(count);
    const each = Math.round((await sendTips(count)) / count);
    single ||= each;
    rows.push({
      name: `gas a tip in a window of ${count}`,
      value: each,
      unit: 'gas',
      baseline: single,
      ratio: ratio(each, single),
      note: `baseline: a tip alone; a plain transferFrom of the same token is ${plain}, ratio ${ratio(each, plain)}`,
    });
  }
  return rows;
}

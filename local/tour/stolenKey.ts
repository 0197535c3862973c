// The last step of the tour: an executor's key is used elsewhere, and the watchdog stops the router. It stays paused, so nothing can follow.
import { createWalletClient, encodeFunctionData, type Hex, http, keccak256, parseUnits, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { botRouterAbi } from '../../src/chain/routers/abis/BotRouter.ts';
import { ROLES } from '../stack/roles.ts';
import { moved, readLedger } from './ledger.ts';
import { check, type Tour, until } from './tour.ts';

export async function stolenKey(tour: Tour): Promise<void> {
  const { client, local, cast } = tour;
  const { rpc_url: rpcUrl = '', usdc, routers } = local.chains['base'] ?? {};
  const address = routers?.bot as Hex;
  const isPaused = () => client.readContract({ address, abi: botRouterAbi, functionName: 'paused' });
  check(!(await isPaused()), 'the router is open');
  const before = await readLedger(tour);
  const tip = {
    ...{
      messageKey: keccak256(toHex(`a theft ${Date.now()}`)),
      sender: cast.nina.address,
      recipient: cast.otto.address,
    },
    ...{ token: usdc as Hex, amount: parseUnits('1', 6), fee: 0n, validUntil: 2n ** 63n },
  };
  const data = encodeFunctionData({ abi: botRouterAbi, functionName: 'tip', args: [tip] });
  const account = privateKeyToAccount(ROLES.executors[0]?.key as Hex);
  const thief = createWalletClient({ account, transport: http(rpcUrl) });
  const theft = await thief.sendTransaction({ to: address, data, gas: 600_000n, chain: null });
  await until('the router is paused', isPaused);
  const { blockNumber } = await client.getTransactionReceipt({ hash: theft });
  const [pause] = await client.getContractEvents({
    ...{ address, abi: botRouterAbi, eventName: 'PausedSet' as const },
    fromBlock: blockNumber,
  });
  const after = Number((pause?.blockNumber ?? 0n) - blockNumber);
  check(pause !== undefined && after <= 2, `it is paused within two blocks: ${after}`);
  await moved(tour, before, { nina: '-1', otto: '1' });
  tour.tell(
    'A thief who has an executor’s key moves 1 USDC within Nina’s limits, and no more: the watchdog, a process with nothing but the guardian’s key, sees a transaction that none of our rows signed, and pauses the router.',
    { theft, paused: `${after} ${after === 1 ? 'block' : 'blocks'} later`, pause: pause.transactionHash },
  );
}

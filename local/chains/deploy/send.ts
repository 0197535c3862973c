// How the local stack writes to a local chain: one account, transactions signed with consecutive nonces, sent without waiting in
// between, awaited together. It also deploys the fixtures at addresses that depend on their code alone.
import {
  type Abi,
  type Account,
  type Address,
  type Chain,
  concatHex,
  createTestClient,
  createWalletClient,
  defineChain,
  encodeDeployData,
  getContractAddress,
  type Hex,
  type HttpTransport,
  keccak256,
  type PublicActions,
  parseEther,
  publicActions,
  stringToHex,
  type TestClient,
  type WalletClient,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { DETERMINISTIC_DEPLOYER } from '../../../src/chain/routers/deploy.ts';
import { waitForReceipt } from '../../../src/chain/rpc/receipts.ts';
import { rpcTransport } from '../../../src/chain/rpc/transport.ts';
import fixtures from './fixtures/contracts.json' with { type: 'json' };

export type LocalClient = TestClient<'anvil', HttpTransport, Chain> & PublicActions<HttpTransport, Chain>;
export type LocalWallet = WalletClient<HttpTransport, Chain, Account>;
export type LocalChain = { client: LocalClient; wallet: LocalWallet };
export type LocalCall = { to: Address; data: Hex; value?: bigint };

const POLL_MS = 25;
const GAS_PER_CALL = 6_000_000n;
const FUNDS = parseEther('1000');

/** Opens a local chain for the account of `key`, which is given native funds there. */
export async function openLocalChain(rpcUrl: string, key: Hex): Promise<LocalChain> {
  const transport = rpcTransport(rpcUrl);
  const chainId = await createTestClient({ mode: 'anvil', transport }).extend(publicActions).getChainId();
  const chain = defineChain({
    id: chainId,
    name: 'local',
    nativeCurrency: { name: 'native', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  const client = createTestClient({ mode: 'anvil', chain, transport, pollingInterval: POLL_MS }).extend(publicActions);
  const account = privateKeyToAccount(key);
  if ((await client.getBalance({ address: account.address })) < FUNDS / 2n) {
    await client.setBalance({ address: account.address, value: FUNDS });
  }
  return { client, wallet: createWalletClient({ account, chain, transport, pollingInterval: POLL_MS }) };
}

/** One writer per chain and account at a time in this process, so that nonces never collide. */
const queues = new Map<string, Promise<unknown>>();

/** Sends the calls in order and waits for all of them. Throws, naming the call, when one reverts. @returns their transactions */
export async function sendAll(local: LocalChain, calls: readonly LocalCall[]): Promise<Hex[]> {
  if (calls.length === 0) return [];
  const key = `${local.wallet.chain.rpcUrls.default.http[0]} ${local.wallet.account.address}`;
  const turn = (queues.get(key) ?? Promise.resolve()).catch(() => undefined).then(() => sendInTurn(local, calls));
  queues.set(key, turn);
  return turn;
}

async function sendInTurn({ client, wallet }: LocalChain, calls: readonly LocalCall[]): Promise<Hex[]> {
  const [nonce, fees] = await Promise.all([
    client.getTransactionCount({ address: wallet.account.address, blockTag: 'pending' }),
    client.estimateFeesPerGas(),
  ]);
  const hashes: Hex[] = [];
  for (const [index, call] of calls.entries()) {
    const signed = await wallet.signTransaction({
      ...call,
      type: 'eip1559',
      nonce: nonce + index,
      gas: GAS_PER_CALL,
      maxFeePerGas: fees.maxFeePerGas * 4n,
      maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
    });
    hashes.push(await client.sendRawTransaction({ serializedTransaction: signed }));
  }
  for (const [index, hash] of hashes.entries()) {
    const { status } = await waitForReceipt(client, hash);
    if (status !== 'success') throw new Error(`call ${index} to ${calls[index]?.to} reverted on the local chain`);
  }
  return hashes;
}

export async function hasCode(client: LocalClient, address: Address): Promise<boolean> {
  const code = await client.getCode({ address });
  return code !== undefined && code !== '0x';
}

/** The address of `initCode`, and the call that deploys it there. */
export function planDeployment(initCode: Hex, name: string): { address: Address; call: LocalCall } {
  const salt = keccak256(stringToHex(`ampersat.local.${name}`));
  const address = getContractAddress({
    opcode: 'CREATE2',
    from: DETERMINISTIC_DEPLOYER,
    salt,
    bytecode: initCode,
  });
  return { address, call: { to: DETERMINISTIC_DEPLOYER, data: concatHex([salt, initCode]) } };
}

/** Creation code of one of the contracts that only local chains have. */
export function fixtureInitCode(name: keyof typeof fixtures, args: readonly unknown[]): Hex {
  const { abi, bytecode } = fixtures[name];
  return encodeDeployData({ abi: abi as Abi, bytecode: bytecode as Hex, args });
}

// Across's relayer and its dataworker on the local chains: fills what is deposited, and returns what was not filled in time.
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  getAbiItem,
  type Hex,
  keccak256,
  maxUint256,
  pad,
  parseAbi,
  parseAbiParameters,
  parseEventLogs,
  trim,
  zeroHash,
} from 'viem';
import { ACROSS_ROLE } from '../chains/deploy/across.ts';
import { type LocalChain, openLocalChain, sendAll } from '../chains/deploy/send.ts';
import { localKey } from '../stack/people.ts';
import type { Faults } from './faults.ts';
import { type BridgeChain, type Ledger, openLedger } from './ledger.ts';

const abi = parseAbi([
  'struct RelayData { bytes32 depositor; bytes32 recipient; bytes32 exclusiveRelayer; bytes32 inputToken; bytes32 outputToken; uint256 inputAmount; uint256 outputAmount; uint256 originChainId; uint256 depositId; uint32 fillDeadline; uint32 exclusivityDeadline; bytes message; }',
  'struct RefundLeaf { uint256 amountToReturn; uint256 chainId; uint256[] refundAmounts; uint32 leafId; address l2TokenAddress; address[] refundAddresses; }',
  'function fillRelay(RelayData relayData, uint256 repaymentChainId, bytes32 repaymentAddress)',
  'function fillStatuses(bytes32 relayHash) view returns (uint256)',
  'function relayRootBundle(bytes32 relayerRefundRoot, bytes32 slowRelayRoot)',
  'function executeRelayerRefundLeaf(uint32 rootBundleId, RefundLeaf relayerRefundLeaf, bytes32[] proof) payable',
  'event FundsDeposited(bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 indexed destinationChainId, uint256 indexed depositId, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes32 indexed depositor, bytes32 recipient, bytes32 exclusiveRelayer, bytes message)',
  'event RelayedRootBundle(uint32 indexed rootBundleId, bytes32 indexed relayerRefundRoot, bytes32 indexed slowRelayRoot)',
  'event ExecutedRelayerRefundRoot(uint256 amountToReturn, uint256 indexed chainId, uint256[] refundAmounts, uint32 indexed rootBundleId, uint32 indexed leafId, address l2TokenAddress, address[] refundAddresses, bool deferredRefunds, address caller)',
]);
const depositEvent = getAbiItem({ abi, name: 'FundsDeposited' });
const relayParameters = parseAbiParameters([
  '(bytes32 depositor, bytes32 recipient, bytes32 exclusiveRelayer, bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 originChainId, uint256 depositId, uint32 fillDeadline, uint32 exclusivityDeadline, bytes message) relayData',
  'uint256 destinationChainId',
]);
const leafParameters = parseAbiParameters(
  '(uint256 amountToReturn, uint256 chainId, uint256[] refundAmounts, uint32 leafId, address l2TokenAddress, address[] refundAddresses) leaf',
);
const LOOK_EVERY_MS = 250;
const FILLED = 2n;

type RelayData = {
  depositor: Hex;
  recipient: Hex;
  exclusiveRelayer: Hex;
  inputToken: Hex;
  outputToken: Hex;
  inputAmount: bigint;
  outputAmount: bigint;
  originChainId: bigint;
  depositId: bigint;
  fillDeadline: number;
  exclusivityDeadline: number;
  message: Hex;
};
/** `fillAt` in Unix milliseconds; null for never. */
type Open = { data: RelayData; destination: Place; fillAt: number | null };
type Place = { ledger: Ledger; owner: LocalChain; next: bigint; open: Map<string, Open> };

export type Filler = {
  /** One look at every chain: what is due is filled or returned. */
  look(): Promise<void>;
  close(): Promise<void>;
};

/** @param every false for a filler that looks only on `look` */
export async function startFiller(
  chains: readonly BridgeChain[],
  faults: Faults,
  { every = true, log = (_: string) => {}, clock = Date.now } = {},
): Promise<Filler> {
  const places = await Promise.all(
    chains.map(async (chain): Promise<Place> => {
      const ledger = await openLedger(chain, 'across filler');
      const owner = await openLocalChain(chain.rpcUrl, ACROSS_ROLE.key);
      await allowPool(ledger);
      return { ledger, owner, next: 0n, open: new Map() };
    }),
  );
  let running = Promise.resolve();
  let closed = false;

  async function round(): Promise<void> {
    for (const place of places) {
      await readDeposits(place, places, faults, clock);
      const late: RelayData[] = [];
      for (const [id, one] of place.open) {
        const found = await settle(one, clock());
        if (found === 'late') late.push(one.data);
        else if (found === 'filled') place.open.delete(id);
      }
      for (const group of byDepositor(late)) {
        await giveBack(place, group);
        for (const { depositId } of group) place.open.delete(String(depositId));
      }
    }
  }
  const look = () => {
    const turn = running.then(round);
    running = turn.catch((error: unknown) => log(`the local Across: ${(error as Error).message}`));
    return turn;
  };
  let timer: NodeJS.Timeout | undefined;
  const again = () => {
    if (closed) return;
    timer = setTimeout(
      () =>
        void look()
          .catch(() => {})
          .finally(again),
      LOOK_EVERY_MS,
    );
  };
  if (every) again();
  return {
    look,
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

async function allowPool({ local, usdc, across, address }: Ledger): Promise<void> {
  const args = [address, across.pool] as const;
  const allowed = await local.client.readContract({ address: usdc, abi: erc20Abi, functionName: 'allowance', args });
  if (allowed > maxUint256 / 2n) return;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [across.pool, maxUint256] });
  await sendAll(local, [{ to: usdc, data }]);
}

/** A reorg may take blocks back: then the newest one is below what was read. */
async function readDeposits(place: Place, places: Place[], faults: Faults, clock: () => number): Promise<void> {
  const { ledger } = place;
  const { client } = ledger.local;
  const head = await client.getBlockNumber({ cacheTime: 0 });
  if (head < place.next) place.next = head;
  else if (head + 1n === place.next) return;
  const logs = await client.getLogs({
    address: ledger.across.pool,
    event: depositEvent,
    fromBlock: place.next,
    toBlock: head,
    strict: true,
  });
  place.next = head + 1n;
  for (const { args } of logs) {
    const destination = places.find(({ ledger: other }) => BigInt(other.chainId) === args.destinationChainId);
    if (!destination || place.open.has(String(args.depositId))) continue;
    const { quoteTimestamp: _, destinationChainId: __, ...rest } = args;
    const data: RelayData = { ...rest, originChainId: BigInt(ledger.chainId) };
    if (await isSettled(place, destination, data)) continue;
    const fault = faults.transfer('across');
    const fillAt = fault && fault.kind !== 'delayed' ? null : clock() + (fault?.ms ?? 0);
    place.open.set(String(args.depositId), { data, destination, fillAt });
  }
}

/** Filled, or returned by an earlier run. */
async function isSettled(place: Place, destination: Place, data: RelayData): Promise<boolean> {
  if (await isFilled(destination, data)) return true;
  const { client } = place.ledger.local;
  const returned = await client.getLogs({
    address: place.ledger.across.pool,
    event: getAbiItem({ abi, name: 'ExecutedRelayerRefundRoot' }),
    fromBlock: 0n,
    toBlock: 'latest',
    strict: true,
  });
  return returned.some(({ args }) => args.refundAddresses.some((one) => one.toLowerCase() === markOf(data)));
}

async function isFilled({ ledger }: Place, data: RelayData): Promise<boolean> {
  const hash = keccak256(encodeAbiParameters(relayParameters, [data, BigInt(ledger.chainId)]));
  const args = [hash] as const;
  const { client } = ledger.local;
  const status = await client.readContract({ address: ledger.across.pool, abi, functionName: 'fillStatuses', args });
  return status === FILLED;
}

async function settle({ data, destination, fillAt }: Open, now: number): Promise<'open' | 'filled' | 'late'> {
  const { timestamp } = await destination.ledger.local.client.getBlock();
  if (timestamp > BigInt(data.fillDeadline)) return (await isFilled(destination, data)) ? 'filled' : 'late';
  if (fillAt === null || fillAt > now) return 'open';
  const { ledger } = destination;
  const args = [data, BigInt(ledger.chainId), pad(ledger.address)] as const;
  const call = { to: ledger.across.pool, data: encodeFunctionData({ abi, functionName: 'fillRelay', args }) };
  await sendAll(ledger.local, [call]);
  return 'filled';
}

/** As in a real bundle, one refund returns all deposits of a wallet and a token. */
function byDepositor(late: RelayData[]): [RelayData, ...RelayData[]][] {
  const groups = new Map<string, [RelayData, ...RelayData[]]>();
  for (const data of late) {
    const key = `${data.depositor} ${data.inputToken}`;
    groups.set(key, [...(groups.get(key) ?? []), data] as [RelayData, ...RelayData[]]);
  }
  return [...groups.values()];
}

/** An address that gets nothing, in a leaf: by it a later run knows that this deposit was returned. */
function markOf({ depositId }: RelayData): Address {
  return pad(`0x${(depositId & (2n ** 160n - 1n)).toString(16)}`, { size: 20 });
}

/** A bundle of one leaf, whose number is of the first deposit: a real bundle has many, and comes within two hours. */
function leafOf({ ledger }: Place, group: [RelayData, ...RelayData[]]) {
  const [{ depositId, depositor, inputToken }] = group;
  return {
    amountToReturn: 0n,
    chainId: BigInt(ledger.chainId),
    refundAmounts: [group.reduce((sum, { inputAmount }) => sum + inputAmount, 0n), ...group.map(() => 0n)],
    leafId: Number(depositId & 0xffffffffn),
    l2TokenAddress: pad(trim(inputToken), { size: 20 }) as Address,
    refundAddresses: [pad(trim(depositor), { size: 20 }) as Address, ...group.map(markOf)],
  };
}

function giveBack(place: Place, group: [RelayData, ...RelayData[]]): Promise<void> {
  return publishRefund(place.owner, place.ledger.across.pool, leafOf(place, group));
}

export type RefundLeaf = ReturnType<typeof leafOf>;

/** @param owner of the pool */
export async function publishRefund(owner: LocalChain, pool: Address, leaf: RefundLeaf): Promise<void> {
  const root = keccak256(encodeAbiParameters(leafParameters, [leaf]));
  const publish = encodeFunctionData({ abi, functionName: 'relayRootBundle', args: [root, zeroHash] });
  const [hash] = await sendAll(owner, [{ to: pool, data: publish }]);
  const { logs } = await owner.client.getTransactionReceipt({ hash: hash as Hex });
  const [published] = parseEventLogs({ abi, logs, eventName: 'RelayedRootBundle' });
  if (!published) throw new Error('a bundle has a number');
  const args = [published.args.rootBundleId, leaf, []] as const;
  await sendAll(owner, [
    { to: pool, data: encodeFunctionData({ abi, functionName: 'executeRelayerRefundLeaf', args }) },
  ]);
}

/** The account that fills. */
export function fillerAddress(): Address {
  return localKey('across filler').address;
}

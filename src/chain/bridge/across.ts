// Across: a deposit on the origin, a fill on the destination. Both are read from the chains; nothing that the API says is believed, except its price.
import {
  concatHex,
  decodeEventLog,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  encodePacked,
  keccak256,
  type Log,
  type PublicClient,
  pad,
  parseAbi,
  parseAbiParameters,
  stringToHex,
  zeroHash,
} from 'viem';
import { ownEvents } from '../logs/routerEvents.ts';
import { agreed, anySays } from '../rpc/agreement.ts';
import type { Address, EvmChain, Hash, Hex } from '../rpc/client.ts';
import type { FinalBlock } from '../rpc/finality.ts';
import { logsOf } from '../rpc/logs.ts';

const abi = parseAbi([
  'struct Fees { uint256 amount; address recipient; }',
  'struct BaseDepositData { address inputToken; bytes32 outputToken; uint256 outputAmount; address depositor; bytes32 recipient; uint256 destinationChainId; bytes32 exclusiveRelayer; uint32 quoteTimestamp; uint32 fillDeadline; uint32 exclusivityParameter; bytes message; }',
  'struct DepositData { Fees submissionFees; BaseDepositData baseDepositData; uint256 inputAmount; address spokePool; uint256 nonce; }',
  'function depositWithAuthorizationBytes(address signatureOwner, DepositData depositData, uint256 validAfter, uint256 validBefore, bytes signature)',
  'function unsafeDeposit(bytes32 depositor, bytes32 recipient, bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, bytes32 exclusiveRelayer, uint256 depositNonce, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message) payable',
  'function fillStatuses(bytes32 relayHash) view returns (uint256)',
  'event FundsDeposited(bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 indexed destinationChainId, uint256 indexed depositId, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes32 indexed depositor, bytes32 recipient, bytes32 exclusiveRelayer, bytes message)',
  'struct ExecutionInfo { bytes32 updatedRecipient; bytes32 updatedMessageHash; uint256 updatedOutputAmount; uint8 fillType; }',
  'event FilledRelay(bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 repaymentChainId, uint256 indexed originChainId, uint256 indexed depositId, uint32 fillDeadline, uint32 exclusivityDeadline, bytes32 exclusiveRelayer, bytes32 indexed relayer, bytes32 depositor, bytes32 recipient, bytes32 messageHash, ExecutionInfo relayExecutionInfo)',
  'event ExecutedRelayerRefundRoot(uint256 amountToReturn, uint256 indexed chainId, uint256[] refundAmounts, uint32 indexed rootBundleId, uint32 indexed leafId, address l2TokenAddress, address[] refundAddresses, bool deferredRefunds, address caller)',
]);

/** `FillStatus.Filled` of the pool. */
const FILLED = 2n;
const BRIDGE_WITNESS = keccak256(stringToHex('BridgeWitness'));
const AUTHORIZATION_NONCE = keccak256(stringToHex('AuthorizationNonce'));

/** What the origin takes and what must arrive, in smallest units; a relayer can fill exactly this or nothing. */
export type AcrossDeposit = {
  originChainId: number;
  destinationChainId: number;
  /** Who pays, and whom an unfilled deposit returns to. */
  depositor: Address;
  recipient: Address;
  inputToken: Address;
  outputToken: Address;
  input: bigint;
  output: bigint;
  /** Unix second on the destination after which it cannot be filled. */
  fillDeadline: number;
};

/** One signature of the payer: `fee` goes to `feeTo` on top of the input. `nonce` makes two equal deposits two. */
export type AuthorizedDeposit = { deposit: AcrossDeposit; fee: bigint; feeTo: Address; nonce: bigint };

type Contracts = { pool: Address; periphery: Address };

/** @throws Error for a chain without Across */
export function acrossOf(chain: EvmChain): Contracts {
  if (!chain.across) throw new Error(`Across has no contracts on ${chain.name}`);
  return chain.across;
}

function depositData({ pool }: Contracts, { deposit, fee, feeTo, nonce }: AuthorizedDeposit) {
  return {
    submissionFees: { amount: fee, recipient: feeTo },
    baseDepositData: {
      inputToken: deposit.inputToken,
      outputToken: pad(deposit.outputToken),
      outputAmount: deposit.output,
      depositor: deposit.depositor,
      recipient: pad(deposit.recipient),
      destinationChainId: BigInt(deposit.destinationChainId),
      exclusiveRelayer: zeroHash,
      // As of the block that has it.
      quoteTimestamp: 0,
      fillDeadline: deposit.fillDeadline,
      exclusivityParameter: 0,
      message: '0x' as Hex,
    },
    inputAmount: deposit.input,
    spokePool: pool,
    nonce,
  };
}

const depositParameters = parseAbiParameters([
  '(Fees submissionFees, BaseDepositData baseDepositData, uint256 inputAmount, address spokePool, uint256 nonce) depositData',
  'struct Fees { uint256 amount; address recipient; }',
  'struct BaseDepositData { address inputToken; bytes32 outputToken; uint256 outputAmount; address depositor; bytes32 recipient; uint256 destinationChainId; bytes32 exclusiveRelayer; uint32 quoteTimestamp; uint32 fillDeadline; uint32 exclusivityParameter; bytes message; }',
]);

/** The nonce of the EIP-3009 authorization with which the payer signs a deposit (`getERC3009DepositWitness`). */
export function depositWitness(contracts: Contracts, authorized: AuthorizedDeposit): Hash {
  const encoded = encodeAbiParameters(depositParameters, [depositData(contracts, authorized)]);
  return keccak256(concatHex([BRIDGE_WITNESS, encoded]));
}

/** The deposit's id, known before it is sent. */
export function authorizedDepositId(contracts: Contracts, authorized: AuthorizedDeposit): bigint {
  const { depositor } = authorized.deposit;
  const nonce = keccak256(
    encodePacked(
      ['bytes32', 'address', 'uint256'],
      [AUTHORIZATION_NONCE, depositor, BigInt(depositWitness(contracts, authorized))],
    ),
  );
  return unsafeDepositId(contracts.periphery, depositor, BigInt(nonce));
}

/** The id of a deposit that `sender` makes by `unsafeDeposit`. */
export function unsafeDepositId(sender: Address, depositor: Address, nonce: bigint): bigint {
  return BigInt(keccak256(encodePacked(['address', 'bytes32', 'uint256'], [sender, pad(depositor), nonce])));
}

/** The periphery's call with the payer's signature, which anyone may send. `validBefore` in Unix seconds. */
export function encodeAuthorizedDeposit(
  contracts: Contracts,
  authorized: AuthorizedDeposit,
  { validBefore, signature }: { validBefore: bigint; signature: Hex },
): Hex {
  return encodeFunctionData({
    abi,
    functionName: 'depositWithAuthorizationBytes',
    args: [authorized.deposit.depositor, depositData(contracts, authorized), 0n, validBefore, signature],
  });
}

/** The pool's call that the payer's wallet sends by itself, over an allowance. `quotedAt` is a Unix second of the origin, an hour old at most. */
export function encodeOwnDeposit(
  deposit: AcrossDeposit,
  { nonce, quotedAt }: { nonce: bigint; quotedAt: number },
): Hex {
  return encodeFunctionData({
    abi,
    functionName: 'unsafeDeposit',
    args: [
      pad(deposit.depositor),
      pad(deposit.recipient),
      pad(deposit.inputToken),
      pad(deposit.outputToken),
      deposit.input,
      deposit.output,
      BigInt(deposit.destinationChainId),
      zeroHash,
      nonce,
      quotedAt,
      deposit.fillDeadline,
      0,
      '0x',
    ],
  });
}

const relayParameters = parseAbiParameters([
  '(bytes32 depositor, bytes32 recipient, bytes32 exclusiveRelayer, bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 originChainId, uint256 depositId, uint32 fillDeadline, uint32 exclusivityDeadline, bytes message) relayData',
  'uint256 destinationChainId',
]);

/** What the destination's pool knows a deposit by (`getV3RelayHash`). */
export function relayHash(deposit: AcrossDeposit, depositId: bigint): Hash {
  const data = {
    depositor: pad(deposit.depositor),
    recipient: pad(deposit.recipient),
    exclusiveRelayer: zeroHash,
    inputToken: pad(deposit.inputToken),
    outputToken: pad(deposit.outputToken),
    inputAmount: deposit.input,
    outputAmount: deposit.output,
    originChainId: BigInt(deposit.originChainId),
    depositId,
    fillDeadline: deposit.fillDeadline,
    exclusivityDeadline: 0,
    message: '0x' as Hex,
  };
  return keccak256(encodeAbiParameters(relayParameters, [data, BigInt(deposit.destinationChainId)]));
}

/**
 * Whether exactly this deposit is filled: in the newest block by any endpoint, and in the blocks that are final for us by two.
 * @throws AppError `provider_unavailable`
 */
export async function readFill(
  destination: EvmChain,
  hash: Hash,
  final: FinalBlock,
): Promise<{ seen: boolean; final: boolean }> {
  const { pool } = acrossOf(destination);
  const at = { address: pool, abi, functionName: 'fillStatuses', args: [hash] } as const;
  const isFilled = async (client: PublicClient, block: { blockNumber?: bigint }) =>
    (await client.readContract({ ...at, ...block })) === FILLED;
  const [seen, then] = await Promise.all([
    anySays(destination, (client) => isFilled(client, {})),
    agreed(destination, (client) => isFilled(client, { blockNumber: final.number }), String),
  ]);
  return { seen, final: then };
}

/** `isAsDeposited` is false for one that its depositor redirected by a later signature: to another recipient, or for less. */
export type Fill = { hash: Hash; isAsDeposited: boolean };

/**
 * The fill of exactly this deposit: anyone can fill another one under its id. Blocks are included.
 * @throws AppError `provider_unavailable`
 */
export async function findFill(
  destination: EvmChain,
  deposit: AcrossDeposit,
  depositId: bigint,
  from: bigint,
  to: bigint,
): Promise<Fill | null> {
  const topics = encodeEventTopics({
    abi,
    eventName: 'FilledRelay',
    args: { originChainId: BigInt(deposit.originChainId), depositId },
  });
  const same = (word: Hex, address: Address) => word.toLowerCase() === pad(address).toLowerCase();
  for (const log of await logsOf(destination, acrossOf(destination).pool, topics as Hex[], from, to)) {
    const { args } = decodeEventLog({ abi, eventName: 'FilledRelay', topics: log.topics, data: log.data });
    const isOurs =
      same(args.depositor, deposit.depositor) &&
      same(args.recipient, deposit.recipient) &&
      same(args.inputToken, deposit.inputToken) &&
      same(args.outputToken, deposit.outputToken) &&
      args.inputAmount === deposit.input &&
      args.outputAmount === deposit.output &&
      args.fillDeadline === deposit.fillDeadline;
    if (!isOurs) continue;
    const { updatedRecipient, updatedOutputAmount } = args.relayExecutionInfo;
    const isAsDeposited = same(updatedRecipient, deposit.recipient) && updatedOutputAmount >= deposit.output;
    return { hash: log.transactionHash, isAsDeposited };
  }
  return null;
}

/** The transaction of a deposit. Blocks are included. @throws AppError `provider_unavailable` */
export async function findDeposit(
  origin: EvmChain,
  { depositId, depositor }: { depositId: bigint; depositor: Address },
  from: bigint,
  to: bigint,
): Promise<Hash | null> {
  const topics = encodeEventTopics({
    abi,
    eventName: 'FundsDeposited',
    args: { depositId, depositor: pad(depositor) },
  });
  const [log] = await logsOf(origin, acrossOf(origin).pool, topics as Hex[], from, to);
  return log?.transactionHash ?? null;
}

/** Whether a transaction made exactly this deposit. */
export function hasDeposit(origin: EvmChain, depositId: bigint, logs: readonly Log[]): boolean {
  return ownEvents(abi, acrossOf(origin).pool, logs).some(
    (event) => event.eventName === 'FundsDeposited' && event.args.depositId === depositId,
  );
}

/** Money that the pool gave back to a depositor: of all its unfilled deposits of that token in one bundle. */
export type Refund = { txHash: Hash; amount: bigint; block: bigint };

/** Blocks are included. @throws AppError `provider_unavailable` */
export async function findRefunds(
  origin: EvmChain,
  { depositor, token }: { depositor: Address; token: Address },
  from: bigint,
  to: bigint,
): Promise<Refund[]> {
  const topics = encodeEventTopics({
    abi,
    eventName: 'ExecutedRelayerRefundRoot',
    args: { chainId: BigInt(origin.facts.chainId) },
  });
  const logs = await logsOf(origin, acrossOf(origin).pool, topics as Hex[], from, to);
  const refunds = logs.flatMap((log) => {
    const { args } = decodeEventLog({
      abi,
      eventName: 'ExecutedRelayerRefundRoot',
      topics: log.topics,
      data: log.data,
    });
    // A deferred refund is claimed later: it has not reached the wallet.
    if (args.l2TokenAddress.toLowerCase() !== token.toLowerCase() || args.deferredRefunds) return [];
    const amount = args.refundAddresses.reduce(
      (sum, address, index) =>
        address.toLowerCase() === depositor.toLowerCase() ? sum + (args.refundAmounts[index] ?? 0n) : sum,
      0n,
    );
    return amount > 0n ? [{ txHash: log.transactionHash, amount, block: BigInt(log.blockNumber) }] : [];
  });
  // One transaction may publish several leaves.
  const sums = new Map<Hash, Refund>();
  for (const refund of refunds) {
    const amount = refund.amount + (sums.get(refund.txHash)?.amount ?? 0n);
    sums.set(refund.txHash, { ...refund, amount });
  }
  return [...sums.values()];
}

// RPC methods about the chain itself: slots, blocks, hashes, fees, the node.
import { z } from 'zod';
import { feeOf, priorityPriceOf } from '../fees.ts';
import {
  type Block,
  blockAt,
  firstBlockOf,
  HASH_AGE,
  hashOf,
  isHashValid,
  type Ledger,
  SLOTS_PER_EPOCH,
} from '../ledger.ts';
import { blockCleanedUp, blockNotAvailable, invalidParams, nodeBehind, slotSkipped } from '../rpcErrors.ts';
import { decodeMessage, decodeTransaction, WireError } from '../wire.ts';
import {
  API_VERSION,
  address,
  blockFor,
  contextConfig,
  contextFields,
  hash,
  type Method,
  method,
  settledBlockFor,
  slotNumber,
  type View,
  withContext,
} from './params.ts';
import { encodeTransaction, transactionConfig } from './transactionAnswers.ts';

const MOST_BLOCKS = 500_000;
const FEE_SLOTS = 150;

export const CHAIN_METHODS: Record<string, Method> = {
  getHealth: method([], ({ behind }) => {
    if (behind > 0) throw nodeBehind(behind);
    return 'ok';
  }),
  getVersion: method([], () => ({ 'feature-set': 0, 'solana-core': API_VERSION })),
  getIdentity: method([], ({ ledger }) => ({ identity: hashOf(ledger, 'identity') })),
  getGenesisHash: method([], ({ ledger }) => hashOf(ledger, 'genesis')),
  getSlot: method([contextConfig], (view, config) => blockFor(view, config).slot),
  getBlockHeight: method([contextConfig], (view, config) => blockFor(view, config).height),
  getTransactionCount: method([contextConfig], ({ ledger }) => ledger.transactionCount),
  getFirstAvailableBlock: method([], ({ ledger }) => firstBlockOf(ledger)),
  minimumLedgerSlot: method([], ({ ledger }) => firstBlockOf(ledger)),
  getEpochInfo: method([contextConfig], (view, config) => {
    const { slot, height } = blockFor(view, config);
    return {
      absoluteSlot: slot,
      blockHeight: height,
      epoch: Math.floor(slot / SLOTS_PER_EPOCH),
      slotIndex: slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: view.ledger.transactionCount,
    };
  }),
  getLatestBlockhash: method([contextConfig], (view, config) => {
    const block = blockFor(view, config);
    return withContext(block, { blockhash: block.hash, lastValidBlockHeight: block.height + HASH_AGE });
  }),
  isBlockhashValid: method([hash, contextConfig], (view, blockhash, config) => {
    const block = blockFor(view, config);
    return withContext(block, isHashValid(view.ledger, blockhash, block.height));
  }),
  getMinimumBalanceForRentExemption: method([slotNumber, contextConfig], ({ ledger }, bytes) =>
    Number(ledger.svm.minimumBalanceForRentExemption(BigInt(bytes))),
  ),
  getFeeForMessage: method([z.string(), contextConfig], (view, text, config) => {
    const block = blockFor(view, config);
    const message = readMessage(text);
    const isValid = isHashValid(view.ledger, message.recentBlockhash, block.height);
    return withContext(block, isValid ? feeOf(message) : null);
  }),
  getRecentPrioritizationFees: method([z.array(address).max(128).optional()], (view, addresses) =>
    recentFees(view, addresses ?? []),
  ),
  getBlockTime: method([slotNumber], (view, slot) => Math.floor(findBlock(view, slot, 'finalized').timeMs / 1_000)),
  getBlocks: method(
    [slotNumber, z.union([slotNumber, z.object(contextFields)]).optional(), contextConfig],
    (view, start, second, third) => {
      const config = typeof second === 'object' ? second : third;
      const last = settledBlockFor(view, config).slot;
      const end = Math.min(typeof second === 'number' ? second : last, last);
      if (end - start > MOST_BLOCKS) throw invalidParams(`Slot range too large; max ${MOST_BLOCKS}`);
      return [...view.ledger.blocks.keys()].filter((slot) => slot >= start && slot <= end);
    },
  ),
  getBlock: method([slotNumber, z.union([z.string(), blockConfig()]).optional()], (view, slot, given) => {
    const config = readBlockConfig(given);
    const { commitment } = config;
    if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`');
    const block = findBlock(view, slot, commitment ?? 'finalized');
    return { ...blockAnswer(view.ledger, block), ...blockContent(view.ledger, block, config) };
  }),
};

function blockConfig() {
  return transactionConfig.extend({
    transactionDetails: z.enum(['full', 'accounts', 'signatures', 'none']).optional(),
    rewards: z.boolean().optional(),
  });
}

type BlockConfig = z.infer<ReturnType<typeof blockConfig>>;

function readBlockConfig(given: string | BlockConfig | undefined): BlockConfig {
  if (typeof given === 'object') return given;
  const parsed = blockConfig().safeParse({ encoding: given });
  if (!parsed.success) throw invalidParams(`Invalid params: params[1]: ${parsed.error.issues[0]?.message}`);
  return parsed.data;
}

function blockAnswer({ blocks, ...ledger }: Ledger, block: Block) {
  return {
    blockHeight: block.height,
    blockTime: Math.floor(block.timeMs / 1_000),
    blockhash: block.hash,
    parentSlot: block.parent,
    previousBlockhash: blocks.get(block.parent)?.hash ?? hashOf({ ...ledger, blocks }, `slot ${block.parent}`),
  };
}

function blockContent(ledger: Ledger, block: Block, config: BlockConfig) {
  const { transactionDetails = 'full', rewards = true } = config;
  const list = rewards ? { rewards: [] } : {};
  if (transactionDetails === 'none') return list;
  if (transactionDetails === 'signatures') return { ...list, signatures: block.signatures };
  if (transactionDetails === 'accounts')
    throw invalidParams('Invalid params: transactionDetails `accounts` is not supported by the local chain');
  const landed = block.signatures.flatMap((one) => ledger.transactions.get(one) ?? []);
  return {
    ...list,
    transactions: landed.map((one) => {
      const { slot: _slot, blockTime: _time, ...answer } = encodeTransaction(one, config);
      return answer;
    }),
  };
}

function findBlock({ ledger, behind }: View, slot: number, commitment: 'confirmed' | 'finalized'): Block {
  if (slot > blockAt(ledger, commitment, behind).slot) throw blockNotAvailable(slot);
  const block = ledger.blocks.get(slot);
  if (block) return block;
  const first = firstBlockOf(ledger);
  if (slot < first) throw blockCleanedUp(slot, first);
  throw slotSkipped(slot);
}

/** The least price that got a transaction on these accounts into each recent block. */
function recentFees({ ledger, behind, priorityFee }: View, addresses: readonly string[]) {
  const end = ledger.recent.length - behind;
  return ledger.recent.slice(Math.max(0, end - FEE_SLOTS), end).map(({ slot, signatures }) => {
    if (priorityFee !== null) return { slot, prioritizationFee: priorityFee };
    const prices = signatures.flatMap((one) => {
      const landed = ledger.transactions.get(one);
      if (!landed || !addresses.every((key) => landed.keys.includes(key))) return [];
      return [priorityPriceOf(decodeTransaction(landed.raw).message)];
    });
    return { slot, prioritizationFee: prices.length > 0 ? Math.min(...prices) : 0 };
  });
}

function readMessage(text: string) {
  try {
    return decodeMessage(Buffer.from(text, 'base64'));
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw invalidParams(`failed to deserialize solana_message::versioned::VersionedMessage: ${error.message}`);
  }
}

// The program's accounts as it keeps them: decoders of contracts/solana/src/state.rs.
import { type Bytes32, bytes32, decode, type Fields, sizeOf, type Values } from './codec.ts';

const HEAD = { kind: 'u8', bump: 'u8' } as const;

const CONFIG = {
  ...HEAD,
  spenderBump: 'u8',
  vaultBump: 'u8',
  shardBits: 'u8',
  nextShardBits: 'u8',
  reserved: 'pad:2',
  owner: 'address',
  proposedOwner: 'address',
  guardian: 'address',
  authority: 'address',
  nextAuthority: 'address',
  treasury: 'address',
  nextTreasury: 'address',
  usdc: 'address',
  vaultUsdc: 'address',
  vaultWrapped: 'address',
  nextAuthorityAt: 'u64',
  authorityChangedAt: 'u64',
  nextTreasuryAt: 'u64',
  pausedFrom: 'u64',
  pausedUntil: 'u64',
  shardsFrom: 'u64',
} as const satisfies Fields;
const EXECUTOR = { key: 'address', activeFrom: 'u64' } as const satisfies Fields;
const MOST_EXECUTORS = 8;

const LIMITS = {
  ...HEAD,
  paused: 'flag',
  reserved: 'pad:5',
  owner: 'address',
  rentTo: 'address',
  nonce: 'u64',
} as const satisfies Fields;
const ASSET_LIMITS = {
  perTip: 'u64',
  perDay: 'u64',
  maxFee: 'u64',
  slice0: 'u64',
  slice1: 'u64',
  slice2: 'u64',
  slice3: 'u64',
  slice4: 'u64',
  newest: 'u64',
} as const satisfies Fields;

const BUCKET = {
  ...HEAD,
  shard: 'u8',
  reserved: 'pad:1',
  levels: 'u32',
  hour: 'u64',
  keys: 'u64',
} as const satisfies Fields;

const TAB = {
  ...HEAD,
  asset: 'u8',
  revocable: 'flag',
  reserved: 'pad:4',
  id: 'bytes32',
  sender: 'address',
  handleKey: 'bytes32',
  rentTo: 'address',
  amount: 'u64',
  deadline: 'u64',
  openedAt: 'u64',
} as const satisfies Fields;

const ORDER = {
  ...HEAD,
  settled: 'flag',
  reserved: 'pad:5',
  rentTo: 'address',
  depositRentTo: 'address',
  refunded: 'u64',
  settledAt: 'u64',
} as const satisfies Fields;

const PLAN = {
  ...HEAD,
  state: 'u8',
  reserved: 'pad:1',
  period: 'u32',
  amount: 'u64',
  key: 'bytes32',
  creator: 'address',
  rentTo: 'address',
} as const satisfies Fields;

const SUBSCRIPTION = {
  ...HEAD,
  state: 'u8',
  reserved: 'pad:1',
  period: 'u32',
  charges: 'u64',
  startedAt: 'u64',
  lastChargedAt: 'u64',
  nextChargeAt: 'u64',
  plan: 'bytes32',
  subscriber: 'address',
  creator: 'address',
  rentTo: 'address',
} as const satisfies Fields;

const CAMPAIGN = {
  ...HEAD,
  asset: 'u8',
  closed: 'flag',
  recipients: 'u32',
  id: 'bytes32',
  sponsor: 'address',
  limits: 'address',
  rentTo: 'address',
  total: 'u64',
  spent: 'u64',
  mostPerGrant: 'u64',
  maxFee: 'u64',
  expiry: 'u64',
} as const satisfies Fields;
const CAMPAIGN_HEAD_SIZE = 216;

/** Byte 0 of an account's data. */
export const ACCOUNT_KINDS = {
  config: 1,
  limits: 2,
  bucket: 3,
  tab: 4,
  order: 5,
  plan: 6,
  subscription: 7,
  campaign: 8,
} as const;

function decodeKind<const F extends Fields>(kind: number, fields: F, data: Uint8Array): Values<F> | null {
  return data[0] === kind && data.length >= sizeOf(fields) ? decode(fields, data) : null;
}

export type ConfigAccount = Values<typeof CONFIG> & { executors: Values<typeof EXECUTOR>[] };

/** Null for an account of another kind, here and below. */
export function decodeConfig(data: Uint8Array): ConfigAccount | null {
  const config = decodeKind(ACCOUNT_KINDS.config, CONFIG, data);
  if (!config) return null;
  const executors = Array.from({ length: MOST_EXECUTORS }, (_, at) =>
    decode(EXECUTOR, data, sizeOf(CONFIG) + at * sizeOf(EXECUTOR)),
  );
  return { ...config, executors: executors.filter(({ activeFrom }) => activeFrom > 0n) };
}

export type AssetLimits = { perTip: bigint; perDay: bigint; maxFee: bigint; slices: bigint[]; newest: bigint };
export type LimitsAccount = Values<typeof LIMITS> & { usdc: AssetLimits; wrapped: AssetLimits };

export function decodeLimits(data: Uint8Array): LimitsAccount | null {
  const limits = decodeKind(ACCOUNT_KINDS.limits, LIMITS, data);
  if (!limits) return null;
  const assetAt = (at: number): AssetLimits => {
    const { perTip, perDay, maxFee, newest, ...slices } = decode(
      ASSET_LIMITS,
      data,
      sizeOf(LIMITS) + at * sizeOf(ASSET_LIMITS),
    );
    return { perTip, perDay, maxFee, newest, slices: Object.values(slices) };
  };
  return { ...limits, usdc: assetAt(0), wrapped: assetAt(1) };
}

const SLICE_SECONDS = 21_600n;

/** What counts against the limit of 24 hours at a Unix second: at least what the last 24 hours took. */
export function spentOf(limits: AssetLimits, nowSeconds: bigint): bigint {
  const passed = Number(nowSeconds / SLICE_SECONDS - limits.newest);
  return limits.slices.slice(0, Math.max(0, limits.slices.length - passed)).reduce((sum, slice) => sum + slice, 0n);
}

export const decodeBucket = (data: Uint8Array) => decodeKind(ACCOUNT_KINDS.bucket, BUCKET, data);
export const decodeTab = (data: Uint8Array) => decodeKind(ACCOUNT_KINDS.tab, TAB, data);
export const decodeOrder = (data: Uint8Array) => decodeKind(ACCOUNT_KINDS.order, ORDER, data);
export const decodePlan = (data: Uint8Array) => decodeKind(ACCOUNT_KINDS.plan, PLAN, data);
export const decodeSubscription = (data: Uint8Array) => decodeKind(ACCOUNT_KINDS.subscription, SUBSCRIPTION, data);

/** Whether a recipient of a campaign has its grant. */
export function isGranted(data: Uint8Array, index: number): boolean {
  return ((data[CAMPAIGN_HEAD_SIZE + (index >> 3)] ?? 0) & (1 << (index & 7))) !== 0;
}
export const decodeCampaign = (data: Uint8Array) => decodeKind(ACCOUNT_KINDS.campaign, CAMPAIGN, data);

const BUCKET_HEAD_SIZE = 24;
const FIRST_LEVEL_SLOTS = 16;
const LARGEST_LEVEL = 5;

/** Whether a bucket has the first 16 bytes of a message key. */
export function holdsKey(data: Uint8Array, messageKey: Bytes32): boolean {
  const bucket = decodeBucket(data);
  if (!bucket) return false;
  const stored = Buffer.from(messageKey.slice(2, 34), 'hex');
  const hash = bytes32(messageKey).readBigUInt64LE(16);
  let at = BUCKET_HEAD_SIZE;
  for (let level = 0; level < bucket.levels; level++) {
    const slots = FIRST_LEVEL_SLOTS << Math.min(level, LARGEST_LEVEL);
    const group = at + 40 + Number(hash & BigInt(slots / 8 - 1)) * 8 * 16;
    for (let slot = 0; slot < 8; slot++)
      if (stored.equals(data.subarray(group + slot * 16, group + slot * 16 + 16))) return true;
    at += 40 + 16 * slots;
  }
  return false;
}

/** Who paid for the levels of a bucket, each once: they get its rent when it is closed. */
export function payersOf(data: Uint8Array): string[] {
  const bucket = decodeBucket(data);
  if (!bucket) return [];
  const payers = new Set<string>();
  let at = BUCKET_HEAD_SIZE;
  for (let level = 0; level < bucket.levels; level++) {
    payers.add(decode({ payer: 'address' }, data, at).payer);
    at += 40 + 16 * (FIRST_LEVEL_SLOTS << Math.min(level, LARGEST_LEVEL));
  }
  return [...payers];
}

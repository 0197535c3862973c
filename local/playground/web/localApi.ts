// Client of the local stack's API: accounts, balances, traces, and resuming after a pause.
import type { Command } from '../../../src/domain/command/result.ts';
import type { OutgoingTxStatus } from '../../../src/domain/outgoing.ts';
import type { Doubt, Refusal } from '../../../src/domain/plan.ts';
import type { SmartStatus } from '../../../src/domain/smartLeg.ts';
import type { IntentStatus, TipStatus } from '../../../src/domain/tip.ts';

export type PlatformName = 'telegram' | 'discord' | 'x';

/** An account of the local stack. `on` is its connection by platform, or null. */
export type Resident = {
  name: string;
  handle: string | null;
  kind: 'personal' | 'business';
  address: string;
  solana_address: string;
  telegram: { id: number; username: string };
  discord: { id: string; username: string };
  x: { id: string; username: string };
  on: Record<PlatformName, { handle: string; can_spend: boolean } | null>;
};

/** An account with its state on one platform. */
export type Person = Resident & { connected: boolean; can_spend: boolean };

/** A platform that the stack doesn't run is null. */
export type Stack = {
  people: Resident[];
  telegram: { url: string; bot: { id: number; username: string }; group_chat_id: number };
  discord: { url: string; application_id: string; channel_id: string | null; guild_name: string } | null;
  x: { url: string; bot: { id: string; username: string } | null } | null;
  /** The chain ID of Solana is 0. */
  chains: { name: string; chain_id: number }[];
  treasury: string;
};

/** `amount` is a canonical decimal string. */
export type Balance = { name: string; address: string; chain: string; asset: string; amount: string };

/** The newest block of a chain, its slot on Solana. Null while the chain doesn’t answer; `at` is ISO 8601. */
export type NewestBlock = { chain: string; block: number | null; at: string | null };

export type Holdings = { balances: Balance[]; blocks: NewestBlock[] };

/** A transaction of the program on Solana, and what it did in words. */
export type Activity = { hash: string; slot: number; at: string | null; effects: string[] };

export type BalanceChange = { name: string; chain: string; asset: string; before: string; after: string };

export type Leg = {
  id: string;
  recipient: string;
  recipient_address: string;
  amount: string;
  fee: string;
  asset: string;
  chain: string;
  status: TipStatus;
  failure: Refusal | null;
  message_key: string;
  tx_hash: string | null;
  /** Its way to another network. */
  crossing: { chain: string; status: SmartStatus; bridge_fee: string } | null;
};

export type Transaction = {
  id: string;
  chain: string;
  executor: string;
  /** Null on Solana. */
  nonce: number | null;
  status: OutgoingTxStatus;
  block: number | null;
  hash: string | null;
  attempts: number;
  /** What it did, where its chain says it in words. */
  effects: string[];
};

export type Step = { at: string; resource: string; action: string; from: string; to: string };

export type IntentDetail = {
  refusal?: Refusal;
  plan?: { label: string; amount: string; fee: string; asset: string; chain: string }[];
  doubts?: Doubt[];
  refused?: { label: string; refusal: Refusal }[];
  waitingFor?: string;
};

/** Times are ISO 8601. `inbox` is null until the bot has stored the message. */
export type Trace = {
  key: string;
  inbox: { status: string; outcome: string | null; received_at: string; processed_at: string | null } | null;
  command: Command | null;
  intent: {
    id: string;
    status: IntentStatus;
    accepted_at: string;
    valid_until: string;
    detail: IntentDetail | null;
  } | null;
  legs: Leg[];
  transactions: Transaction[];
  steps: Step[];
  reply: {
    version: number;
    sent_version: number;
    message_id: string | null;
    sent_at: string | null;
    failure: string | null;
  } | null;
  balances: BalanceChange[];
};

export function fetchStack(): Promise<Stack> {
  return callJson('/api/local/stack');
}

export function fetchBalances(): Promise<Holdings> {
  return callJson('/api/local/balances');
}

export async function fetchActivity(): Promise<Activity[]> {
  const { transactions } = await callJson<{ transactions: Activity[] }>('/api/local/activity');
  return transactions;
}

/** A message by the IDs of its platform. */
export type MessageRef =
  | { platform: 'telegram'; chat_id: string; message_id: string }
  | { platform: 'discord'; message_id: string }
  | { platform: 'discord'; interaction_id: string }
  | { platform: 'x'; post_id: string };

export function fetchTrace(ref: MessageRef): Promise<Trace> {
  return callJson(`/api/local/trace?${new URLSearchParams(ref)}`);
}

export function peopleOn(stack: Stack, platform: PlatformName): Person[] {
  return stack.people.map((person) => {
    const connection = person.on[platform];
    return {
      ...person,
      handle: connection?.handle ?? person.handle,
      connected: connection !== null,
      can_spend: connection?.can_spend ?? false,
    };
  });
}

/** Resumes an account's spending, signed with its own wallet. */
export async function resumeSpending(name: string): Promise<{ chain: string; hash: string }[]> {
  const { transactions } = await callJson<{ transactions: { chain: string; hash: string }[] }>('/api/local/resume', {
    name,
  });
  return transactions;
}

const TIMEOUT_MS = 10_000;

/** @throws Error with a message to display */
export async function callJson<T>(url: string, body?: unknown): Promise<T> {
  const post = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const options = { ...(body === undefined ? {} : post), signal: AbortSignal.timeout(TIMEOUT_MS) };
  let response: Response;
  try {
    response = await fetch(url, options);
  } catch (cause) {
    throw new Error('The local stack isn’t responding. Is npm start still running?', { cause });
  }
  const answer = (await response.json().catch(() => null)) as unknown;
  if (!response.ok) throw new Error(messageOf(answer) ?? `The local stack answered with status ${response.status}.`);
  return answer as T;
}

function messageOf(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { error, description } = answer as { error?: { message?: string } | string; description?: string };
  return description ?? (typeof error === 'string' ? error : error?.message);
}

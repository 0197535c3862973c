// What a passkey is about to sign, in words for the person who presses. Only what is explained here is signed: each message is written again from what
// was read of it, and has to come out the same, for a contract of this deployment and for this very account.
import type { TypedData } from '../../../../src/domain/typedData.ts';
import type { ContractsView } from '../../../../src/http/api/configAnswers.ts';
import { WalletError } from '../requests.ts';
import { ACCOUNTS } from './explain/accounts.ts';
import { ESCROW } from './explain/escrow.ts';
import { ORDERS } from './explain/orders.ts';
import { type Explained, type Explainer, refused, type SignedMessage } from './explain/reading.ts';
import { SPENDING } from './explain/spending.ts';
import { SUBSCRIPTIONS } from './explain/subscriptions.ts';
import { TOKENS } from './explain/tokens.ts';

const EXPLAINERS: Record<string, Explainer> = {
  ...TOKENS,
  ...SPENDING,
  ...ORDERS,
  ...ESCROW,
  ...SUBSCRIPTIONS,
  ...ACCOUNTS,
};

/** @throws WalletError for anything else than a message of ours, from this account, for a contract of this deployment */
export function explain(data: TypedData, address: string, chains: readonly ContractsView[]): Explained {
  const chain = chains.find(({ chain_id }) => chain_id === Number(data.domain?.['chainId']));
  const explainer = Object.hasOwn(EXPLAINERS, data.primaryType) ? EXPLAINERS[data.primaryType] : undefined;
  if (!chain || !explainer) throw refused();
  try {
    for (const value of Object.values(data.message)) if (typeof value === 'object') throw refused();
    const found = explainer(data.message as SignedMessage, { chain, chains, address }, data);
    if (found && isSame(found.again, data)) return found.words;
  } catch (error) {
    throw error instanceof WalletError ? error : refused(error);
  }
  throw refused();
}

/** Members in any order; numbers of the domain as they are or as text. */
function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value === 'number') return JSON.stringify(String(value));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
}

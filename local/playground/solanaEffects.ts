// What transactions on Solana did, as the program's events say, in words.
import type { SolanaChain } from '../../src/chain/solana/client.ts';
import type { ProgramEvent } from '../../src/chain/solana/events.ts';
import { receiptOfSolana } from '../../src/chain/solana/transactions.ts';
import { formatUnits } from '../../src/domain/money.ts';

/** Names of wallets by address. */
export type Names = ReadonlyMap<string, string>;

/** Of a transaction that landed, in its order; why, of one that failed; nothing of one that is not there. */
export async function solanaEffects(chain: SolanaChain, signature: string, names: Names): Promise<string[]> {
  const receipt = await receiptOfSolana(chain, signature);
  if (!receipt) return [];
  if (receipt.reason) return [`Failed: ${receipt.reason.name}`];
  return receipt.events.map((event) => effectOf(event, names));
}

const DECIMALS = { USDC: 6, 'wrapped SOL': 9, SOL: 9 } as const;
const ASSETS = ['USDC', 'wrapped SOL', 'SOL'] as const;

export function effectOf(event: ProgramEvent, names: Names): string {
  const who = (address: string) => names.get(address) ?? `${address.slice(0, 4)}…${address.slice(-4)}`;
  const sum = ({ asset, amount }: { asset: number; amount: bigint }) => {
    const symbol = ASSETS[asset] ?? 'USDC';
    return `${formatUnits(amount, DECIMALS[symbol])} ${symbol}`;
  };
  switch (event.name) {
    case 'tipSettled':
      return `${who(event.sender)} tipped ${who(event.recipient)} ${sum(event)}, fee ${sum({ ...event, amount: event.fee })}`;
    case 'tabTipSettled':
      return `${who(event.sender)} tipped into a tab: ${sum(event)}`;
    case 'tabOpened':
      return `${who(event.sender)} opened a tab of ${sum(event)}`;
    case 'tabClaimed':
      return `${who(event.recipient)} claimed a tab of ${sum(event)}`;
    case 'tabRefunded':
      return `A tab of ${sum(event)} went back to ${who(event.sender)}`;
    case 'limitsSet': {
      const of = (amount: bigint) => sum({ ...event, amount });
      return `${who(event.owner)} set limits: ${of(event.perTip)} a tip, ${of(event.perDay)} in 24 hours`;
    }
    case 'pausedSet':
      return `${who(event.owner)}’s spending was ${event.paused ? 'paused' : 'resumed'} by ${who(event.by)}`;
    case 'paymentSettled':
      return `${who(event.payer)} paid ${who(event.payee)} ${sum(event)} for an order`;
    case 'grantPaid':
      return `A campaign granted ${who(event.recipient)} ${sum(event)}`;
    case 'charged':
      return `${who(event.subscriber)} was charged ${sum({ asset: 0, amount: event.amount })} by ${who(event.creator)}`;
    case 'roleSet':
      return `Role of ${ROLES[event.role] ?? 'unknown'}: ${who(event.key)}`;
    default:
      return wordsOf(event.name);
  }
}

/** By the numbers of the interface. */
const ROLES = [
  '',
  'owner',
  'proposed owner',
  'guardian',
  'executor',
  'removed executor',
  'next handle authority',
  'handle authority',
  'next treasury',
  'treasury',
];

/** `planStateSet` is “Plan state set”. */
function wordsOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

const MOST = 12;

export type Activity = { hash: string; slot: number; at: string | null; effects: string[] };

/** The newest transactions of the program, of all senders. */
export async function solanaActivity(chain: SolanaChain, rpcUrl: string, names: Names): Promise<Activity[]> {
  const body = { jsonrpc: '2.0', id: 1, method: 'getSignaturesForAddress' };
  const params = [chain.program.id, { limit: MOST, commitment: 'confirmed' }];
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, params }),
    signal: AbortSignal.timeout(5_000),
  });
  const { result = [] } = (await response.json()) as {
    result?: { signature: string; slot: number; blockTime: number | null }[];
  };
  const rows = result.map(async ({ signature, slot, blockTime }) => ({
    hash: signature,
    slot,
    at: blockTime === null ? null : new Date(blockTime * 1_000).toISOString(),
    effects: await solanaEffects(chain, signature, names),
  }));
  return (await Promise.all(rows)).filter(({ effects }) => effects.length > 0);
}

// What WebSocket clients have subscribed to, and what they are sent when blocks reach the commitment that they wait for.
import { z } from 'zod';
import { accountAt } from './accounts.ts';
import {
  type Account,
  type Block,
  blockAt,
  type Commitment,
  type LandedTransaction,
  type Ledger,
  openBlockOf,
} from './ledger.ts';
import { accountConfig, encodeAccount } from './methods/accountAnswers.ts';
import { matcherOf, programConfig } from './methods/accounts.ts';
import { API_VERSION, address, contextConfig, contextFields, method, signature } from './methods/params.ts';

/** A subscription: what it is sent, each as the result of a notification. */
type Wants = {
  commitment: Commitment;
  landed?(landed: LandedTransaction): unknown;
  account?(address: string, account: Account | null, read: (address: string) => Account | null): unknown;
  received?(signature: string): unknown;
  slot?(ledger: Ledger): unknown;
  root?(slot: number): unknown;
  /** What it waits for may be there already. */
  signature?: string;
};
export type Subscription = Wants & { id: number; notification: string; isOnce: boolean; send(message: object): void };
export type Subscriptions = {
  /** @throws RpcError for parameters that do not fit. @returns its id, and what to run once the client knows it */
  add(kind: string, params: unknown[], send: (message: object) => void): { id: number; started(): void };
  remove(id: number): boolean;
  size(): number;
  close(): void;
};

const NONE = undefined;
const mentions = z.union([
  z.literal(['all', 'allWithVotes']),
  z.strictObject({ mentions: z.array(address).length(1, 'Invalid params: Only 1 address supported') }),
]);

/** What a subscription of each kind wants, from its parameters. */
const KINDS: Record<string, (params: unknown[]) => Wants> = {
  signature: reader(
    [signature, z.object({ ...contextFields, enableReceivedNotification: z.boolean().optional() }).optional()],
    (name, config): Wants => ({
      commitment: config?.commitment ?? 'finalized',
      signature: name,
      landed: (one) => (one.signature === name ? { err: one.error } : NONE),
      ...(config?.enableReceivedNotification
        ? { received: (one: string) => (one === name ? 'receivedSignature' : NONE) }
        : {}),
    }),
  ),
  account: reader(
    [address, accountConfig.optional()],
    (key, config): Wants => ({
      commitment: config?.commitment ?? 'finalized',
      account: (changed, account, read) => {
        if (changed !== key) return NONE;
        return account ? encodeAccount(account, config, read) : encodeAccount(EMPTY, config, read);
      },
    }),
  ),
  program: reader([address, programConfig.optional()], (program, config): Wants => {
    const matches = matcherOf(config?.filters ?? []);
    return {
      commitment: config?.commitment ?? 'finalized',
      account: (pubkey, account, read) => {
        if (account?.owner !== program || !matches(account)) return NONE;
        return { pubkey, account: encodeAccount(account, config, read) };
      },
    };
  }),
  logs: reader(
    [mentions, contextConfig],
    (wanted, config): Wants => ({
      commitment: config?.commitment ?? 'finalized',
      landed: ({ signature: name, error, logs, keys }) => {
        const isWanted = typeof wanted === 'string' || keys.includes(wanted.mentions[0] as string);
        return isWanted ? { signature: name, err: error, logs } : NONE;
      },
    }),
  ),
  slot: reader(
    [],
    (): Wants => ({
      commitment: 'processed',
      slot: (ledger) => {
        const { slot, parent } = openBlockOf(ledger);
        return { parent, root: blockAt(ledger, 'finalized').slot, slot };
      },
    }),
  ),
  root: reader([], (): Wants => ({ commitment: 'finalized', root: (slot) => slot })),
};
const EMPTY: Account = {
  lamports: 0n,
  owner: '11111111111111111111111111111111',
  data: new Uint8Array(),
  executable: false,
};
export const isSubscriptionKind = (kind: string) => Object.hasOwn(KINDS, kind);

function reader<const Items extends readonly z.ZodType[]>(
  items: Items,
  wants: (...params: { [At in keyof Items]: z.infer<Items[At]> }) => Wants,
): (params: unknown[]) => Wants {
  const read = method(items, (_, ...params) => wants(...params));
  return (params) => read(null as never, params) as Wants;
}

export function openSubscriptions(ledger: Ledger): Subscriptions {
  const subscriptions = new Map<number, Subscription>();
  let nextId = 1;
  const reached = { confirmed: blockAt(ledger, 'confirmed').slot, finalized: blockAt(ledger, 'finalized').slot };

  function notify(subscription: Subscription, slot: number | null, value: unknown): void {
    if (value === undefined) return;
    const result = slot === null ? value : { context: { apiVersion: API_VERSION, slot }, value };
    const { id, notification } = subscription;
    if (subscription.isOnce && value !== 'receivedSignature') subscriptions.delete(id);
    subscription.send({ jsonrpc: '2.0', method: notification, params: { result, subscription: id } });
  }
  const those = (commitment: Commitment) => [...subscriptions.values()].filter((one) => one.commitment === commitment);

  function notifyAccounts(commitment: Commitment, slot: number, changed: Iterable<string>): void {
    const wanting = those(commitment).filter(({ account }) => account);
    if (wanting.length === 0) return;
    const read = (key: string) => accountAt(ledger, key, slot);
    for (const key of changed) {
      const account = read(key);
      for (const one of wanting) notify(one, slot, one.account?.(key, account, read));
    }
  }

  function notifyBlock(commitment: Commitment, block: Block): void {
    for (const one of those(commitment)) {
      for (const name of block.signatures) {
        const landed = ledger.transactions.get(name);
        if (landed && subscriptions.has(one.id)) notify(one, block.slot, one.landed?.(landed));
      }
    }
    notifyAccounts(commitment, block.slot, block.changed);
    if (commitment === 'finalized') for (const one of those(commitment)) notify(one, null, one.root?.(block.slot));
  }

  const events = {
    transaction(landed: LandedTransaction, changed: readonly string[]) {
      for (const one of those('processed')) notify(one, landed.slot, one.landed?.(landed));
      notifyAccounts('processed', landed.slot, changed);
    },
    received(name: string) {
      const { slot } = openBlockOf(ledger);
      for (const one of [...subscriptions.values()]) notify(one, slot, one.received?.(name));
    },
    slot() {
      for (const one of those('processed')) notify(one, null, one.slot?.(ledger));
      for (const commitment of ['confirmed', 'finalized'] as const) {
        const { slot } = blockAt(ledger, commitment);
        const blocks = ledger.recent.filter((block) => block.slot > reached[commitment] && block.slot <= slot);
        reached[commitment] = slot;
        for (const block of blocks) notifyBlock(commitment, block);
      }
    },
    forked(changed: ReadonlySet<string>) {
      notifyAccounts('processed', openBlockOf(ledger).slot, changed);
      notifyAccounts('confirmed', blockAt(ledger, 'confirmed').slot, changed);
    },
  };
  ledger.events.add(events);

  return {
    add(kind, params, send) {
      const wants = KINDS[kind]?.(params) as Wants;
      const subscription = {
        ...wants,
        id: nextId++,
        notification: `${kind}Notification`,
        isOnce: kind === 'signature',
        send,
      };
      subscriptions.set(subscription.id, subscription);
      return {
        id: subscription.id,
        started() {
          const landed = wants.signature === undefined ? undefined : ledger.transactions.get(wants.signature);
          if (landed && landed.slot <= blockAt(ledger, wants.commitment).slot)
            notify(subscription, landed.slot, wants.landed?.(landed));
        },
      };
    },
    remove: (id) => subscriptions.delete(id),
    size: () => subscriptions.size,
    close() {
      ledger.events.delete(events);
      subscriptions.clear();
    },
  };
}

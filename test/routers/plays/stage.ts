// Plays one operation on a chain and in the model, and compares what both say and hold.
import fc from 'fast-check';
import { encodeFunctionData, erc20Abi, maxUint256, parseAbi } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { USDC_ROLE } from '../../../local/chains/deploy/usdc.ts';
import { localKey } from '../../../local/stack/people.ts';
import { ROLES } from '../../../local/stack/roles.ts';
import type { Address, Hex, TransactionReceipt } from '../../../src/chain/rpc/client.ts';
import type { TypedData } from '../../../src/domain/typedData.ts';
import type { LocalChainWorld } from '../../setup/localChain.ts';
import {
  agrees,
  attempt,
  FEE_TO,
  type Model,
  type Party,
  REFUSER,
  type Reasons,
  type Router,
} from '../model/ledger.ts';

export const PEOPLE = ['alice', 'bob', 'carol', 'dave'] as const;
const KEYS = new Map<Party, PrivateKeyAccount>(
  [
    ...PEOPLE.map((name) => [name, localKey(name).key] as const),
    ['authority', ROLES.authority.key] as const,
    ['authority2', localKey('another authority').key] as const,
  ].map(([name, key]) => [name, privateKeyToAccount(key)]),
);

export type Play = {
  label: string;
  /** Seconds that pass before. */
  wait: number;
  run(stage: Stage): Promise<void>;
};
export type Stage = {
  m: Model;
  local: LocalChainWorld;
  /** When this run began, Unix seconds. */
  start: bigint;
  at(party: Party): Address;
  /** Counts what needs a number that was never used. */
  count: number;
  /** How often each outcome was seen. */
  seen: Map<string, number>;
};

/** Everybody's addresses; deposit addresses are added by the orders. */
export function addressBook(local: LocalChainWorld): Map<Party, Address> {
  const { chain } = local;
  const book = new Map<Party, Address>([
    ['owner', ROLES.owner.address],
    ['guardian', ROLES.guardian.address],
    [FEE_TO, ROLES.treasury.address],
    ['executor', ROLES.executors[0]?.address as Address],
    [REFUSER, '0x00000000000000000000000000000000000fa017'],
    ['permit2', chain.permit2],
    ['usdc', chain.usdc],
    ['wrapped', chain.wrappedNative],
    ['issuer', USDC_ROLE.address],
  ]);
  for (const [name, key] of KEYS) book.set(name, key.address);
  for (const [name, address] of Object.entries(chain.routers)) book.set(`router:${name}`, address);
  return book;
}

export async function signAs(party: Party, data: TypedData): Promise<Hex> {
  const key = KEYS.get(party);
  if (!key) throw new Error(`${party} has no key here`);
  return key.signTypedData(data as never);
}

/** Sends it, asks the model, and throws where they differ. @returns the receipt */
export async function perform(
  stage: Stage,
  label: string,
  call: { from: Party; to: Party; data: Hex; value?: bigint },
  rule: (m: Model, receipt: TransactionReceipt) => Reasons,
): Promise<TransactionReceipt> {
  const { m, local, at, seen } = stage;
  const { reason, receipt } = await local.send({ ...call, from: at(call.from), to: at(call.to) });
  const actual = reason?.name ?? null;
  const said = attempt(m, actual, (draft) => rule(draft, receipt));
  const kind = `${label.split(' ')[0]}: ${actual ?? 'ok'}`;
  seen.set(kind, (seen.get(kind) ?? 0) + 1);
  if (!agrees(said, actual)) {
    throw new Error(
      `${label}: the contract says ${describe(actual, reason?.text)}, the model ${said.join(', ') || 'yes'}`,
    );
  }
  return receipt;
}

function describe(actual: string | null, text?: string): string {
  return actual === null ? 'yes' : `${actual}${text ? ` (${text})` : ''}`;
}

export const who = fc.constantFrom(...PEOPLE);
/** Mostly the one who should; sometimes anybody. */
export const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(usual, ...others) });

/** Mostly null. */
export const rarely = <T>(other: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: other });

const usdcAbi = parseAbi(['function blacklist(address account)', 'function unBlacklist(address account)']);
const pauseAbi = parseAbi(['function pause()', 'function unpause()']);
const SPENDERS = ['bot', 'escrow', 'payment', 'business', 'subscription', 'permit2'] as const;

/** What is not of one router: approvals, the token's blacklist, pauses. */
export const commonPlays: fc.Arbitrary<Omit<Play, 'wait'>> = fc.oneof(
  fc
    .record({
      owner: who,
      spender: fc.constantFrom(...SPENDERS),
      token: fc.constantFrom('usdc' as const, 'wrapped' as const),
      amount: fc.constantFrom(0n, 2_000_000n, 10n ** 9n, maxUint256 / 2n),
    })
    .map(({ owner, spender, token, amount }) => {
      const party = spender === 'permit2' ? spender : `router:${spender}`;
      const label = `approve ${owner} ${spender} ${token} ${amount}`;
      return {
        label,
        run: async (stage: Stage) => {
          const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [stage.at(party), amount] });
          await perform(stage, label, { from: owner, to: token, data }, (m) => {
            m.allowances.set(`${token} ${owner} ${party}`, amount);
            return [];
          });
        },
      };
    }),
  fc
    .record({ victim: fc.constantFrom(...PEOPLE, FEE_TO), on: fc.constantFrom(true, false, false) })
    .map(({ victim, on }) => {
      const label = `blacklist ${victim} ${on}`;
      return {
        label,
        run: async (stage: Stage) => {
          const functionName = on ? 'blacklist' : 'unBlacklist';
          const data = encodeFunctionData({ abi: usdcAbi, functionName, args: [stage.at(victim)] });
          await perform(stage, label, { from: 'issuer', to: 'usdc', data }, (m) => {
            if (on) m.blacklist.add(victim);
            else m.blacklist.delete(victim);
            return [];
          });
        },
      };
    }),
  fc
    .record({
      router: fc.constantFrom<Router>('bot', 'escrow', 'payment', 'business', 'subscription'),
      on: fc.constantFrom(true, false, false),
      caller: mostly('owner', 'guardian', 'executor', 'alice'),
    })
    .map(({ router, on, caller }) => {
      const label = `pause ${router} ${on} by ${caller}`;
      return {
        label,
        run: async (stage: Stage) => {
          const data = encodeFunctionData({ abi: pauseAbi, functionName: on ? 'pause' : 'unpause' });
          await perform(stage, label, { from: caller, to: `router:${router}`, data }, (m) => {
            if (on) m.paused.add(router);
            else m.paused.delete(router);
            if (caller === 'owner' || (on && caller === 'guardian')) return [];
            return [on ? 'NotGuardian' : 'NotOwner'];
          });
        },
      };
    }),
);

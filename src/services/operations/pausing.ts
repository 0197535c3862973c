// The watchdog's pauses of the bot router on EVM chains, where what was signed for them is made worthless afterwards.
import type { PrivateKeyAccount } from '../../chain/rpc/client.ts';
import {
  type Bids,
  cancelPauses,
  guardianNonce,
  guardianProblem,
  ownNonce,
  sendPause,
  standingOf,
} from '../../chain/watch/pausing.ts';
import type { Ctx } from '../../context.ts';
import { type Debt, noteGuardian, openDebt, payDebt } from './pauseDebt.ts';
import type { Watch } from './watching.ts';
import { enoughOf } from './watchRows.ts';

export type Pauses = Debt & {
  guardian: PrivateKeyAccount;
  /** Signed, and not known to be in a block. */
  bids: Bids;
  /** The guardian's next nonce, as enough endpoints named it last. */
  nonce: number | null;
};

export function openPauses(guardian: PrivateKeyAccount): Pauses {
  return { ...openDebt(), guardian, bids: new Map(), nonce: null };
}

/** One round of what is owed, by one endpoint; once nothing is, what was signed for it is made worthless. @returns how much is owed after it */
export async function pauseBy(ctx: Ctx, watch: Watch, pauses: Pauses, number: number): Promise<number> {
  const { chain } = watch;
  const { guardian, bids, nonce: known } = pauses;
  const client = chain.endpoints[number];
  if (!client) return 0;
  if (pauses.owed.size === 0) {
    if (number === 0 && bids.size > 0) await cancelPauses(chain, guardian, { bids, known });
    return 0;
  }
  let own = Promise.resolve(0);
  return payDebt(ctx, watch, pauses, number, {
    // The nonce first: what another endpoint's round sends meanwhile is then at this nonce, where one of them lands, or in what stands.
    standing: async () => {
      own = ownNonce(client, guardian);
      await own.catch(() => undefined);
      return standingOf(client, chain);
    },
    send: async () => sendPause(chain, client, guardian, { bids, own: await own, known }),
  });
}

/** Notes whether the guardian could pause. */
export async function lookAtGuardian(ctx: Ctx, watch: Watch, pauses: Pauses): Promise<void> {
  const { chain, endpoints } = watch;
  const { guardian } = pauses;
  pauses.nonce = (await guardianNonce(chain, guardian, enoughOf(endpoints))) ?? pauses.nonce;
  const asked = chain.endpoints.map((client) => guardianProblem(client, chain, guardian));
  await noteGuardian(ctx, watch, guardian.address, asked);
}

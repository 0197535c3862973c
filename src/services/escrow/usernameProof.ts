// Whether a claim's person holds the username that an escrow names: by the platform's answer at the time of the claim, and again a day later. The
// signer judges by this, and so does the code that leads claims there.
import type { Db, Row, Tx } from '../../db.ts';
import { NAME_FRESH_MS, NAME_HOLD_MS } from '../../domain/escrow.ts';
import { readEscrowSlug } from '../../domain/escrowSlug.ts';

export type NameProof =
  /** There is no answer yet; the platform has to be queried about these accounts. */
  | { state: 'unknown'; accounts: Row<'Connection'>[] }
  /** The name was right at every look, from `since` (Unix milliseconds) on, but the time is not over, or the last look is too long ago. */
  | { state: 'held'; since: number; accounts: Row<'Connection'>[] }
  | { state: 'proven' }
  | { state: 'refused' };
type NamedClaim = Pick<Row<'Claim'>, 'id' | 'handleId' | 'usernameSlug' | 'createdAt'>;

/**
 * Every account of the handle on the platform counts by itself, while it stays connected. One check that found another name, or none, ends it:
 * another account may have held a name that was free for a moment.
 * @param now Unix milliseconds
 */
export async function proveName(db: Db | Tx, claim: NamedClaim, now: number): Promise<NameProof> {
  const slug = readEscrowSlug(claim.usernameSlug ?? '');
  if (slug?.kind !== 'username') return { state: 'refused' };
  const { platform, name } = slug;
  const [accounts, checks] = await Promise.all([
    db.connection.findMany({ where: { handleId: claim.handleId, platform, disconnectedAt: null } }),
    db.nameCheck.findMany({
      where: { claimId: claim.id, platform, checkedAt: { not: null } },
      orderBy: { checkedAt: 'asc' },
    }),
  ]);
  const proofs = accounts.map((account): NameProof => {
    const own = checks.filter((check) => check.platformUserId === account.platformUserId);
    const [first, last] = [own[0]?.checkedAt, own.at(-1)?.checkedAt];
    if (!first || !last) return { state: 'unknown', accounts: [account] };
    const connected = account.createdAt.getTime() <= first.getTime();
    const asked = first.getTime() >= claim.createdAt.getTime();
    if (!connected || !asked || own.some((check) => check.username !== name)) return { state: 'refused' };
    const long = last.getTime() - first.getTime() >= NAME_HOLD_MS;
    const fresh = now - last.getTime() <= NAME_FRESH_MS;
    return long && fresh ? { state: 'proven' } : { state: 'held', since: first.getTime(), accounts: [account] };
  });
  const inState = (state: NameProof['state']) => proofs.find((proof) => proof.state === state);
  return inState('proven') ?? inState('held') ?? unknown(proofs) ?? { state: 'refused' };
}

function unknown(proofs: NameProof[]): NameProof | null {
  const accounts = proofs.flatMap((proof) => (proof.state === 'unknown' ? proof.accounts : []));
  return accounts.length > 0 ? { state: 'unknown', accounts } : null;
}

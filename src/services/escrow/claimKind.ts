// Transactions that pay a claimed escrow out: checked against the chain and our rows once more, and what becomes of the claim when they end.
import { type ChainCall, isCallOver, simulateQueued } from '../../chain/calls.ts';
import type { Chain } from '../../chain/chain.ts';
import { proveTab } from '../../chain/tabs.ts';
import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import type { ClaimAction } from '../../domain/claim.ts';
import { AppError } from '../../domain/errors.ts';
import { lockSender } from '../locks.ts';
import { workingExecutor } from '../outgoing/keys.ts';
import type { OutgoingKind, Write } from '../outgoing/kinds.ts';
import { countSigned, queueCall } from '../outgoing/queue.ts';
import { transition, transitionOne } from '../transitions.ts';
import { wake } from '../wake.ts';
import { recipientOf, STATE_WORDS, termsOfClaim } from './claims.ts';

/** An attestation with less time left than this is not sent: it would run out on the way. */
const LAST_CLAIM_SECONDS = 60n;
/** Transactions of one claim that may fail before it is given up. */
const MOST_ATTEMPTS = 3;

/** Queues the transaction of a claim that was attested. */
export function queueClaim(ctx: Ctx, tx: Tx, { id, chain }: Row<'Claim'>, call: ChainCall): Promise<string> {
  return queueCall(ctx, tx, chain, { kind: 'claim', subjectId: id, ...call });
}

export const claimKind: OutgoingKind = {
  async check(ctx, chain, { subjectId, toAddress, data, gas }) {
    const row = await ctx.db.claim.findUniqueOrThrow({ where: { id: subjectId } });
    const executor = await workingExecutor(ctx, chain);
    const proof = await proveTab(chain, termsOfClaim(row));
    if (!proof) return 'wait';
    if (proof.state !== 'open') return leave(ctx, row, 'fail', STATE_WORDS[proof.state]);
    if ((row.notAfter ?? 0n) < proof.time + LAST_CLAIM_SECONDS) return leave(ctx, row, 'ask_again');
    if (await isCallOver(chain, data)) return leave(ctx, row, 'ask_again');
    const refusal = await simulateQueued(chain, { to: toAddress, data, gas }, executor);
    // A pause of claims, an executor's delay and a node that is behind pass; what the token or the attestation says does not.
    if (refusal && TEMPORARY.has(refusal.name)) return 'wait';
    if (refusal) {
      const words = `The network rejected this claim (${refusal.text ?? refusal.name}).`;
      return leave(ctx, row, 'fail', words);
    }
    return (await stillStands(ctx, chain, row)) ? null : leave(ctx, row, 'ask_again');
  },
  async onSigned(ctx, tx, { id: outgoingTxId, chain, subjectId: id }) {
    const row = await tx.claim.findUniqueOrThrow({ where: { id } });
    // A disconnect, or a change of the wallet, either waits for this lock or is seen: nothing is signed after it.
    if (!(await isAttestedStill(ctx, tx, chain, row)))
      throw new AppError('state_conflict', 'the account or the wallet changed meanwhile');
    if (!(await transitionOne(ctx, tx, 'claim', id, 'submit', { outgoingTxId })))
      throw new AppError('state_conflict', 'this claim is no longer attested');
  },
  async onFinal(ctx, chain, { subjectId, succeeded }) {
    if (!succeeded) return afterFailure(ctx, chain, subjectId);
    return async (tx) => void (await transitionOne(ctx, tx, 'claim', subjectId, 'settle'));
  },
  onLost: (ctx, chain, { subjectId }) => afterFailure(ctx, chain, subjectId),
};

const TEMPORARY = new Set(['ClaimsArePaused', 'Paused', 'NotExecutor', 'BlockhashNotFound']);
const UNATTESTED = { recipient: null, notAfter: null, signature: null };

/** Attests a claim again, or ends it, without a transaction. */
function leave(ctx: Ctx, { id }: Row<'Claim'>, action: ClaimAction, failure: string | null = null): Write {
  return async (tx) => {
    await transition(ctx, tx, 'claim', [{ id, action, patch: { ...UNATTESTED, failure }, from: 'attested' }]);
    await wake(tx, 'claims');
  };
}

/** The chain's state of the escrow decides: another claim was faster, or it is still open and is attested again. */
async function afterFailure(ctx: Ctx, chain: Chain, id: string): Promise<Write> {
  const row = await ctx.db.claim.findUniqueOrThrow({ where: { id } });
  const proof = await proveTab(chain, termsOfClaim(row));
  if (!proof) throw new AppError('provider_unavailable', `the endpoints of ${chain.facts.label} do not agree`);
  const { state } = proof;
  const givenUp = (await countSigned(ctx.db, 'claim', id)) >= MOST_ATTEMPTS;
  const failure =
    state === 'open' ? 'The network rejected this claim several times. Try again later.' : STATE_WORDS[state];
  return async (tx) => {
    if (state !== 'open' || givenUp) return void (await transitionOne(ctx, tx, 'claim', id, 'fail', { failure }));
    await transitionOne(ctx, tx, 'claim', id, 'ask_again', { ...UNATTESTED, outgoingTxId: null });
    await wake(tx, 'claims');
  };
}

function stillStands(ctx: Ctx, chain: Chain, row: Row<'Claim'>): Promise<boolean> {
  return ctx.db.$transaction((tx) => isAttestedStill(ctx, tx, chain.name, row));
}

/** Whether what was attested pays whom our rows name now. Another attestation would have cancelled this call. */
async function isAttestedStill(ctx: Ctx, tx: Tx, chain: string, row: Row<'Claim'>): Promise<boolean> {
  await lockSender(tx, row.handleId);
  const recipient = await recipientOf(tx, chain, row, ctx.clock.now());
  return row.status === 'attested' && 'address' in recipient && recipient.address === row.recipient;
}

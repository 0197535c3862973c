// Changes of what may be spent: prepared for the handle's wallet, and sent at our cost once it has signed.
import type { Chain } from '../../chain/chain.ts';
import { senderState } from '../../chain/senders.ts';
import { encodeApprove } from '../../chain/signing/permits.ts';
import {
  type ChangeProof,
  type ChangeToSign,
  canBePaused,
  prepareChange,
  readSignedChange,
} from '../../chain/spending.ts';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { CALL_SIGNATURE_MS } from '../../domain/limits.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { checkDeadline } from '../accounts/signing.ts';
import { isKeyInUse } from '../outgoing/keys.ts';
import { choosePayer } from '../outgoing/payers.ts';
import {
  allowanceUnits,
  type CallChoice,
  type CallTerms,
  chainOfWallet,
  changeOf,
  walletOnChain,
} from './callTerms.ts';
import { pausedSince, wantHeldPauses } from './pauses.ts';
import { callUse, requireAccountRoom, requireStake } from './sponsorBudget.ts';
import { type CallView, issuedAt, noKey, pausedAgain, sponsorCall, usedUp } from './sponsoredCalls.ts';

type Caller = Pick<SessionHandle, 'id' | 'wallet'>;

/**
 * What the wallet is to sign for a choice, and what to bring back with the signature. It changes nothing.
 * @throws AppError `parameter_invalid`, `state_conflict` where it makes no sense now, `provider_unavailable`
 */
export async function prepareCall(
  ctx: Ctx,
  handle: Caller,
  choice: CallChoice,
): Promise<ChangeToSign & { submit: CallTerms }> {
  const { chain, wallet } = await walletOnChain(ctx, handle.id, choice.chain);
  const change = changeOf(chain, choice);
  if (choice.kind === 'resume') await requirePaused(ctx, handle.id, chain, wallet);
  const deadline = Math.floor((ctx.clock.now() + CALL_SIGNATURE_MS) / 1_000);
  const { toSign, use } = await prepareChange(chain, wallet, change, deadline, () => choosePayer(ctx, chain, 0));
  // Deadlines are whole seconds: what is signed within a pause's own second would count as older than the pause.
  if (choice.kind === 'resume' && (await pausedSince(ctx.db, handle.id, chain.name, issuedAt(deadline))))
    throw notPausedYet(chain);
  return { ...toSign, submit: { ...choice, ...use } };
}

async function requirePaused(ctx: Ctx, handleId: string, chain: Chain, wallet: string): Promise<void> {
  if ((await senderState(chain, wallet, chain.usdc, ctx.clock.now())).paused) return;
  // Where there is nothing on the chain that could be paused, the wallet's word alone ends what our rows hold.
  const held = await ctx.db.pause.count({ where: { handleId, chain: chain.name, status: 'held' } });
  if (held > 0 && !(await canBePaused(chain, wallet))) return;
  // A pause that was only held in our rows goes to the chain now, where the wallet can end it.
  await ctx.db.$transaction((tx) => wantHeldPauses(ctx, tx, [handleId]));
  throw notPausedYet(chain);
}

function notPausedYet(chain: Chain): AppError {
  const words = `Your spending isn’t paused on ${chain.facts.label}. If you paused just now, wait a moment.`;
  return new AppError('state_conflict', words);
}

/** For wallets that send by themselves: the call that gives the bot router an allowance. @throws AppError `parameter_invalid` */
export function prepareApprove(ctx: Ctx, handle: Caller, { chain: name, amount }: { chain: string; amount: string }) {
  const chain = chainOfWallet(ctx, handle, name);
  const data = encodeApprove(chain.routers.bot, allowanceUnits(chain, amount));
  return { to: chain.usdc, data, value: '0x0', chainId: chain.facts.chainId };
}

/**
 * Takes a signature and has its call sent. The same signature twice is one call.
 * @throws AppError `signature_invalid`, `call_refused` when the chain would refuse it, `state_conflict` when its number was used or another
 * one is under way, `rate_limited` above the budget, `provider_unavailable`
 */
export async function submitSigned(ctx: Ctx, handle: Caller, terms: CallTerms, proof: ChangeProof): Promise<CallView> {
  const { kind, deadline } = terms;
  const { chain, wallet } = await walletOnChain(ctx, handle.id, terms.chain);
  checkDeadline(ctx, deadline, CALL_SIGNATURE_MS);
  const signed = await readSignedChange(chain, wallet, changeOf(chain, terms), terms, proof);
  const { call, isWhole, feePayer, opensAccount } = signed;
  const use = callUse(kind, chain, wallet, signed);
  return sponsorCall(
    ctx,
    { handleId: handle.id, kind, chain, use, isWhole, ...call, deadline },
    {
      async before() {
        if (!(await signed.isUnused())) throw usedUp();
        if (feePayer !== null && !(await isKeyInUse(ctx, chain, feePayer))) throw noKey(chain);
        await requireStake(ctx, handle.id, chain, wallet);
      },
      async within(tx) {
        // What was signed as a whole is sent once, also when it has failed.
        if (isWhole && (await tx.sponsoredCall.count({ where: { use } })) > 0) throw usedUp();
        if (opensAccount) await requireAccountRoom(ctx, tx, handle.id, chain);
        if (kind === 'resume' && (await pausedSince(tx, handle.id, chain.name, issuedAt(terms.deadline))))
          throw pausedAgain();
      },
    },
  );
}

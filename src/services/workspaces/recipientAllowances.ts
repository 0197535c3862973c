// Handles, beside its own, that a workspace may name as recipients under /v1: a stolen API key cannot send a buyer's money to its thief, because only
// the workspace's wallet changes this list.

import type { Hex } from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { recipientData } from '../../domain/typedData/workspaces.ts';
import type { TypedData } from '../../domain/typedData.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { signingChain } from '../accounts/signing.ts';
import { record } from '../audit.ts';
import { servedEvmChain } from '../chains.ts';
import { nextUse, requireSigned, type Use, useUp } from './nonces.ts';
import { readPayoutHandle } from './payouts.ts';

export type RecipientView = {
  object: 'recipient';
  /** "@bob". */
  handle: string;
  kind: 'personal' | 'business';
  created_at: string;
};

/** `allowed: false` takes a recipient off the list. `chain` is only where the signature is made. */
export type RecipientChoice = { recipient: string; allowed: boolean; chain?: string | undefined };
export type RecipientSubmit = { recipient: string; allowed: boolean; chain: string } & Use;

/** More than any workspace pays by API, and few enough to be read. */
const MOST = 100;

/** Those that are allowed, by name. */
export async function listRecipients(ctx: Ctx, handleId: string): Promise<RecipientView[]> {
  const rows = await ctx.db.$queryRaw<{ slug: string; kind: RecipientView['kind']; created_at: Date }[]>`
    select h.slug, h.kind, a.created_at from recipient_allowance a join handle h on h.id = a.recipient_id
    where a.handle_id = ${handleId} order by h.slug`;
  return rows.map((row) => ({
    object: 'recipient',
    handle: `@${row.slug}`,
    kind: row.kind,
    created_at: row.created_at.toISOString(),
  }));
}

/** What the wallet is to sign. Changes nothing. @throws AppError `parameter_invalid`, `handle_not_found` */
export async function prepareRecipient(
  ctx: Ctx,
  handle: SessionHandle,
  choice: RecipientChoice,
): Promise<{ typed_data: TypedData; submit: RecipientSubmit }> {
  const { slug } = await recipientOf(ctx, handle, choice.recipient);
  const chain = choice.chain ?? signingChain(ctx, handle);
  const submit = { recipient: `@${slug}`, allowed: choice.allowed, chain, ...(await nextUse(ctx, handle.id)) };
  return { typed_data: dataOf(ctx, handle, slug, submit), submit };
}

/**
 * Puts what the wallet signed in force. Existing orders and links stay as they are; a link to a recipient who is no longer allowed starts none.
 * @returns the list as it is now
 * @throws AppError `signature_invalid`; `parameter_invalid` for one that came too late; `state_conflict` for one that was used, and for more
 * recipients than a workspace may have; `handle_not_found`
 */
export async function submitRecipient(
  ctx: Ctx,
  handle: SessionHandle,
  submit: RecipientSubmit,
  signature: Hex,
): Promise<RecipientView[]> {
  const { id: recipientId, slug } = await recipientOf(ctx, handle, submit.recipient);
  await requireSigned(ctx, handle, dataOf(ctx, handle, slug, submit), submit, signature);
  const key = { handleId: handle.id, recipientId };
  const entry = { workspaceId: handle.id, object: { kind: 'recipient' as const, id: recipientId } };
  await ctx.db.$transaction(async (tx) => {
    await useUp(ctx, tx, handle, submit);
    if (!submit.allowed) {
      const { count } = await tx.recipientAllowance.deleteMany({ where: key });
      if (count > 0)
        await record(ctx, tx, { ...entry, action: 'recipient.removed', before: { recipient: `@${slug}` } });
      return;
    }
    if ((await tx.recipientAllowance.count({ where: { handleId: handle.id } })) >= MOST)
      throw new AppError('state_conflict', `A workspace can allow up to ${MOST} recipients. Remove one first.`);
    const { count } = await tx.recipientAllowance.createMany({
      data: [{ ...key, createdAt: new Date(ctx.clock.now()) }],
      skipDuplicates: true,
    });
    if (count > 0) await record(ctx, tx, { ...entry, action: 'recipient.allowed', after: { recipient: `@${slug}` } });
  });
  return listRecipients(ctx, handle.id);
}

async function recipientOf(ctx: Ctx, handle: SessionHandle, text: string): Promise<{ id: string; slug: string }> {
  const slug = readPayoutHandle(text);
  if (slug === handle.slug)
    throw new AppError('parameter_invalid', 'Your own workspace is always allowed.', { param: 'recipient' });
  const found = await ctx.db.handle.findUnique({ where: { slug }, select: { id: true, slug: true } });
  if (!found) throw new AppError('handle_not_found', undefined, { param: 'recipient' });
  return found;
}

function dataOf(ctx: Ctx, { slug: workspace }: SessionHandle, recipient: string, submit: RecipientSubmit): TypedData {
  const { allowed, nonce, deadline } = submit;
  const { chainId } = servedEvmChain(ctx, submit.chain).facts;
  return recipientData({ chainId, workspace, recipient, allowed, nonce, deadline });
}

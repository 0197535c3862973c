// Finds out whose a tab is that was opened elsewhere: the chain knows a slug by its hash only, so the hashes of our handles and accounts are kept.
import { handleKey } from '../../chain/routers/escrow.ts';
import type { Ctx } from '../../context.ts';
import { readEscrowSlug } from '../../domain/escrowSlug.ts';
import { labelOf } from './rows.ts';

const PAGE = 1_000;
const TABS = 200;

/** Names the tabs of which only the hash is known, as far as a handle or a connected account fits by now. */
export async function matchEscrows(ctx: Ctx): Promise<void> {
  if ((await ctx.db.escrow.count({ where: { handleSlug: null, status: 'open' } })) === 0) return;
  while ((await learnSlugs(ctx)) === PAGE);
  const found = await ctx.db.$queryRaw<{ id: string; slug: string }[]>`
    select e.id, k.slug from escrow e join slug_key k on k.handle_key = e.handle_key
    where e.handle_slug is null and e.status = 'open' limit ${TABS}`;
  for (const { id, slug } of found) {
    const known = readEscrowSlug(slug);
    if (!known) continue;
    const data = { handleSlug: slug, recipientLabel: await labelOf(ctx.db, known) };
    await ctx.db.escrow.updateMany({ where: { id, handleSlug: null }, data });
  }
}

/** Notes the hashes of slugs that are new. @returns how many there were, a page at most */
async function learnSlugs(ctx: Ctx): Promise<number> {
  const fresh = await ctx.db.$queryRaw<{ slug: string }[]>`
    select slug from (
      select slug from handle
      union select platform || ':id:' || platform_user_id from connection where disconnected_at is null
      union select platform || ':' || lower(username) from connection where disconnected_at is null and username is not null
    ) as known where not exists (select 1 from slug_key k where k.slug = known.slug) limit ${PAGE}`;
  const rows = fresh.map(({ slug }) => ({ slug, handleKey: handleKey(slug) }));
  await ctx.db.slugKey.createMany({ data: rows, skipDuplicates: true });
  return fresh.length;
}

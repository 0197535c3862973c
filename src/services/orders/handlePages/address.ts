// Where the page of a handle is.
import type { Ctx } from '../../../context.ts';
import { handlePagePath } from '../../../domain/handlePage.ts';
import { checkoutBase } from '../views.ts';

export function handlePageUrl(ctx: Ctx, slug: string): string {
  return checkoutBase(ctx) + handlePagePath(slug);
}

/** Null while the page is off. */
export async function ownPageUrl(
  ctx: Ctx,
  { handleId, slug }: { handleId: string; slug: string },
): Promise<string | null> {
  const row = await ctx.db.handlePage.findUnique({ where: { handleId }, select: { isOn: true } });
  return row?.isOn ? handlePageUrl(ctx, slug) : null;
}

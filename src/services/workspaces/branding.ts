// The face of a workspace: what its owner chose, and what of it buyers see. Pages show the current one, also of orders from before.

import type { Ctx, ReadCtx } from '../../context.ts';
import { accentOf, readAccent } from '../../domain/accent.ts';
import {
  BRAND_NAME_LENGTH,
  type Branding,
  type BrandNameProblem,
  readBrandName,
  readSupport,
} from '../../domain/branding.ts';
import { AppError } from '../../domain/errors.ts';
import { picturePath } from '../accounts/pictures.ts';
import { record } from '../audit.ts';
import { lockKey } from '../locks.ts';

/** `accent` as it was chosen, with the colours that pages use instead of it. */
export type BrandingSettings = {
  name: string | null;
  logo_url: string | null;
  accent: { chosen: string; light: string; dark: string } | null;
  support: string | null;
};

/** What is absent stays; null or an empty text removes. */
export type BrandingWish = {
  name?: string | null | undefined;
  accent?: string | null | undefined;
  support?: string | null | undefined;
};

type Found = {
  name: string | null;
  accent: string | null;
  accent_light: string | null;
  accent_dark: string | null;
  support: string | null;
  hash: string | null;
};

const NOTHING: BrandingSettings = { name: null, logo_url: null, accent: null, support: null };

export async function readBranding(ctx: ReadCtx, workspaceId: string): Promise<BrandingSettings> {
  const [row] = await ctx.db.$queryRaw<Found[]>`
    select b.name, b.accent, b.accent_light, b.accent_dark, b.support, p.hash
    from handle h left join branding b on b.handle_id = h.id left join picture p on p.handle_id = h.id and p.use = 'logo'
    where h.id = ${workspaceId}`;
  if (!row) return NOTHING;
  const { name, accent: chosen, accent_light: light, accent_dark: dark, support, hash } = row;
  return {
    name,
    logo_url: hash === null ? null : picturePath(hash),
    accent: chosen !== null && light !== null && dark !== null ? { chosen, light, dark } : null,
    support,
  };
}

/** What buyers see; null while the owner has chosen nothing. */
export async function brandingOf(ctx: ReadCtx, workspaceId: string): Promise<Branding | null> {
  const { accent, ...rest } = await readBranding(ctx, workspaceId);
  const branding = { ...rest, accent: accent && { light: accent.light, dark: accent.dark } };
  return Object.values(branding).some((value) => value !== null) ? branding : null;
}

/** @throws AppError `parameter_invalid` */
export async function changeBranding(ctx: Ctx, workspaceId: string, wish: BrandingWish): Promise<BrandingSettings> {
  const change = {
    ...(wish.name !== undefined && { name: nameOf(wish.name) }),
    ...(wish.accent !== undefined && accentColumns(wish.accent)),
    ...(wish.support !== undefined && { support: supportOf(wish.support) }),
    changedAt: new Date(ctx.clock.now()),
  };
  await ctx.db.$transaction(async (tx) => {
    await lockKey(tx, `branding:${workspaceId}`);
    const before = await readBranding({ ...ctx, db: tx }, workspaceId);
    await tx.branding.upsert({
      where: { handleId: workspaceId },
      create: { handleId: workspaceId, ...change },
      update: change,
    });
    await record(ctx, tx, {
      ...{ workspaceId, action: 'branding.changed', object: { kind: 'branding', id: workspaceId } },
      before: factsOf(before),
      after: factsOf(await readBranding({ ...ctx, db: tx }, workspaceId)),
    });
  });
  return readBranding(ctx, workspaceId);
}

const factsOf = ({ name, accent, support }: BrandingSettings) => ({ name, accent: accent?.chosen ?? null, support });

const NAME_WORDS: Record<BrandNameProblem, string> = {
  too_long: `name must be at most ${BRAND_NAME_LENGTH} characters.`,
  not_plain: 'name must be one line of plain text without hidden or direction-changing characters.',
  has_at: 'name can’t contain @: your handle is shown beside it.',
  piled_marks: 'name has too many marks on one letter.',
};

function nameOf(text: string | null): string | null {
  const read = readBrandName(text ?? '');
  if ('problem' in read) throw new AppError('parameter_invalid', NAME_WORDS[read.problem], { param: 'name' });
  return read.name;
}

function accentColumns(text: string | null) {
  if (text === null || text === '') return { accent: null, accentLight: null, accentDark: null };
  const chosen = readAccent(text);
  if (chosen === null)
    throw new AppError('parameter_invalid', 'accent must be a color like #0b5d3b.', { param: 'accent' });
  const { light, dark } = accentOf(chosen);
  return { accent: chosen, accentLight: light, accentDark: dark };
}

function supportOf(text: string | null): string | null {
  const read = readSupport(text ?? '');
  if (read === 'invalid')
    throw new AppError('parameter_invalid', 'support must be an e-mail address or an https URL.', { param: 'support' });
  return read.support;
}

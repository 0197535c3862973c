// The language of a reader: their own choice first, then their platform's, then English.
import type { Ctx } from '../../context.ts';
import { sqlRows } from '../../db.ts';
import { isLanguage, type Language, languageOfTag } from '../../domain/language.ts';

/** A platform account that reads what we say. */
export type Reader = { platform: string; userId: string };

/** The languages of many readers, read at once. @returns the language of each of them, and English for others */
export async function languagesOf(ctx: Ctx, readers: Reader[]): Promise<(reader: Reader) => Language> {
  const wanted = new Map(
    readers.map(({ platform, userId }) => [`${platform} ${userId}`, { platform, user_id: userId }]),
  );
  if (wanted.size === 0) return () => 'en';
  const rows = await ctx.db.$queryRaw<{ platform: string; user_id: string; language: string | null }[]>`
    select r.platform, r.user_id, coalesce(h.language, s.language) as language
    from jsonb_to_recordset(${sqlRows([...wanted.values()])}) as r(platform text, user_id text)
    left join connection c on c.platform = r.platform and c.platform_user_id = r.user_id and c.disconnected_at is null
    left join handle h on h.id = c.handle_id
    left join seen_user s on s.platform = r.platform and s.platform_user_id = r.user_id`;
  const known = new Map(rows.map((row) => [`${row.platform} ${row.user_id}`, row.language]));
  return ({ platform, userId }) => {
    const language = known.get(`${platform} ${userId}`);
    return isLanguage(language) ? language : 'en';
  };
}

/** The same for one reader whose platform sends the language right now. @param tag such as `de` or `es-ES` */
export async function languageNow(ctx: Ctx, { platform, userId }: Reader, tag: unknown): Promise<Language> {
  const connection = await ctx.db.connection.findFirst({
    where: { platform, platformUserId: userId, disconnectedAt: null },
    select: { handle: { select: { language: true } } },
  });
  const chosen = connection?.handle.language;
  return isLanguage(chosen) ? chosen : (languageOfTag(tag) ?? 'en');
}

/** The handle's own choice, or null while it follows each platform. */
export async function chosenLanguage(ctx: Ctx, handleId: string): Promise<Language | null> {
  const { language } = await ctx.db.handle.findUniqueOrThrow({ where: { id: handleId }, select: { language: true } });
  return isLanguage(language) ? language : null;
}

/** Changes that choice; what is shown from then on follows it. @param language null to follow each platform */
export async function chooseLanguage(ctx: Ctx, handleId: string, language: Language | null): Promise<void> {
  await ctx.db.handle.update({ where: { id: handleId }, data: { language } });
}

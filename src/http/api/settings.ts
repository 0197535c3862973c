// What a person chose for their handle.
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { LANGUAGES } from '../../domain/language.ts';
import { chooseLanguage, chosenLanguage } from '../../services/outbox/languages.ts';
import { chooseChargeNotices, receivesChargeNotices } from '../../services/plans/notices.ts';
import { chooseNotices, receivesNotices } from '../../services/tips/receivedSettings.ts';
import { parseBody } from '../parse.ts';
import { requireHandle } from '../session.ts';

const change = z
  .strictObject({ language: z.enum(LANGUAGES).nullable(), notices: z.boolean(), charges: z.boolean() })
  .partial()
  .refine((body) => Object.keys(body).length > 0, 'Send language, notices or charges');

export function mountSettings(app: Express, ctx: Ctx): void {
  app.get('/api/settings', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    response.json(await settingsOf(ctx, handle.id));
  });

  app.patch('/api/settings', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { language, notices, charges } = parseBody(request, change);
    if (language !== undefined) await chooseLanguage(ctx, handle.id, language);
    if (notices !== undefined) await chooseNotices(ctx, handle.id, notices);
    if (charges !== undefined) await chooseChargeNotices(ctx, handle.id, charges);
    response.json(await settingsOf(ctx, handle.id));
  });
}

async function settingsOf(ctx: Ctx, handleId: string) {
  const [language, notices, charges] = await Promise.all([
    chosenLanguage(ctx, handleId),
    receivesNotices(ctx, handleId),
    receivesChargeNotices(ctx, handleId),
  ]);
  return { language, notices, charges };
}

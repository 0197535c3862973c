// What a person chose for their handle.
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { LANGUAGES } from '../../domain/language.ts';
import { chooseLanguage, chosenLanguage } from '../../services/languages.ts';
import { parseBody } from '../parse.ts';
import { requireHandle } from '../session.ts';

const change = z.strictObject({ language: z.enum(LANGUAGES).nullable() });

export function mountSettings(app: Express, ctx: Ctx): void {
  app.get('/api/settings', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    response.json({ language: await chosenLanguage(ctx, handle.id) });
  });

  app.patch('/api/settings', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { language } = parseBody(request, change);
    await chooseLanguage(ctx, handle.id, language);
    response.json({ language });
  });
}

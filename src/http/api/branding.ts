// The face of the workspace that is signed in. Its logo is uploaded as a picture (pictures.ts).
import { z } from 'zod';
import { changeBranding, readBranding } from '../../services/workspaces/branding.ts';
import { brandingAnswer } from './brandingAnswers.ts';
import { type Route, route } from './route.ts';

const change = z
  .strictObject({
    name: z.string().max(200).nullable(),
    accent: z.string().max(100).nullable(),
    support: z.string().max(400).nullable(),
  })
  .partial()
  .refine((body) => Object.keys(body).length > 0, 'Send name, accent or support');

const get = route({
  method: 'get',
  path: '/api/branding',
  access: 'handle',
  answer: brandingAnswer,
  status: 200,
  errors: [],
  run: async (ctx, { caller: { handle } }) => ({ branding: await readBranding(ctx, handle.id) }),
});

const patch = route({
  method: 'patch',
  path: '/api/branding',
  access: 'handle',
  body: change,
  answer: brandingAnswer,
  status: 200,
  errors: [],
  run: async (ctx, { caller: { handle }, body }) => ({ branding: await changeBranding(ctx, handle.id, body) }),
});

export const BRANDING_ROUTES: readonly Route[] = [get, patch];

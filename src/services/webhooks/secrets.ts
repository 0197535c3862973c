// The signing secrets of webhook endpoints: sealed under WEBHOOK_KEY before they rest, and opened to sign.
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { binderOf, bindOnce, seal, unseal } from '../sealing.ts';

const PURPOSE = 'ampersat webhook secret';
const placeOf = (endpointId: string) => ({ purpose: PURPOSE, row: endpointId });
/** Endpoints that are bound to their rows in one go. */
const PAGE = 500;

type KeyHolder = { env: Pick<Ctx['env'], 'WEBHOOK_KEY'> };

/** @throws AppError `provider_unavailable` where no key is configured: there are no webhooks then */
export function sealSecret(ctx: KeyHolder, endpointId: string, secret: string): string {
  return seal(keyOf(ctx), placeOf(endpointId), secret);
}

/** Binds the secrets of earlier versions to their endpoints, once. What does not open with this WEBHOOK_KEY stays as it is, and signs nothing. */
export async function bindSecrets(ctx: Ctx): Promise<void> {
  const key = ctx.env.WEBHOOK_KEY;
  if (!key) return;
  await bindOnce(ctx, PURPOSE, async () => {
    const { bind, tally } = binderOf(key);
    for (let after = ''; ; ) {
      const rows = await ctx.db.webhookEndpoint.findMany({
        where: { id: { gt: after } },
        select: { id: true, secret: true, formerSecret: true },
        orderBy: { id: 'asc' },
        take: PAGE,
      });
      for (const { id, secret, formerSecret } of rows) {
        const place = placeOf(id);
        const data = {
          secret: secret && bind(place, secret),
          formerSecret: formerSecret && bind(place, formerSecret),
        };
        await ctx.db.webhookEndpoint.updateMany({ where: { id, secret, formerSecret }, data });
      }
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) return tally;
      after = last.id;
    }
  });
}

/**
 * The secrets with which an attempt at `nowMs` is signed: the present one, and the former one while a roll lets it. The present one stands first.
 * @returns none of those that were sealed under another key or for another endpoint. Without any, nothing can be sent: a receiver could not verify it.
 * @throws AppError `provider_unavailable` where no key is configured
 */
export function secretsInForce(
  ctx: KeyHolder,
  endpoint: Pick<Row<'WebhookEndpoint'>, 'id' | 'secret' | 'formerSecret' | 'formerUntil'>,
  nowMs: number,
): string[] {
  const { id, secret, formerSecret, formerUntil } = endpoint;
  const overlaps = formerSecret !== null && formerUntil !== null && formerUntil.getTime() > nowMs;
  const key = keyOf(ctx);
  return [secret, ...(overlaps ? [formerSecret] : [])].flatMap((sealed) => unseal(key, placeOf(id), sealed) ?? []);
}

function keyOf(ctx: KeyHolder): string {
  const key = ctx.env.WEBHOOK_KEY;
  if (!key) throw new AppError('provider_unavailable', 'Webhooks aren’t configured.');
  return key;
}

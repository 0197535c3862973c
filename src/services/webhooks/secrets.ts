// The signing secrets of webhook endpoints: sealed under WEBHOOK_KEY before they rest, and opened to sign.
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { seal, unseal } from '../sealing.ts';

const PURPOSE = 'ampersat webhook secret';

type KeyHolder = { env: Pick<Ctx['env'], 'WEBHOOK_KEY'> };

/** @throws AppError `provider_unavailable` where no key is configured: there are no webhooks then */
export function sealSecret(ctx: KeyHolder, secret: string): string {
  return seal(keyOf(ctx), PURPOSE, secret);
}

/**
 * The secrets with which an attempt at `nowMs` is signed: the present one, and the former one while a roll lets it. The present one stands first.
 * @returns none of those that were sealed under another key. Without any, nothing can be sent: a receiver could not verify it.
 * @throws AppError `provider_unavailable` where no key is configured
 */
export function secretsInForce(
  ctx: KeyHolder,
  endpoint: Pick<Row<'WebhookEndpoint'>, 'secret' | 'formerSecret' | 'formerUntil'>,
  nowMs: number,
): string[] {
  const { secret, formerSecret, formerUntil } = endpoint;
  const overlaps = formerSecret !== null && formerUntil !== null && formerUntil.getTime() > nowMs;
  return [secret, ...(overlaps ? [formerSecret] : [])].flatMap((sealed) => unseal(keyOf(ctx), PURPOSE, sealed) ?? []);
}

function keyOf(ctx: KeyHolder): string {
  const key = ctx.env.WEBHOOK_KEY;
  if (!key) throw new AppError('provider_unavailable', 'Webhooks aren’t configured.');
  return key;
}

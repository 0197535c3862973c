// One attempt: the event as it is now, signed with the secrets in force, posted to where the endpoint is.
import type { Ctx } from '../../context.ts';
import type { AttemptOutcome } from '../../domain/deliveryPlan.ts';
import { envelopeOf } from '../events.ts';
import type { Claimed } from './dueDeliveries.ts';
import type { SafeClient } from './egress/fetch.ts';
import { secretsInForce } from './secrets.ts';
import { signatureHeaders } from './signatures.ts';

/** Endpoints whose opened secrets are kept, and those that were named in the log because theirs do not open. */
const MOST_KEPT = 1_000;

/** @returns what sends one delivery and never rejects */
export function createSending(
  ctx: Ctx,
  http: SafeClient,
  timeoutMs: number,
): (delivery: Claimed, startedMs: number) => Promise<AttemptOutcome> {
  const opened = new Map<string, Opened>();
  const unreadable = new Set<string>();

  /** Opening costs as much as all the rest of an attempt, and most endpoints have the secret that they had a moment ago. */
  function secretsOf(endpoint: Claimed['endpoint'], nowMs: number): string[] {
    const known = opened.get(endpoint.id);
    if (known && isStill(known, endpoint, nowMs)) return known.secrets;
    const secrets = secretsInForce(ctx, endpoint, nowMs);
    if (opened.size >= MOST_KEPT) opened.clear();
    opened.set(endpoint.id, { endpoint, atMs: nowMs, secrets });
    return secrets;
  }

  function nameUnreadable(endpointId: string): void {
    if (unreadable.has(endpointId)) return;
    if (unreadable.size >= MOST_KEPT) unreadable.clear();
    unreadable.add(endpointId);
    ctx.log.error(
      { endpoint: endpointId },
      'the signing secret of an endpoint was sealed under another WEBHOOK_KEY: nothing is sent there until that key is back or the secret is rolled',
    );
  }

  async function post({ event, endpoint, pending }: Claimed, startedMs: number): Promise<AttemptOutcome> {
    const secrets = secretsOf(endpoint, startedMs);
    if (secrets.length === 0) {
      nameUnreadable(endpoint.id);
      return { failure: 'secret_unreadable' };
    }
    const body = JSON.stringify(envelopeOf(event, pending));
    const headers = signatureHeaders({ id: event.id, timestampS: Math.floor(startedMs / 1_000), body, secrets });
    return http.post(endpoint.url, { headers, body, timeoutMs, livemode: endpoint.livemode });
  }

  return (delivery, startedMs) =>
    post(delivery, startedMs).catch((err: unknown) => {
      ctx.log.error(
        { err, event: delivery.event.id, endpoint: delivery.endpoint.id },
        'an attempt failed unexpectedly',
      );
      return { failure: 'network' };
    });
}

type Opened = { endpoint: Claimed['endpoint']; atMs: number; secrets: string[] };

/** The same secrets, and the former one is in force or not as it was. */
function isStill({ endpoint: known, atMs }: Opened, endpoint: Claimed['endpoint'], nowMs: number): boolean {
  const untilMs = endpoint.formerUntil?.getTime() ?? 0;
  return (
    known.secret === endpoint.secret &&
    known.formerSecret === endpoint.formerSecret &&
    known.formerUntil?.getTime() === endpoint.formerUntil?.getTime() &&
    atMs < untilMs === nowMs < untilMs
  );
}

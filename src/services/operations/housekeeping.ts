// Deletes rows that have no further use: sign-ins and logins that are over, sessions that ended long ago, who wrote what, counts of windows that
// have passed, deliveries that ended long ago, requests in the API log.
import type { Ctx } from '../../context.ts';
import { dropOldEntries } from '../audit.ts';
import { forgetTokens } from '../chat/interactions.ts';
import { forgetAnswers } from '../idempotency.ts';
import { forgetUnpaidMessages } from '../orders/handlePages/messages.ts';
import { dropOldDeliveries } from '../webhooks/retention.ts';
import { dropOldRequests } from '../workspaces/requestLog.ts';
import { dropReplaced } from './heartbeats.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer than any window counts. */
const COUNTS_KEPT_MS = 2 * DAY_MS;
const NAME_CHECKS_KEPT_MS = 30 * DAY_MS;
/** The destination of its answers is read for as long as one may still change. */
const INTERACTIONS_KEPT_MS = 30 * DAY_MS;
/** A reaction to an older message is no tip. */
const AUTHORS_KEPT_MS = 7 * DAY_MS;
/** A payment keeps what it was made of. */
const CANDIDATES_KEPT_MS = DAY_MS;
const UNPAID_MESSAGES_KEPT_MS = HOUR_MS;
const ENDED_SESSIONS_KEPT_MS = 30 * DAY_MS;
const ENDED_DELIVERIES_KEPT_MS = 30 * DAY_MS;

export async function dropOldRows(ctx: Ctx): Promise<void> {
  await forgetTokens(ctx);
  await forgetAnswers(ctx);
  const ago = (ms: number) => new Date(ctx.clock.now() - ms);
  await ctx.db.signInNonce.deleteMany({ where: { expiresAt: { lt: ago(HOUR_MS) } } });
  await ctx.db.login.deleteMany({ where: { expiresAt: { lt: ago(HOUR_MS) } } });
  const ended = ago(ENDED_SESSIONS_KEPT_MS);
  await ctx.db.session.deleteMany({ where: { OR: [{ expiresAt: { lt: ended } }, { revokedAt: { lt: ended } }] } });
  await ctx.db.nameCheck.deleteMany({ where: { wantedAt: { lt: ago(NAME_CHECKS_KEPT_MS) } } });
  await ctx.db.discordInteraction.deleteMany({ where: { expiresAt: { lt: ago(INTERACTIONS_KEPT_MS) } } });
  await ctx.db.messageAuthor.deleteMany({ where: { sentAt: { lt: ago(AUTHORS_KEPT_MS) } } });
  await ctx.db.reactionChat.deleteMany({ where: { lastSeenAt: { lt: ago(AUTHORS_KEPT_MS) } } });
  await ctx.db.rateEvent.deleteMany({ where: { at: { lt: ago(COUNTS_KEPT_MS) } } });
  await ctx.db.smartCandidate.deleteMany({ where: { expiresAt: { lt: ago(CANDIDATES_KEPT_MS) } } });
  await forgetUnpaidMessages(ctx, ago(UNPAID_MESSAGES_KEPT_MS));
  await dropOldDeliveries(ctx, ago(ENDED_DELIVERIES_KEPT_MS));
  await dropOldRequests(ctx);
  await dropOldEntries(ctx);
  await dropReplaced(ctx);
}

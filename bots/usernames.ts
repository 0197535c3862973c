// Reads current usernames for services: only this process has the platforms' tokens.
import type { Ctx } from '../src/context.ts';
import { BUSY_MS, every, RARE_FALLBACK_MS } from '../src/loop.ts';
import {
  answerNameCheck,
  delayNameCheck,
  type OpenNameCheck,
  openNameChecks,
} from '../src/services/accounts/usernameChecks.ts';

/** Null for an account without a username, or that is gone. @throws when the platform cannot be read */
export type NameReader = { currentUsername(platformUserId: string): Promise<string | null> };

const AT_A_TIME = 10;
const WITHIN_MS = 10_000;

/** @param readers by platform; checks of other platforms wait */
export function startNameChecks(ctx: Ctx, readers: ReadonlyMap<string, NameReader>): void {
  every(ctx, 'names', BUSY_MS, () => answerNameChecks(ctx, readers), { idleMs: RARE_FALLBACK_MS, topics: ['names'] });
}

/** One round. @returns how many accounts were queried. @param withinMs how long a platform may take for an answer */
export async function answerNameChecks(
  ctx: Ctx,
  readers: ReadonlyMap<string, NameReader>,
  withinMs = WITHIN_MS,
): Promise<number> {
  const open = await openNameChecks(ctx, [...readers.keys()], AT_A_TIME);
  const answers = open.map((check) => {
    const reader = readers.get(check.platform);
    return reader && answer(ctx, reader, check, withinMs);
  });
  await Promise.all(answers);
  return open.length;
}

async function answer(ctx: Ctx, reader: NameReader, check: OpenNameCheck, withinMs: number): Promise<void> {
  try {
    await answerNameCheck(ctx, check, await inTime(reader.currentUsername(check.platformUserId), withinMs));
  } catch (err) {
    ctx.log.warn(
      { err, check: check.id, platform: check.platform },
      'a platform did not return a name; the next round queries it again',
    );
    await delayNameCheck(ctx, check);
  }
}

async function inTime<T>(work: Promise<T>, withinMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), withinMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

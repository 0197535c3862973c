// Jobs that wake the bots for replies. The rows are the truth: a job only makes it sooner.
import type { Tx } from '../../db.ts';
import { enqueue } from '../../queues.ts';

/**
 * A job is named after the first reply and version in it: that pair is bumped once.
 * @param suffix tells jobs of one version apart
 */
export async function enqueueReplies(
  tx: Tx,
  replies: { id: string; version: number }[],
  now: number,
  suffix = '',
): Promise<void> {
  const [first] = replies;
  if (!first) return;
  const name = `reply-${first.id}-${first.version}-${replies.length}${suffix}`;
  await enqueue(tx, 'replies', name, { replyIds: replies.map(({ id }) => id) }, now);
}

// New events for programs that listen: one look a second for all of a process. An event's id is drawn before its transaction is committed, so ids
// turn up out of order: every look goes back as far as one may be late, and knows what was there before.
import type { Ctx } from '../../context.ts';
import { sqlRows } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import type { EventEnvelope } from '../../domain/events.ts';
import { formatId, isId, timeOfId } from '../../domain/ids.ts';
import { createHeldStreams, type Held } from '../streams.ts';
import { readEnvelopes } from './eventViews.ts';

export type EventWatcher = {
  /** Ends when the listener has room for the next one. */
  tell(event: EventEnvelope): Promise<void>;
  end(): void;
};
/** A key listens to its workspace in its own mode. */
export type Listener = { keyId: string; workspaceId: string; livemode: boolean };

export type EventStreams = {
  /**
   * Sends the events that are written from now on, or after an event. Those of the last half minute before that one may be sent twice, because a
   * transaction may have been late: none is left out. Ends after half an hour, or when the key is revoked.
   * @returns what takes the listener away
   * @throws AppError `rate_limited` when there are too many; `parameter_invalid` for what is no event's id
   */
  watch(listener: Listener, after: string | undefined, watcher: EventWatcher): Promise<() => void>;
  look(): Promise<void>;
  count(): number;
};

/** The database ends whatever takes longer, so no event turns up later than this after its id was drawn. */
const LATE_MS = 30_000;
const PAGE = 100;
/** A workspace may have many keys; all of them together are one of many who listen. */
const MOST_OF_WORKSPACE = 50;
/** Ids that wait for a listener who reads slowly; one who is further behind comes back and goes on after what was read last. */
const MOST_WAITING = 50_000;

/** What one workspace has in one mode. `seen` are the ids of the last while, `lookedAt` is when they were read. */
type Channel = Omit<Listener, 'keyId'> & { seen: Set<string>; lookedAt: number };
type Watched = Held & {
  keyId: string;
  channel: Channel;
  watcher: EventWatcher;
  /** Whether looks tell it: not yet while it catches up. */
  isLive: boolean;
  hasLeft: boolean;
  waiting: string[];
  isTelling: boolean;
};

export function createEventStreams(ctx: Ctx): EventStreams {
  const channels = new Map<string, Channel>();
  const streams = createHeldStreams<Watched>(ctx, 'events', {
    lookAt: (all) => inTurn(() => lookAt(all)),
    onDrop(one) {
      one.hasLeft = true;
      const { channel } = one;
      if (!streams.all().some((other) => other.channel === channel)) channels.delete(nameOf(channel));
    },
  });

  /** Looks, and those who join, one after the other: what one has seen the next one knows. */
  let turn: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work);
    turn = mine.catch(() => {});
    return mine;
  }

  async function lookAt(all: Watched[]): Promise<void> {
    const open = await openKeys(ctx, [...new Set(all.map(({ keyId }) => keyId))]);
    for (const one of all) if (!open.has(one.keyId) && !one.hasLeft) streams.end(one);
    await lookIn([...new Set(streams.all().map(({ channel }) => channel))]);
  }

  async function lookIn(looked: Channel[]): Promise<void> {
    const now = ctx.clock.now();
    const found = await readIds(
      ctx,
      looked.map((channel) => ({ ...channel, above: idAt(channel.lookedAt - LATE_MS) })),
    );
    for (const channel of looked) {
      const ids = found.get(nameOf(channel)) ?? [];
      const fresh = ids.filter((id) => !channel.seen.has(id));
      const oldest = idAt(now - LATE_MS);
      channel.seen = new Set(ids.filter((id) => id > oldest));
      channel.lookedAt = now;
      for (const one of streams.all()) if (one.isLive && one.channel === channel) give(one, fresh);
    }
  }

  function give(one: Watched, ids: string[]): void {
    one.waiting = [...one.waiting, ...ids];
    if (one.waiting.length > MOST_WAITING) streams.end(one);
    else void tellWaiting(one);
  }

  async function tellWaiting(one: Watched): Promise<void> {
    if (one.isTelling) return;
    one.isTelling = true;
    try {
      while (one.waiting.length > 0 && !one.hasLeft) await tellAll(one, one.waiting.splice(0, PAGE));
    } catch (err) {
      giveUp(one, err);
    } finally {
      one.isTelling = false;
    }
  }

  async function tellAll(one: Watched, ids: string[]): Promise<void> {
    // Reads nothing for a listener that has left: when the process ends, the database closes right after its listeners.
    if (one.hasLeft) return;
    for (const event of await readEnvelopes(ctx.db, ids)) {
      if (one.hasLeft) return;
      await one.watcher.tell(event);
    }
  }

  /** The listener reconnects by itself, and continues after the last event that it received. */
  function giveUp(one: Watched, err: unknown): void {
    if (one.hasLeft) return;
    ctx.log.warn({ err }, 'a listener could not receive events');
    streams.end(one);
  }

  /** First the part that no longer grows, page by page as fast as it is read; then what is as young as the polls. */
  async function catchUp(one: Watched, after: string): Promise<void> {
    try {
      let above = idAt(timeOfId(after) - LATE_MS);
      for (let page: string[]; !one.hasLeft; above = page.at(-1) ?? above) {
        const settled = idAt(ctx.clock.now() - LATE_MS);
        page = await readPage(ctx, one.channel, above, settled);
        if (page.length === 0) return await inTurn(() => join(one, above, after));
        await tellAll(
          one,
          page.filter((id) => id !== after),
        );
      }
    } catch (err) {
      giveUp(one, err);
    }
  }

  /** What the channel has not read comes with its next poll; otherwise it would be sent twice. */
  async function join(one: Watched, above: string, after: string): Promise<void> {
    if (one.hasLeft) return;
    const { channel } = one;
    const found = (await readIds(ctx, [{ ...channel, above }])).get(nameOf(channel)) ?? [];
    const oldest = idAt(channel.lookedAt - LATE_MS);
    one.isLive = true;
    give(
      one,
      found.filter((id) => id !== after && (id <= oldest || channel.seen.has(id))),
    );
  }

  /** @throws AppError `rate_limited` */
  function refuseMoreOf(workspaceId: string): void {
    if (streams.all().filter(({ channel }) => channel.workspaceId === workspaceId).length < MOST_OF_WORKSPACE) return;
    throw new AppError('rate_limited', 'Too many open event streams for this workspace. Close one and try again.', {
      retryAfterMs: 10_000,
    });
  }

  /** The first one who listens begins with all that is there. */
  async function openChannel({ workspaceId, livemode }: Listener): Promise<Channel> {
    const now = ctx.clock.now();
    const wanted = { workspaceId, livemode };
    const found = await readIds(ctx, [{ ...wanted, above: idAt(now - LATE_MS) }]);
    return { ...wanted, seen: new Set(found.get(nameOf(wanted))), lookedAt: now };
  }

  return {
    async watch(listener, after, watcher) {
      if (after !== undefined && !isId('evt', after))
        throw new AppError('parameter_invalid', 'Invalid Last-Event-ID. Pass the ID of an event you received.', {
          param: 'Last-Event-ID',
        });
      return inTurn(async () => {
        streams.refuseWithoutRoom(listener.keyId);
        refuseMoreOf(listener.workspaceId);
        const name = nameOf(listener);
        const channel = channels.get(name) ?? (await openChannel(listener));
        const { keyId } = listener;
        const own = { isLive: after === undefined, hasLeft: false, waiting: [], isTelling: false };
        const one: Watched = { ...own, who: keyId, keyId, channel, watcher, end: () => watcher.end() };
        streams.hold(one);
        channels.set(name, channel);
        if (after !== undefined) void catchUp(one, after);
        return () => streams.drop(one);
      });
    },
    look: streams.look,
    count: streams.count,
  };
}

const nameOf = ({ workspaceId, livemode }: Pick<Listener, 'workspaceId' | 'livemode'>) => `${workspaceId} ${livemode}`;

/** Below every id that is drawn in that millisecond or later. */
function idAt(ms: number): string {
  return formatId('evt', Math.max(0, ms), new Uint8Array(10));
}

type Place = Pick<Listener, 'workspaceId' | 'livemode'> & { above: string };

/** The ids of each place above one, oldest first. Only their own endpoint receives test events. */
async function readIds(ctx: Ctx, places: Place[]): Promise<Map<string, string[]>> {
  const wanted = places.map(({ workspaceId, livemode, above }) => ({ handle_id: workspaceId, livemode, above }));
  const rows = await ctx.db.$queryRaw<{ id: string; workspaceId: string; livemode: boolean }[]>`
    select e.id, e.handle_id as "workspaceId", e.livemode
    from jsonb_to_recordset(${sqlRows(wanted)}) as w(handle_id text, livemode boolean, above text)
      join event e on e.handle_id = w.handle_id and e.livemode = w.livemode and e.id > w.above
    where not e.is_test order by e.id`;
  const found = new Map<string, string[]>();
  for (const row of rows) {
    const ids = found.get(nameOf(row)) ?? [];
    found.set(nameOf(row), ids);
    ids.push(row.id);
  }
  return found;
}

async function readPage(ctx: Ctx, channel: Channel, above: string, upTo: string): Promise<string[]> {
  const rows = await ctx.db.event.findMany({
    where: {
      handleId: channel.workspaceId,
      livemode: channel.livemode,
      id: { gt: above, lte: upTo },
      isTest: false,
    },
    orderBy: { id: 'asc' },
    select: { id: true },
    take: PAGE,
  });
  return rows.map(({ id }) => id);
}

/** Keys that still open something. */
async function openKeys(ctx: Ctx, ids: string[]): Promise<Set<string>> {
  const rows = await ctx.db.apiKey.findMany({
    where: {
      id: { in: ids },
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: new Date(ctx.clock.now()) } }],
    },
    select: { id: true },
  });
  return new Set(rows.map(({ id }) => id));
}

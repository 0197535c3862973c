// Stores Discord's events in the order in which they came, before any work on them. The client hands them over without waiting, so they wait here;
// what waited when a process was killed is found again by searching the channels.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../../src/context.ts';
import { noteMessages, type SeenMessage } from '../../src/services/chat/channels.ts';
import { isUnstorable, type News } from '../../src/services/chat/inbox.ts';
import { keepInteractions, type NewInteraction } from '../../src/services/chat/interactions.ts';
import { type GroupMessage, type Reaction, recordGroupNews } from '../../src/services/chat/reactions.ts';

const STORE_RETRY_MS = 1_000;
const AT_A_TIME = 100;
/** While the database is away this many wait; what comes beyond is searched in the channels later. */
const MOST_WAITING = 10_000;

export type Arrival = {
  news: News;
  /** Where it stood, for a message. */
  place: SeenMessage | null;
  interaction: NewInteraction | null;
  /** Who wrote it, for a message in a server. */
  written?: GroupMessage;
  reaction?: Reaction;
};

export type Intake = {
  take(arrival: Arrival): void;
  /** Resolves when everything that was taken so far is stored. */
  stored(): Promise<void>;
  /** Until it is complete, no channel counts as known further than before: something older may be missing. */
  setComplete(complete: boolean): Promise<void>;
};

type Listeners = {
  /** Something new lies in the inbox. */
  onStored(): void;
  /** A new interaction is stored and waits to be acknowledged. */
  onInteraction(interaction: NewInteraction, key: string): void;
  /** Something was dropped: the channels must be searched. */
  onLoss(): void;
};

export function createIntake(ctx: Ctx, botId: string, listeners: Listeners): Intake {
  let waiting: Arrival[] = [];
  let running: Promise<void> | null = null;
  let complete = false;
  let unnoted: SeenMessage[] = [];

  function take(arrival: Arrival): void {
    if (waiting.length >= MOST_WAITING) {
      complete = false;
      listeners.onLoss();
      return;
    }
    waiting.push(arrival);
    running ??= run();
  }
  /** Ends in the same step in which it sees that nothing waits: what came between the two would lie until the next event. */
  async function run(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, AT_A_TIME);
        await storeSurely(batch);
        waiting = waiting.slice(batch.length);
      }
    } finally {
      running = null;
    }
  }

  /** Tries until the database takes it. What it refuses for its data is dropped alone. */
  async function storeSurely(batch: Arrival[]): Promise<void> {
    for (;;) {
      try {
        await store(batch);
        return;
      } catch (err) {
        if (ctx.shutdown.closing()) return;
        if (isUnstorable(err)) {
          if (batch.length === 1) ctx.log.error({ err }, 'an event has data that cannot be stored; it is dropped');
          else for (const one of batch) await storeSurely([one]);
          return;
        }
        ctx.log.error({ err, events: batch.length }, 'events of Discord could not be stored; they are tried again');
        await sleep(STORE_RETRY_MS);
      }
    }
  }

  async function store(batch: Arrival[]): Promise<void> {
    await keepInteractions(
      ctx,
      batch.flatMap(({ interaction }) => interaction ?? []),
    );
    const reactions = batch.flatMap(({ reaction }) => reaction ?? []);
    const fresh = await recordGroupNews(ctx, 'discord', {
      news: batch.map(({ news }) => news),
      messages: batch.flatMap(({ written }) => written ?? []),
      reactions,
    });
    for (const { news, interaction } of batch) {
      const key = news.entry?.key;
      if (key && interaction && fresh.delete(key)) listeners.onInteraction(interaction, key);
    }
    const isTipped = reactions.some(({ key }) => fresh.has(key));
    if (isTipped || batch.some(({ news }) => news.entry && !news.entry.held)) listeners.onStored();
    await note(batch.flatMap(({ place }) => place ?? []));
  }

  async function note(places: SeenMessage[]): Promise<void> {
    unnoted = [...unnoted, ...places.filter((place) => complete || place.isUsed)];
    if (!complete) return;
    const now = unnoted;
    unnoted = [];
    // How far a channel is known may lag behind: then something is read twice, and stored once.
    await noteMessages(ctx, botId, now).catch((err: unknown) => ctx.log.warn({ err }, 'channels could not be noted'));
  }

  return {
    take,
    async stored() {
      while (running) await running;
    },
    async setComplete(value) {
      complete = value;
      if (value) await note([]);
    },
  };
}

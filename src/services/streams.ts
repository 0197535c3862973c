// Responses that are held open for watchers: how many there may be, how long one lasts, and one query a second for all of a process.
import type { Ctx } from '../context.ts';
import { AppError } from '../domain/errors.ts';

/** A watcher. `who` is what the limit counts by; `end` says that nothing follows. */
export type Held = { who: string; end(): void };

export type HeldStreams<One extends Held> = {
  all(): One[];
  /** For a caller that reads something before there is anything to hold. @throws AppError `rate_limited` as `hold` does */
  refuseWithoutRoom(who: string): void;
  /** Holds one from now on. @throws AppError `rate_limited` when there are too many */
  hold(one: One): void;
  /** Takes one away that has left by itself. */
  drop(one: One): void;
  end(one: One): void;
  /** One query of everything that is watched; by itself it runs every second while there is a watcher. */
  look(): Promise<void>;
  count(): number;
};

const LOOK_EVERY_MS = 1_000;
/** Then the page connects again: nothing is held for a client that went to sleep. */
const LONGEST_MS = 30 * 60_000;
const STREAMS = { perCaller: 20, total: 2_000 } as const;

/**
 * @param what for the log: "orders"
 * @param lookAt tells each what is new to it; what fails is looked at again in the next round
 * @param onDrop forgets what was known for one
 */
export function createHeldStreams<One extends Held>(
  ctx: Ctx,
  what: string,
  { lookAt, onDrop = () => {} }: { lookAt(all: One[]): Promise<void>; onDrop?: (one: One) => void },
): HeldStreams<One> {
  /** Since when. */
  const held = new Map<One, number>();
  let closes = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const all = () => [...held.keys()];

  function drop(one: One): void {
    if (held.delete(one)) onDrop(one);
  }

  function end(one: One): void {
    drop(one);
    one.end();
  }

  async function look(): Promise<void> {
    const now = ctx.clock.now();
    for (const [one, since] of [...held]) if (now - since >= LONGEST_MS) end(one);
    if (held.size > 0) await lookAt(all());
  }

  /** Runs while there is a watcher. */
  async function round(): Promise<void> {
    try {
      await look();
    } catch (err) {
      ctx.log.warn({ err }, `${what} that are watched could not be looked at`);
    }
    timer = held.size > 0 ? setTimeout(run, LOOK_EVERY_MS) : undefined;
  }
  function run(): void {
    running = round();
  }

  /** Closed before the server, which waits for what it is answering: hence with the first watcher and not at start. */
  function begin(): void {
    timer ??= setTimeout(run, LOOK_EVERY_MS);
    if (closes) return;
    closes = true;
    ctx.shutdown.onClose(`streams of ${what}`, async () => {
      for (const one of all()) end(one);
      await running;
      clearTimeout(timer);
    });
  }

  function refuseWithoutRoom(who: string): void {
    const mine = all().filter((one) => one.who === who).length;
    if (mine >= STREAMS.perCaller || held.size >= STREAMS.total || ctx.shutdown.closing())
      throw new AppError('rate_limited', 'Too many pages are open. Close some, then try again.', {
        retryAfterMs: 10_000,
      });
  }

  return {
    all,
    refuseWithoutRoom,
    hold(one) {
      refuseWithoutRoom(one.who);
      begin();
      held.set(one, ctx.clock.now());
    },
    drop,
    end,
    look,
    count: () => held.size,
  };
}

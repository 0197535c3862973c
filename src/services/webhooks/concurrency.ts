// The concurrency of a dispatcher: which endpoints have something due, how much of each is under way, and the rate of each host. Nothing of it is
// needed after a restart.
import { allotSlots, type Contender } from '../../domain/deliverySlots.ts';

export type Listed = { id: string; host: string; isFailing: boolean };
export type Grant = { endpointId: string; slots: number };

export type Slots = {
  /** What a poll of the rows found. */
  offer(listed: Listed[]): void;
  /** Takes as many places as may be used now, in turn. */
  take(): Grant[];
  /** What was found for the places that were taken: the rest is free again, and an endpoint with less than it might have sent waits for the next poll. */
  found(grants: Grant[], counts: ReadonlyMap<string, number>): void;
  /** One of an endpoint's deliveries is over. */
  free(endpointId: string, how: { isFailing: boolean; isSlow: boolean }): void;
  /** An endpoint that nothing more is sent to. */
  forget(endpointId: string): void;
  isHungry(): boolean;
  underWay(): number;
  /** In how many milliseconds a host may be sent to again that was sent to too fast; Infinity when none waits for that. */
  waitMs(): number;
};

type Known = Contender & { isHungry: boolean };
type Level = { tokens: number; at: number };

/** This share of a second's deliveries may go at once. */
const BURST = 0.1;

/**
 * @param monotonicMs the rate at which hosts are sent to is one of real time: a clock that is moved, or stands, neither hastens nor stops it
 */
export function createSlots(perSecond: number, monotonicMs: () => number = () => performance.now()): Slots {
  /** In the order in which they were served: the one that got nothing for longest comes first. */
  const known = new Map<string, Known>();
  const levels = new Map<string, Level>();
  const burst = Math.max(1, perSecond * BURST);

  /** A host that is not known has its whole burst. */
  function tokensOf(host: string): number {
    const level = levels.get(host);
    if (!level) return burst;
    return Math.min(burst, level.tokens + ((monotonicMs() - level.at) * perSecond) / 1_000);
  }

  function spend(host: string, tokens: number): void {
    const left = tokensOf(host) - tokens;
    if (left >= burst) levels.delete(host);
    else levels.set(host, { tokens: left, at: monotonicMs() });
  }

  function tidy(one: Known): void {
    if (!one.isHungry && one.underWay <= 0) known.delete(one.id);
  }

  return {
    offer(listed) {
      for (const { id, host, isFailing } of listed) {
        const one = known.get(id);
        if (one) Object.assign(one, { host, isFailing, isHungry: true });
        else known.set(id, { id, host, isFailing, isSlow: false, isHungry: true, underWay: 0 });
      }
      for (const host of levels.keys()) if (tokensOf(host) >= burst) levels.delete(host);
    },
    take() {
      const given = allotSlots([...known.values()], tokensOf);
      return [...given].flatMap(([endpointId, slots]) => {
        const one = known.get(endpointId);
        if (!one) return [];
        one.underWay += slots;
        spend(one.host, slots);
        known.delete(endpointId);
        known.set(endpointId, one);
        return [{ endpointId, slots }];
      });
    },
    found(grants, counts) {
      for (const { endpointId, slots } of grants) {
        const one = known.get(endpointId);
        const unused = slots - (counts.get(endpointId) ?? 0);
        if (!one || unused === 0) continue;
        one.underWay -= unused;
        one.isHungry = false;
        spend(one.host, -unused);
        tidy(one);
      }
    },
    free(endpointId, { isFailing, isSlow }) {
      const one = known.get(endpointId);
      if (!one) return;
      one.underWay -= 1;
      one.isFailing = isFailing;
      one.isSlow = isSlow;
      tidy(one);
    },
    forget(endpointId) {
      const one = known.get(endpointId);
      if (!one) return;
      one.isHungry = false;
      tidy(one);
    },
    isHungry: () => [...known.values()].some((one) => one.isHungry),
    underWay: () => [...known.values()].reduce((sum, one) => sum + one.underWay, 0),
    waitMs() {
      const hosts = new Set([...known.values()].filter((one) => one.isHungry).map((one) => one.host));
      const waits = [...hosts].map((host) => ((1 - tokensOf(host)) * 1_000) / perSecond).filter((ms) => ms > 0);
      return Math.min(...waits);
    },
  };
}

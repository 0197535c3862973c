// Who may send how much at once: places are shared out in turn, so that neither a slow endpoint nor a busy host takes what others need.

/** An endpoint that has something due, and how many of its deliveries are under way. `isSlow`: it took long to answer the last one. */
export type Contender = { id: string; host: string; isFailing: boolean; isSlow: boolean; underWay: number };

/** The most that may be under way at once, from one process. */
export const MOST = {
  endpoint: 10,
  /** For an endpoint without a recent success. */
  failingEndpoint: 4,
  host: 32,
  total: 512,
  /** Of the total, for all failing and slow endpoints together: they take time, and must not take it from others. */
  long: 256,
} as const;

/**
 * Shares free places out, one to each in turn until none is left or no contender may have more.
 * @param contenders the one that waited longest first; also those that only have something under way, with `isHungry` false
 * @param hostAllowance how many more a host may be sent by its rate
 * @returns for each endpoint that may send, how many
 */
export function allotSlots(
  contenders: readonly (Contender & { isHungry: boolean })[],
  hostAllowance: (host: string) => number,
): Map<string, number> {
  const hosts = new Map<string, { free: number }>();
  let free: number = MOST.total;
  let freeForLong: number = MOST.long;
  for (const { host, underWay, isFailing, isSlow } of contenders) {
    const room = hosts.get(host) ?? { free: MOST.host };
    room.free -= underWay;
    hosts.set(host, room);
    free -= underWay;
    if (isFailing || isSlow) freeForLong -= underWay;
  }
  for (const [host, room] of hosts) room.free = Math.min(room.free, hostAllowance(host));
  const given = new Map<string, number>();
  let waiting = contenders.filter(({ isHungry }) => isHungry);
  while (waiting.length > 0 && free > 0) {
    const served: typeof waiting = [];
    for (const one of waiting) {
      const room = hosts.get(one.host);
      const has = given.get(one.id) ?? 0;
      const most = one.isFailing ? MOST.failingEndpoint : MOST.endpoint;
      const isLong = one.isFailing || one.isSlow;
      const isFull = one.underWay + has >= most || (isLong && freeForLong <= 0);
      if (isFull || !room || room.free < 1 || free <= 0) continue;
      given.set(one.id, has + 1);
      room.free -= 1;
      free -= 1;
      if (isLong) freeForLong -= 1;
      served.push(one);
    }
    waiting = served;
  }
  return given;
}

// A signal between loops: a wait ends with the first raise, one since it was last read included.
export type Signal = {
  raise(): void;
  /** How often it was raised so far. */
  count(): number;
  /** @param seen the count that the caller acted on; @param ms when the wait ends without a raise */
  wait(seen: number, ms: number): Promise<void>;
};

export function createSignal(): Signal {
  let count = 0;
  const waits = new Set<() => void>();
  function raised(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => end(), ms);
      const end = () => {
        clearTimeout(timer);
        waits.delete(end);
        resolve();
      };
      waits.add(end);
    });
  }
  return {
    raise() {
      count += 1;
      for (const end of waits) end();
    },
    count: () => count,
    async wait(seen, ms) {
      if (count === seen && ms > 0) await raised(ms);
      // What else ends in the same moment is seen together.
      await new Promise<void>((resolve) => setImmediate(resolve));
    },
  };
}

// Work that one tab of this browser does at a time.

/** @throws Error with `busy` while another tab does it */
export async function alone<T>(name: string, busy: string, run: () => Promise<T>): Promise<T> {
  // Pages that are not secure have no locks.
  if (!navigator.locks) return run();
  return (await navigator.locks.request(name, { ifAvailable: true }, (lock) => {
    if (lock === null) throw new Error(busy);
    return run();
  })) as T;
}

// Batches single items: what comes while a batch is under way makes the next one, so an item that comes alone waits for nothing.

/**
 * Makes one function for single items out of one that does many at a time. A batch that fails is done again one by one, so that one bad item
 * fails alone.
 * @param run does a batch and answers nothing; a batch has at most `most` items
 */
export function gather<Item>(run: (items: Item[]) => Promise<void>, most: number): (item: Item) => Promise<void> {
  type Waiting = { item: Item; done: () => void; failed: (error: unknown) => void };
  let waiting: Waiting[] = [];
  let running = false;

  async function runAll(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      try {
        await run(batch.map(({ item }) => item));
        for (const { done } of batch) done();
      } catch (error) {
        if (batch.length === 1) batch[0]?.failed(error);
        else for (const { item, done, failed } of batch) await run([item]).then(done, failed);
      }
    }
    running = false;
  }
  return (item) =>
    new Promise((done, failed) => {
      waiting.push({ item, done, failed });
      if (!running) void runAll();
    });
}

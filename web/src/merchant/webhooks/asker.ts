// Refetches on demand, one request at a time: a refetch cancels the request in flight, so under constant changes
// no response would ever arrive.
export type Asker = {
  /** Something changed: refetches at once if idle, else after the response and a pause. */
  ask(): void;
  end(): void;
};

/** @param spacingMs from one answer to the next question */
export function createAsker(question: () => Promise<unknown>, spacingMs: number): Asker {
  let isAsking = false;
  let again = false;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function ask(): void {
    again = true;
    if (isAsking || isOver) return;
    isAsking = true;
    again = false;
    const rest = () => {
      timer = setTimeout(() => {
        isAsking = false;
        if (again) ask();
      }, spacingMs);
    };
    void question().then(rest, rest);
  }

  return {
    ask,
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

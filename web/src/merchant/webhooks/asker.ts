// Asks anew when it is told to, one question at a time: to ask while an answer is on its way would take that away, and where something changes all
// the time no answer would ever arrive.
export type Asker = {
  /** Something changed: at once where nobody asked lately, else after the answer and a pause. */
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

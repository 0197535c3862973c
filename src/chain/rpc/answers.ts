// What several endpoints answer to one question, taken as it comes: one that hangs is not waited for once enough have answered.

/** After the first answer, an endpoint that is silent is waited for no longer than this where nothing final depends on it. */
export const PATIENCE_MS = 500;

/**
 * @param isEnough of what has been answered so far, in the order in which it came
 * @param patienceMs how long those that are silent are waited for after the first answer; by default until each has answered or failed
 */
export function answersUntil<T>(
  asked: readonly Promise<T>[],
  isEnough: (answers: readonly T[]) => boolean,
  patienceMs?: number,
): Promise<T[]> {
  return new Promise((resolve) => {
    const answers: T[] = [];
    let open = asked.length;
    let timer: NodeJS.Timeout | undefined;
    const end = () => {
      clearTimeout(timer);
      resolve([...answers]);
    };
    const close = () => {
      open -= 1;
      if (open === 0) end();
    };
    if (open === 0) end();
    for (const one of asked)
      one.then((answer) => {
        answers.push(answer);
        if (isEnough(answers)) end();
        else if (patienceMs !== undefined) timer ??= setTimeout(end, patienceMs);
        close();
      }, close);
  });
}

/** Answers that are the same, as soon as there are enough of them; null when there never are. */
export async function alike<T>(
  asked: readonly Promise<T>[],
  sameness: (answer: T) => string,
  enough: number,
): Promise<T[] | null> {
  const groupOf = (answers: readonly T[], one: T) => answers.filter((other) => sameness(other) === sameness(one));
  const find = (answers: readonly T[]) =>
    answers.map((one) => groupOf(answers, one)).find((group) => group.length >= enough);
  return find(await answersUntil(asked, (answers) => find(answers) !== undefined)) ?? null;
}

/** Once one of them took what was sent. @throws Error where all refused it: what the first one said */
export async function takenByAny(sent: readonly Promise<unknown>[]): Promise<void> {
  await Promise.any(sent).catch((error: AggregateError) => {
    throw error.errors[0];
  });
}

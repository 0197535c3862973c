// Short IDs, as tables show them, on the command line: each stands for the one ID that ends in it.
import { CallError } from './failure.ts';
import { shortId } from './tables.ts';

type Listed = { id: string };

/** How many of the newest are looked through. */
const REACH = 1_000;

/**
 * The whole ID of a short one. Anything else stays as it is, for the service to judge.
 * @param all newest first
 * @throws CallError where none of the newest, or more than one, is meant
 */
export async function wholeId(text: string, all: () => AsyncIterable<Listed> | Iterable<Listed>): Promise<string> {
  if (!/^[a-z]+_[0-9a-z]{8}$/.test(text)) return text;
  const found = new Set<string>();
  let seen = 0;
  for await (const { id } of all()) {
    if (shortId(id) === text) found.add(id);
    seen += 1;
    if (seen === REACH) break;
  }
  const [id] = found;
  if (id !== undefined && found.size === 1) return id;
  throw new CallError(
    id === undefined
      ? `${text} not found among the newest ${seen}. Check it, or use the full ID, which lists show with --wide.`
      : `${text} is ambiguous: ${[...found].join(', ')}. Use the full ID.`,
    { code: id === undefined ? 'resource_missing' : 'id_ambiguous', param: 'id' },
  );
}

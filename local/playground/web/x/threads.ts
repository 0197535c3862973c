// The IDs of the conversations that this browser started on the local X, newest first; X has no call that lists them.
const KEY = 'playground-x';
const MOST = 20;

/** @param url of the X server: another stack has other posts */
export function readThreads(url: string): string[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as { url: string; ids: string[] } | null;
    return kept?.url === url ? kept.ids : [];
  } catch {
    return [];
  }
}

export function keepThread(url: string, id: string): string[] {
  const ids = [id, ...readThreads(url).filter((one) => one !== id)].slice(0, MOST);
  localStorage.setItem(KEY, JSON.stringify({ url, ids }));
  return ids;
}

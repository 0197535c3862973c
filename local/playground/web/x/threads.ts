// The conversations that this browser has begun on the local X, newest first: X shows a conversation to whoever knows its first post.
const KEY = 'playground-x';
const MOST = 20;

/** @param url of the server: another stack has other posts */
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

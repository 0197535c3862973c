// What the document brought with it: the service's answer to the first question of its page, so that the page is there at once.
import { noteClock } from './api.ts';

type FirstAnswer = { path: string; at: number; body: unknown };
let first: FirstAnswer | null | undefined;

/** @param path of a GET, under /api. The answer may be as old as the browser's history: show it, and ask again. */
export function firstAnswer<T>(path: string): T | undefined {
  if (first === undefined) {
    const text = document.getElementById('answer')?.textContent;
    first = text ? (JSON.parse(text) as FirstAnswer) : null;
    const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    if (first && visit?.type !== 'back_forward') noteClock(first.at);
  }
  return first?.path === path ? (first.body as T) : undefined;
}

// A plan's button for other sites: a link with its own look, without a script.
import { padAmount } from '../../app/format.ts';
import { everyWords } from '../../app/spans.ts';
import type { PlanView } from './plansApi.ts';

const LOOK =
  'display:inline-block;padding:12px 20px;border-radius:8px;background:#0f5c3f;color:#fff;font:600 16px system-ui,sans-serif;text-decoration:none';

/** HTML that can stand in any page. */
export function embedOf({
  name,
  amount,
  currency,
  period,
  url,
}: Pick<PlanView, 'name' | 'amount' | 'currency' | 'period' | 'url'>): string {
  const text = `Subscribe to ${name}: ${padAmount(amount)} ${currency} ${everyWords(period)}`;
  return `<a href="${escaped(url)}" style="${LOOK}">${escaped(text)}</a>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

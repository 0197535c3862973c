// The buttons under a refusal: one press to the page that solves it.
import type { Ctx } from '../../src/context.ts';
import type { Language } from '../../src/domain/language.ts';
import type { Refusal } from '../../src/domain/plan.ts';
import type { Adapter, ButtonView } from '../adapter.ts';
import { say } from './say.ts';

type PageButton = {
  label:
    | 'button-spending'
    | 'button-change-limit'
    | 'button-top-up'
    | 'button-resume'
    | 'button-settings'
    | 'button-refund';
  path: string;
};

const CHANGE_LIMIT: PageButton = { label: 'button-change-limit', path: '/spending' };
const RESUME: PageButton = { label: 'button-resume', path: '/spending' };
const TOP_UP: PageButton = { label: 'button-top-up', path: '/receive' };
const SETTINGS: PageButton = { label: 'button-settings', path: '/settings' };

const BY_REFUSAL: Partial<Record<Refusal['code'], PageButton>> = {
  sender_receive_only: { label: 'button-spending', path: '/spending' },
  sender_paused: RESUME,
  sender_no_wallet: SETTINGS,
  sender_not_on_chain: SETTINGS,
  balance_low: TOP_UP,
  not_bridged: TOP_UP,
  command_cap: CHANGE_LIMIT,
  day_cap: CHANGE_LIMIT,
  allowance_low: CHANGE_LIMIT,
  limit_per_tip: CHANGE_LIMIT,
  limit_per_day: CHANGE_LIMIT,
  limit_fee: CHANGE_LIMIT,
  chain_refused: CHANGE_LIMIT,
};

const BY_PAGE: Record<string, PageButton> = {
  resume: RESUME,
  refund: { label: 'button-refund', path: '/tabs' },
  settings: SETTINGS,
};

const NEEDS_CONNECTION = new Set(['sender_not_connected', 'sender_disconnected', 'pending_limited']);

/** @param word the command's name, for the code `use_page` */
export function remediesOf(
  ctx: Ctx,
  adapter: Adapter,
  language: Language,
  { code, word = '' }: { code: string; word?: string },
): ButtonView[][] {
  if (NEEDS_CONNECTION.has(code)) return [[adapter.connectButton(say(language, 'button-connect-first'))]];
  const button = code === 'use_page' ? (BY_PAGE[word] ?? SETTINGS) : BY_REFUSAL[code as Refusal['code']];
  return button ? [[{ label: say(language, button.label), url: new URL(button.path, ctx.env.BASE_URL).href }]] : [];
}

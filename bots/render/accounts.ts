// Renders notices about an account: what was connected or disconnected, its wallet, its right to spend, its webhook endpoints.
import type { Ctx } from '../../src/context.ts';
import type { Language } from '../../src/domain/language.ts';
import { FAMILY_LABELS } from '../../src/domain/walletFamily.ts';
import { type WalletChangeNotice, walletChangeNotice } from '../../src/services/accounts/walletChanges.ts';
import type { ReplyData } from '../../src/services/outbox/content.ts';
import type { DueReply } from '../../src/services/outbox/due.ts';
import type { Rendered } from '../adapter.ts';
import { inUtc } from './dates.ts';
import { pageUrl, plain, type RenderContext, settingsButton, spendingButton } from './message.ts';
import { shortHash } from './receipt.ts';
import { remediesOf } from './remedies.ts';
import { say } from './say.ts';

/** In the chats of a handle: an account was connected to it, or its payout wallet changes. */
export async function renderNotice(
  ctx: Ctx,
  reply: DueReply<'notice'>,
  { language }: RenderContext,
): Promise<Rendered> {
  const { data } = reply;
  if ('account' in data) return plain(connectionText(language, data.account), [[settingsButton(ctx, language)]]);
  const change = await walletChangeNotice(ctx, data.changeId, reply);
  const mayChoose = change.status === 'applied' && change.connected && !change.isAddition;
  const button = mayChoose ? spendingButton(ctx, language) : settingsButton(ctx, language);
  return plain(walletText(language, change), [[button]]);
}

type Account = Extract<ReplyData<'notice'>, { account: object }>['account'];

function connectionText(language: Language, { platform, handle, username, platformUserId: id }: Account): string {
  return say(language, 'notice-connected', {
    platform: platform.charAt(0).toUpperCase() + platform.slice(1),
    account: username
      ? say(language, 'notice-account-named', { username, id })
      : say(language, 'notice-account-nameless', { id }),
    handle,
  });
}

function walletText(language: Language, change: WalletChangeNotice): string {
  const about = { handle: change.slug, wallet: shortHash(change.newAddress) };
  if (change.isAddition) return additionText(language, change, { ...about, family: FAMILY_LABELS[change.family] });
  const where = { ...about, place: change.family === 'solana' ? ` ${say(language, 'notice-on-solana')}` : '' };
  switch (change.status) {
    case 'pending':
      return say(language, 'notice-wallet-pending', { ...where, date: inUtc(language, change.effectiveAt) });
    case 'applied':
      return say(language, change.connected ? 'notice-wallet-changed' : 'notice-wallet-changed-elsewhere', where);
    default:
      return say(language, 'notice-wallet-stays', where);
  }
}

function additionText(
  language: Language,
  { status, effectiveAt }: WalletChangeNotice,
  about: { handle: string; wallet: string; family: string },
): string {
  switch (status) {
    case 'pending':
      return say(language, 'notice-wallet-adding', { ...about, date: inUtc(language, effectiveAt) });
    case 'applied':
      return say(language, 'notice-wallet-added', about);
    default:
      return say(language, 'notice-wallet-not-added', about);
  }
}

/** By the account itself, or elsewhere: then its handle is named. */
export function renderDisconnected(ctx: Ctx, reply: DueReply<'disconnected'>, { language }: RenderContext): Rendered {
  const { handle } = reply.data;
  if (handle === undefined) return plain(say(language, 'disconnected'));
  return plain(say(language, 'disconnected-elsewhere', { handle }), [[settingsButton(ctx, language)]]);
}

/** In the chats of a handle: its wallet gave one of them the right to spend. */
export function renderRight(_: Ctx, reply: DueReply<'right'>, { language }: RenderContext): Rendered {
  const { own, commandCap, dayCap } = reply.data;
  const caps = { perCommand: { usd: commandCap }, perDay: { usd: dayCap } };
  return plain(say(language, own ? 'notice-right-own' : 'notice-right-other', caps));
}

/** In the chats of a workspace: an endpoint of its was disabled. */
export function renderEndpointDisabled(
  ctx: Ctx,
  reply: DueReply<'endpoint_disabled'>,
  { language }: RenderContext,
): Rendered {
  const { host, reason, livemode } = reply.data.endpoint;
  const lines = [
    say(language, `notice-endpoint-${reason}`, { host }),
    ...(livemode ? [] : [say(language, 'notice-endpoint-test')]),
  ];
  const button = { label: say(language, 'button-webhooks'), url: pageUrl(ctx, '/webhooks') };
  return plain(lines.join('\n'), [[button]]);
}

export function renderPaused(ctx: Ctx, _: DueReply<'paused'>, { adapter, language }: RenderContext): Rendered {
  return plain(say(language, 'paused'), remediesOf(ctx, adapter, language, { code: 'sender_paused' }));
}

// Renders one-time links: the link in the direct chat, the question after it was redeemed, and the pointer in public.
import type { Ctx } from '../../src/context.ts';
import type { Language } from '../../src/domain/language.ts';
import { type ChatLink, chatLink } from '../../src/services/accounts/connectLinks.ts';
import type { DueReply } from '../../src/services/outbox/due.ts';
import type { Adapter, Rendered } from '../adapter.ts';
import { chatButton, choice, pageUrl, plain, type RenderContext, spendingButton } from './message.ts';
import { say } from './say.ts';

/** The secret stands behind the #, which no browser sends to a server. */
export async function renderLink(ctx: Ctx, reply: DueReply<'link'>, { language }: RenderContext): Promise<Rendered> {
  const link = await chatLink(ctx, reply.data.linkId);
  const url = link.secret === null ? null : `${pageUrl(ctx, '/connect')}#${link.secret}`;
  const buttons = url === null ? [] : [[{ label: say(language, 'button-connect'), url }]];
  return plain(linkText(language, link), buttons);
}

function linkText(language: Language, { status }: ChatLink): string {
  if (status === 'open') return say(language, 'link-open');
  return say(language, status === 'expired' ? 'link-expired' : 'link-used');
}

export async function renderLinkQuestion(
  ctx: Ctx,
  reply: DueReply<'link_question'>,
  { language }: RenderContext,
): Promise<Rendered> {
  const link = await chatLink(ctx, reply.data.linkId);
  const [yes, no] = [say(language, 'button-connect'), say(language, 'button-no')];
  const buttons = link.status === 'redeemed' ? choice(reply, yes, no) : [];
  if (link.status === 'confirmed') buttons.push([spendingButton(ctx, language)]);
  return plain(linkQuestionText(language, link), buttons);
}

/** The question, then what came of it. */
function linkQuestionText(language: Language, link: ChatLink): string {
  const { handle, username, displayName, platformUserId: id } = link;
  switch (link.status) {
    case 'redeemed':
      return say(language, 'link-ask', {
        account: username ? `@${username}` : (displayName ?? say(language, 'link-account', { id })),
        handle,
      });
    case 'confirmed':
      return say(language, 'link-confirmed', { handle });
    case 'declined':
      return say(language, 'link-declined');
    default:
      return say(language, 'link-closed');
  }
}

/** In public: the answer is in the direct chat, or the direct chat refuses it until it is opened. */
export function renderPointer(
  _: Ctx,
  reply: DueReply<'link_sent' | 'guest_private'>,
  { adapter, language }: RenderContext,
): Rendered {
  if (reply.data.refused) return openChat(adapter, language);
  const text = say(language, reply.kind === 'link_sent' ? 'link-sent' : 'guest-private');
  return plain(text, [[chatButton(adapter, language)]]);
}

export function renderOpenChat(_: Ctx, _reply: DueReply<'open_chat'>, { adapter, language }: RenderContext): Rendered {
  return openChat(adapter, language);
}

function openChat(adapter: Adapter, language: Language): Rendered {
  return plain(say(language, 'open-chat'), [[chatButton(adapter, language)]]);
}

// Renders help, the welcome of a new direct chat, and errors of commands.
import type { Ctx } from '../../src/context.ts';
import type { DueReply } from '../../src/services/outbox/due.ts';
import { servedAssets, servedChains } from '../../src/services/tips/chainChoice.ts';
import type { Rendered } from '../adapter.ts';
import { examplesOf } from './examples.ts';
import { chatButton, pageUrl, plain, type RenderContext } from './message.ts';
import { type ErrorPlace, errorText } from './refusals.ts';
import { remediesOf } from './remedies.ts';
import { say } from './say.ts';

export function renderHelp(ctx: Ctx, { data }: DueReply<'help'>, context: RenderContext): Rendered {
  const { adapter, language } = context;
  if (data.inGroup) {
    const text = say(language, 'help-group', { tip: examplesOf(language, adapter.platform).tip });
    return { ...plain(text, [[chatButton(adapter, language)]]), ...onlyFor(data) };
  }
  if (data.isStart) return renderStart(ctx, context);
  const text =
    adapter.platform === 'discord'
      ? say(language, 'help-discord', { bot: adapter.botUsername })
      : say(language, 'help-telegram');
  return plain(text, [[{ label: say(language, 'button-more'), url: pageUrl(ctx, '/') }]]);
}

function renderStart(ctx: Ctx, { adapter, language }: RenderContext): Rendered {
  return plain(say(language, 'start', { tip: examplesOf(language, adapter.platform).tip }), [
    [adapter.connectButton(say(language, 'button-connect'))],
    [
      { label: say(language, 'button-try'), url: pageUrl(ctx, '/') },
      { label: say(language, 'button-fees'), url: pageUrl(ctx, '/#fees') },
    ],
  ]);
}

export function renderError(ctx: Ctx, reply: DueReply<'error'>, { adapter, language }: RenderContext): Rendered {
  const text = errorText(language, reply.data, errorPlace(ctx, adapter));
  return { ...plain(text, remediesOf(ctx, adapter, language, reply.data)), ...onlyFor(reply.data) };
}

/** What an error's text needs to know of where it is read and of this deployment. */
export function errorPlace(ctx: Ctx, { platform }: { platform: string }): ErrorPlace {
  return { platform, chains: servedChains(ctx), assets: servedAssets(ctx), now: ctx.clock.now() };
}

function onlyFor({ userId }: { userId?: string | undefined }): Pick<Rendered, 'onlyFor'> {
  return userId === undefined ? {} : { onlyFor: userId };
}

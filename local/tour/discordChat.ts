// The tour's chat on Discord: a channel of a server, with answers that one person alone sees.
import type { Shown } from '../platforms/discord/hub.ts';
import type { LocalFile } from '../stack/localFile.ts';
import type { Person } from '../stack/people.ts';
import { type Button, type Chat, callJson, isChoice, type Said } from './chat.ts';
import { check, until } from './tour.ts';

type RawButton = { label?: string; custom_id?: string; url?: string };

export function discordChat(local: LocalFile): Chat {
  const { url, channel_id: channel, bot } = local.platforms.discord;
  const messages = () => callJson<Shown[]>(`${url}/_user/messages?channel_id=${channel}`);
  const shown = ({ id, content, components }: Shown): Said => ({ id, text: content, buttons: buttonsIn(components) });
  const forAlone = async ({ discord }: Person) =>
    (await messages()).filter((one) => one.visible_to === discord.id).map(shown);
  const press = (who: Person, message: Said, token: string) =>
    callJson(`${url}/_user/components`, {
      message_id: message.id,
      channel_id: channel,
      user: who.discord,
      custom_id: token,
    });
  return {
    name: 'Discord',
    command: (text) => `<@${bot.id}> ${text}`,
    at: ({ discord }) => `<@${discord.id}>`,
    async write(who, content, replyTo) {
      const reply = replyTo === undefined ? {} : { message_reference: { message_id: replyTo } };
      const body = { channel_id: channel, author: who.discord, content, ...reply };
      const { message_id } = await callJson<{ message_id: string }>(`${url}/_user/messages`, body);
      return { id: message_id, thread: channel };
    },
    async answers({ id }) {
      const said = (await messages()).filter((one) => one.author.id === bot.id);
      return said.filter((one) => one.message_reference?.message_id === id).map(shown);
    },
    async agree(who, question) {
      const token = question.buttons.find(({ token: one }) => one)?.token;
      check(token !== undefined, 'the question has a button to send');
      await press(who, question, token);
    },
    async askForLink(who) {
      await callJson(`${url}/_user/interactions`, { name: 'connect', user: who.discord, channel_id: channel });
      return until(
        'the link, for their eyes only',
        async () =>
          (await forAlone(who)).flatMap(({ buttons }) => buttons).find((button) => button.url?.includes('#'))?.url,
      );
    },
    async confirmLink(who) {
      const question = await until('the question in the chat', async () =>
        (await forAlone(who)).findLast(({ buttons }) => isChoice(buttons)),
      );
      await press(who, question, question.buttons.find(({ token }) => token)?.token ?? '');
      return until(
        'the connection',
        async () => (await forAlone(who)).find(({ text }) => text.startsWith('✅ Connected'))?.text,
      );
    },
  };
}

function buttonsIn(components: Shown['components']): Button[] {
  const rows = (components ?? []) as unknown as { components?: RawButton[] }[];
  return rows
    .flatMap((row) => row.components ?? [])
    .map(({ label = '', custom_id, url }) => ({ label, token: custom_id, url }));
}

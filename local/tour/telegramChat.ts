// The tour's chat on Telegram: a group, and direct chats beside it.
import { pressButton, readChat, type ShownMessage, typeMessage } from '../platforms/chatUser.ts';
import type { LocalFile } from '../stack/localFile.ts';
import type { Person } from '../stack/people.ts';
import { type Chat, isChoice, type Said } from './chat.ts';
import { check, until } from './tour.ts';

/** @param german the id of a person whose Telegram is in German */
export function telegramChat(local: LocalFile, german?: number): Chat {
  const { bot, group_chat_id: group } = local.platforms.telegram;
  const from = ({ telegram }: Person) => ({ ...telegram, language_code: telegram.id === german ? 'de' : 'en' });
  const shown = ({ message_id, text, reply_markup }: ShownMessage): Said => ({
    id: String(message_id),
    text,
    buttons: (reply_markup?.inline_keyboard.flat() ?? []).map((button) => ({
      label: button.text,
      token: button.callback_data,
      url: button.url,
    })),
  });
  const saidIn = async (chatId: number) => (await readChat(local, chatId)).filter((one) => one.from.id === bot.id);
  return {
    name: 'Telegram',
    command: (text) => `/${text}`,
    at: ({ telegram }) => `@${telegram.username}`,
    async write(who, text, replyTo) {
      const reply = replyTo === undefined ? undefined : Number(replyTo);
      const { message_id } = await typeMessage(local, from(who), group, text, reply);
      return { id: String(message_id), thread: String(group) };
    },
    async answers({ id }) {
      const said = await saidIn(group);
      return said.filter((one) => one.reply_to_message?.message_id === Number(id)).map(shown);
    },
    async agree(who, question) {
      const token = question.buttons.find(({ token: one }) => one)?.token;
      check(token !== undefined, 'the question has a button to send');
      await pressButton(local, from(who), group, Number(question.id), token);
    },
    async askForLink(who) {
      const { message_id } = await typeMessage(local, from(who), who.telegram.id, '/connect');
      return until('the link', async () => {
        const said = (await saidIn(who.telegram.id)).filter((one) => one.message_id > message_id).map(shown);
        return said.flatMap(({ buttons }) => buttons).find(({ url }) => url?.includes('#'))?.url;
      });
    },
    async confirmLink(who) {
      const chat = who.telegram.id;
      const question = await until('the question in the chat', async () =>
        (await saidIn(chat)).map(shown).findLast(({ buttons }) => isChoice(buttons)),
      );
      await pressButton(local, from(who), chat, Number(question.id), question.buttons[0]?.token ?? '');
      return until(
        'the connection',
        async () => (await saidIn(chat)).find(({ text }) => text.startsWith('✅ Connected'))?.text,
      );
    },
  };
}

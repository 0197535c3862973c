// A recipient gets a notice in the direct chat with the bot.
import { readChat, typeMessage } from '../platforms/chatUser.ts';
import type { Person } from '../stack/people.ts';
import { check, type Tour, until } from './tour.ts';

/** Opens the direct chat on Telegram: a bot may not begin there. */
export async function openDirectChat({ local }: Tour, who: Person): Promise<void> {
  await typeMessage(local, who.telegram, who.telegram.id, '/help');
  await until('the answer in the direct chat', async () => (await readChat(local, who.telegram.id)).length > 1);
}

/** Waits for the notice about a payment that was just made. */
export async function hearsOfIt(tour: Tour, who: Person, amount: string): Promise<void> {
  const notice = await until('the notice in the direct chat', async () =>
    (await readChat(tour.local, who.telegram.id)).find(({ text }) => text.startsWith(`You received ${amount}`)),
  );
  const labels = notice.reply_markup?.inline_keyboard.flat().map(({ text }) => text) ?? [];
  check(labels.includes('Turn off'), 'the notice can be turned off where it stands');
  const { text } = notice;
  tour.tell('Telegram: the bot tells him in their direct chat; a button turns such notices off.', { notice: text });
}

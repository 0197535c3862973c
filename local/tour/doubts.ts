// What the bot does where it is not sure, whom it tells of received money, and how an operator has X read again after a halt.
import { readChat, typeMessage } from '../chatUser.ts';
import { answered, callJson, finalReceipt, isReceipt } from './chat.ts';
import { moved, readLedger } from './ledger.ts';
import { pay } from './payments.ts';
import { check, type Tour, until } from './tour.ts';

const oneLine = (text: string) => text.replaceAll('\n', ' / ');

export async function doubts(tour: Tour): Promise<void> {
  await doubt(tour);
  await notice(tour);
  if (tour.killWorkers) await resume(tour);
}

/** `2 kr` could be kroner, or a note: nothing moves before the press. */
async function doubt(tour: Tour): Promise<void> {
  const { cast, chats, tell } = tour;
  const { discord } = chats;
  const before = await readLedger(tour);
  const typed = await discord.write(cast.rosa, discord.command(`tip ${discord.at(cast.sven)} 2 kr`));
  const question = await answered(discord, typed, ({ text, buttons }) => text.includes('kr') && buttons.length > 0);
  await moved(tour, before, {});
  await discord.agree(cast.rosa, question);
  const receipt = await answered(discord, typed, isReceipt);
  const transaction = await moved(tour, before, { rosa: '-2.05', sven: '2', treasury: '0.05' });
  tell(
    'Discord: Rosa types “tip Sven 2 kr”. The bot cannot tell a currency from a note, so it asks; she presses Send, and it is paid once.',
    {
      question: oneLine(question.text),
      receipt: oneLine(receipt.text),
      transaction,
    },
  );
}

async function notice(tour: Tour): Promise<void> {
  const { cast, chats, local, tell } = tour;
  const { sven } = cast;
  const direct = sven.telegram.id;
  const { message_id: opened } = await typeMessage(local, sven.telegram, direct, '/start');
  const isFromBot = ({ from }: { from: { id: number } }) => from.id === local.platforms.telegram.bot.id;
  await until('the answer to /start', async () =>
    (await readChat(local, direct)).some((one) => isFromBot(one) && one.message_id > opened),
  );
  const changes = { rosa: '-1.05', sven: '1', treasury: '0.05' };
  const tip = await pay(tour, chats.telegram, { by: 'rosa', text: `tip ${chats.telegram.at(sven)} 1`, changes });
  const said = await until('the notice', async () =>
    (await readChat(local, direct)).findLast((one) => isFromBot(one) && /You received .*USDC/s.test(one.text)),
  );
  await finalReceipt(chats.telegram, tip.written);
  tell('Telegram: Sven opened the bot’s chat once. When Rosa tips him in the group, the bot tells him there.', {
    notice: oneLine(said.text),
  });
}

/** X has no credit left: reading stops. The operator tops up and resumes, without a restart. */
async function resume(tour: Tour): Promise<void> {
  const { cast, chats, local, tell } = tour;
  const operations = `${local.base_url}/api/operations`;
  const headers = { authorization: `Bearer ${local.admin_secret}`, 'content-type': 'application/json' };
  const halted = async () => {
    const response = await fetch(`${operations}/overview`, { headers, signal: AbortSignal.timeout(30_000) });
    return ((await response.json()) as { x: { halted: string | null } }).x.halted;
  };
  await callJson(`${local.platforms.x.url}/_user/credits`, { micros: 0 });
  const why = await until('the halt of X', halted);
  await callJson(`${local.platforms.x.url}/_user/credits`, { micros: null });
  const before = await readLedger(tour);
  const typed = await chats.x.write(cast.rosa, chats.x.command(`tip ${chats.x.at(cast.sven)} 1`));
  const answer = await fetch(`${operations}/x/resume`, {
    ...{ method: 'POST', headers, body: '{}' },
    signal: AbortSignal.timeout(30_000),
  });
  check(answer.status === 200, `X is resumed (${answer.status}: ${await answer.text()})`);
  const receipt = await answered(chats.x, typed, isReceipt);
  await finalReceipt(chats.x, typed);
  const transaction = await moved(tour, before, { rosa: '-1.05', sven: '1', treasury: '0.05' });
  tell(
    'X: the account there has no credit left, so nothing is read. The operator tops up and resumes: what was posted meanwhile is paid.',
    {
      halted: why,
      receipt: oneLine(receipt.text),
      transaction,
    },
  );
}

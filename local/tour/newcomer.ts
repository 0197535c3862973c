// A person without an account: money waits for them, they connect on each platform, claim all of it in one go, and then pay by themselves.
import type { ClaimedEscrows, EscrowList, OneEscrow } from '../../src/http/api/escrowAnswers.ts';
import type { OneCall, SpendingOverview } from '../../src/http/api/spendingAnswers.ts';
import type { PendingTipList } from '../../src/http/api/waitingAnswers.ts';
import { answerTo, typeMessage, waitForAnswer } from '../platforms/chatUser.ts';
import type { Person } from '../stack/people.ts';
import { type Browser, openBrowser } from './browser.ts';
import { answered, type Chat, finalReceipt, isReceipt, type Written } from './chat.ts';
import { moved, readLedger } from './ledger.ts';
import { pay } from './payments.ts';
import { check, type Tour, until } from './tour.ts';

/** @param waiting what escrows of earlier steps hold for Theo, in USDC */
export async function newcomer(tour: Tour, waiting: number): Promise<void> {
  const { cast, chats, tell, local } = tour;
  const { theo } = cast;
  const more = await pay(tour, chats.telegram, {
    by: 'quentin',
    text: `tip ${chats.telegram.at(theo)} 4`,
    changes: { quentin: '-4', tabs: '4' },
  });
  tell(
    'Telegram: Quentin tips Theo, who has no account. The money waits for him on the chain, under his Telegram id.',
    more.facts,
  );

  const kept = await typedTooEarly(tour, chats.discord);
  const browser = await openBrowser(local, theo);
  await browser.post('/api/handle', { handle: theo.name });
  for (const chat of Object.values(chats)) {
    const said = await connect(chat, theo, browser);
    tell(`${chat.name}: Theo asks for a link in private, opens it, signs in with his wallet, and agrees in the chat.`, {
      answer: said.split('\n')[0],
    });
  }
  await claimEverything(tour, browser, String(waiting + 4));
  await sayYes(tour, browser, kept);
}

/** A command that is typed before the account is connected takes nothing, and is kept for a day. */
async function typedTooEarly(tour: Tour, chat: Chat): Promise<Written> {
  const before = await readLedger(tour);
  const kept = await chat.write(tour.cast.theo, chat.command(`tip ${chat.at(tour.cast.sven)} 2`));
  const answer = await answered(chat, kept, ({ text }) => text.includes('24 hours'));
  await moved(tour, before, {});
  tour.tell(`${chat.name}: Theo tips Sven before he is connected. He isn’t charged; the tip is saved for a day.`, {
    answer: answer.text,
  });
  return kept;
}

async function connect(chat: Chat, who: Person, browser: Browser): Promise<string> {
  const secret = (await chat.askForLink(who)).split('#')[1] ?? '';
  const { link } = await browser.post<{ link: { id: string } }>('/api/links/redeem', { secret });
  const said = await chat.confirmLink(who);
  const after = await browser.get<{ link: { status: string } }>(`/api/links/${link.id}`);
  check(after.link.status === 'confirmed', `the link on ${chat.name} is confirmed (it is ${after.link.status})`);
  return said;
}

async function claimEverything(tour: Tour, browser: Browser, all: string): Promise<void> {
  // What is in a block just now is confirming, and can be claimed a few blocks later.
  await until('every tab of Theo’s is open', async () => {
    const { escrows } = await browser.get<EscrowList>('/api/escrow?role=recipient');
    const open = escrows.filter(({ status }) => status === 'open');
    return open.reduce((sum, { amount }) => sum + Number(amount), 0) === Number(all);
  });
  const before = await readLedger(tour);
  const asked = await browser.post<ClaimedEscrows>('/api/escrow/claim_all');
  let escrows = asked.escrows;
  await until(
    'all of it is claimed',
    async () => {
      const states = await Promise.all(escrows.map(({ id }) => browser.get<OneEscrow>(`/api/escrow/${id}`)));
      escrows = states.map(({ escrow }) => escrow);
      return escrows.every(({ status }) => status === 'claimed');
    },
    () => escrows.map(({ status, claim }) => `${status} ${claim?.failure ?? ''}`).join(', '),
  );
  const transaction = await moved(tour, before, { theo: all, tabs: `-${all}` });
  tour.tell(
    `Theo sees ${escrows.length} tabs from three platforms on his page and claims them in one go. The signer reads each tab and his wallet itself and attests; an executor sends. Each key alone is worth nothing.`,
    { claimed: escrows.map(({ amount }) => amount).join(' + '), transaction },
  );
  await tellsBalance(tour, all);
}

async function tellsBalance({ local, cast: { theo }, tell }: Tour, all: string): Promise<void> {
  const chatId = theo.telegram.id;
  const { message_id } = await typeMessage(local, theo.telegram, chatId, '/balance');
  const { text } = await waitForAnswer(local, chatId, answerTo(message_id));
  check(text.includes(`Base: ${Number(all).toFixed(2)} USDC`), `the direct chat tells ${all} USDC: ${text}`);
  tell('Theo asks for his balance in the direct chat with the bot.', { answer: text.replaceAll('\n', ' / ') });
}

/** Three signatures of the wallet, none of which costs gas, and one yes: then what he typed goes out. */
async function sayYes(tour: Tour, browser: Browser, kept: Written): Promise<void> {
  const { chats, tell } = tour;
  const { connections } = await browser.get<SpendingOverview>('/api/spending');
  const connection = connections.find(({ platform }) => platform === 'discord');
  check(connection !== undefined, 'Discord is connected');
  for (const choice of [
    { kind: 'permit', chain: 'base', amount: '50' },
    { kind: 'limits', chain: 'base', per_tip: '20', per_day: '50' },
  ]) {
    const { request } = await browser.sign<OneCall>(choice);
    await until(`the ${choice.kind} is final`, async () => {
      const now = await browser.get<OneCall>(`/api/spending/requests/${request.id}`);
      check(now.request.status !== 'failed', `the ${choice.kind} is not refused`);
      return now.request.status === 'final';
    });
  }
  await browser.sign({ kind: 'right', connection_id: connection.id, command_cap: '20', day_cap: '50' });
  const before = await readLedger(tour);
  const tip = await until('the kept tip can be confirmed', async () => {
    const { tips } = await browser.get<PendingTipList>('/api/waiting');
    return tips.find(({ fingerprint }) => fingerprint !== null);
  });
  await browser.post(`/api/waiting/${tip.id}`, { action: 'confirm', fingerprint: tip.fingerprint });
  const receipt = await answered(chats.discord, kept, isReceipt);
  const transaction = await moved(tour, before, { theo: '-2.05', sven: '2', treasury: '0.05' });
  await finalReceipt(chats.discord, kept);
  tell(
    'Theo’s wallet signs what his Discord may spend, without gas. He confirms what he typed before, and it is paid once.',
    {
      receipt: receipt.text,
      transaction,
    },
  );
}

// The same five payments on each platform: by mention, by reply, split with a recipient without an account, to an address, and after a question.
import type { Person } from '../stack/people.ts';
import { strayAddress } from './cast.ts';
import { answered, type Chat, finalReceipt, isQuestion, isReceipt, type Said, type Written } from './chat.ts';
import { type Changes, moved, readLedger } from './ledger.ts';
import { hearsOfIt, openDirectChat } from './notices.ts';
import type { Tour } from './tour.ts';

type Payer = 'nina' | 'otto' | 'pia' | 'quentin' | 'rosa';

const oneLine = (text: string) => text.replaceAll('\n', ' / ');

/** A person types a command, the bot answers, and the balances on the chain are compared. */
export async function pay(
  tour: Tour,
  chat: Chat,
  { by, text, replyTo, changes }: { by: Payer; text: string; replyTo?: string; changes: Changes },
): Promise<{ written: Written; receipt: Said; facts: Record<string, unknown> }> {
  const before = await readLedger(tour);
  const typedAt = Date.now();
  const written = await chat.write(tour.cast[by], chat.command(text), replyTo);
  const receipt = await answered(chat, written, isReceipt);
  const tookMs = Date.now() - typedAt;
  const transaction = await moved(tour, before, changes);
  const facts = { receipt: oneLine(receipt.text), transaction, 'receipt after': `${tookMs} ms` };
  return { written, receipt, facts };
}

/** Everybody has been seen on the platform, and Sven has said something that is worth a tip. */
export async function meet(tour: Tour, chat: Chat): Promise<Written> {
  const { sven, theo, uwe, nina, otto, pia, quentin, rosa } = tour.cast;
  for (const one of [theo, uwe, nina, otto, pia, quentin, rosa]) await chat.write(one, 'hello everybody');
  if (chat.name === 'Telegram') await openDirectChat(tour, sven);
  return chat.write(sven, 'I fixed the bicycle of the whole street');
}

export async function payments(tour: Tour, chat: Chat, by: Payer, joke: Written): Promise<void> {
  const { cast, tell } = tour;
  const sender: Person = cast[by];
  const [sven, theo] = [chat.at(cast.sven), chat.at(cast.theo)];
  const who = by.charAt(0).toUpperCase() + by.slice(1);

  const tip = await pay(tour, chat, {
    by,
    text: `tip ${sven} 5`,
    changes: { [by]: '-5.1', sven: '5', treasury: '0.1' },
  });
  tell(
    `${chat.name}: ${who} tips Sven by his name. He has 5 USDC more; the fee of 0.10 is in the treasury.`,
    tip.facts,
  );
  if (chat.name === 'Telegram') await hearsOfIt(tour, cast.sven, '5.00 USDC');

  const changes = { [by]: '-2.05', sven: '2', treasury: '0.05' };
  const reply = await pay(tour, chat, { by, text: 'tip 2', replyTo: joke.id, changes });
  tell(`${chat.name}: ${who} answers what Sven wrote with “tip 2”: no name needed.`, reply.facts);

  const split = await pay(tour, chat, {
    by,
    text: `split 6 ${sven} ${theo}`,
    changes: { [by]: '-6.05', sven: '3', tabs: '3', treasury: '0.05' },
  });
  tell(
    `${chat.name}: ${who} splits 6 USDC between Sven, who is paid, and Theo, who has no account: his half waits for him in a tab, which the transaction that takes it opens, without a fee.`,
    split.facts,
  );

  const sent = await pay(tour, chat, {
    by,
    text: `send ${strayAddress(cast)} 1.5`,
    changes: { [by]: '-1.55', stray: '1.5', treasury: '0.05' },
  });
  tell(`${chat.name}: ${who} sends 1.50 USDC to an address.`, sent.facts);

  const before = await readLedger(tour);
  const large = await chat.write(sender, chat.command(`tip ${sven} 60`));
  const question = await answered(chat, large, isQuestion);
  await moved(tour, before, {});
  await chat.agree(cast.quentin, question);
  await chat.agree(sender, question);
  const receipt = await answered(chat, large, isReceipt);
  const transaction = await moved(tour, before, { [by]: '-60.1', sven: '60', treasury: '0.1' });
  const how = chat.name === 'X' ? 'writes “yes”' : 'presses the button';
  tell(
    `${chat.name}: 60 USDC is more than 50, so the bot asks, and nothing moves. Quentin ${how}, which does nothing; ${who} ${how}, and it is paid once.`,
    { question: oneLine(question.text), receipt: oneLine(receipt.text), transaction },
  );

  for (const written of [tip.written, reply.written, split.written, sent.written, large])
    await finalReceipt(chat, written);
  tell(`${chat.name}: a few blocks later all five are final, and each has exactly one receipt.`);
}

// What happens twice, or is cut off in the middle, is paid once; and a German speaker gets German answers.
import { answered, callJson, finalReceipt, isReceipt } from './chat.ts';
import { moved, readLedger } from './ledger.ts';
import { pay } from './payments.ts';
import { check, type Tour } from './tour.ts';

export async function once(tour: Tour): Promise<void> {
  const { chats, cast, tell, local } = tour;
  const { discord, telegram } = chats;
  const paid = { quentin: '-1.05', sven: '1', treasury: '0.05' };

  const before = await readLedger(tour);
  const again = (repeat: number) => callJson(`${local.platforms.discord.url}/_user/gateway`, { repeat });
  const twice = await discord.write(cast.quentin, discord.command(`tip ${discord.at(cast.sven)} 1`));
  await again(1);
  const receipt = await answered(discord, twice, isReceipt);
  const transaction = await moved(tour, before, paid);
  await again(10);
  // What is typed after the repetition is answered after it, too.
  const next = await pay(tour, discord, { by: 'quentin', text: `tip ${discord.at(cast.sven)} 1`, changes: paid });
  await finalReceipt(discord, twice);
  await finalReceipt(discord, next.written);
  await moved(tour, before, { quentin: '-2.1', sven: '2', treasury: '0.1' });
  tell('Discord: the gateway delivers the same message again and again. It is paid once and has one receipt.', {
    receipt: receipt.text,
    transaction,
  });

  if (tour.killWorkers) {
    const start = await readLedger(tour);
    const risky = await telegram.write(cast.quentin, telegram.command(`tip ${telegram.at(cast.sven)} 1`));
    tour.killWorkers();
    const survived = await finalReceipt(telegram, risky);
    const transaction = await moved(tour, start, paid);
    tell(
      'Telegram: the workers are killed with -9 in the middle of a tip. They come back, and it is paid exactly once.',
      {
        receipt: survived.text,
        transaction,
      },
    );
  }

  const changes = { rosa: '-2.05', sven: '2', treasury: '0.05' };
  const german = await pay(tour, telegram, { by: 'rosa', text: `tip ${telegram.at(cast.sven)} 2`, changes });
  check(
    /hat @sven\S* 2,00 USDC gegeben \(Gebühr 0,05 \$\)/.test(german.receipt.text),
    `it is German: ${german.receipt.text}`,
  );
  tell('Telegram: Rosa’s Telegram is in German, so she is answered in German.', german.facts);
}

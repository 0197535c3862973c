// Every sentence, by topic.
import { account } from './de/account.ts';
import { beyond } from './de/beyond.ts';
import { discord } from './de/discord.ts';
import { doubt } from './de/doubt.ts';
import { escrow } from './de/escrow.ts';
import { examples } from './de/examples.ts';
import { groups } from './de/groups.ts';
import { help } from './de/help.ts';
import { links } from './de/links.ts';
import { notices } from './de/notices.ts';
import { orders } from './de/orders.ts';
import { payments } from './de/payments.ts';
import { received } from './de/received.ts';
import { refusals } from './de/refusals.ts';
import { start } from './de/start.ts';
import { subscriptions } from './de/subscriptions.ts';
import { x } from './de/x.ts';

export const de = {
  account,
  beyond,
  discord,
  doubt,
  examples,
  groups,
  help,
  links,
  notices,
  orders,
  payments,
  received,
  refusals,
  start,
  subscriptions,
  escrow,
  x,
};

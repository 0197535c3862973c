// Every sentence, by topic.
import { account } from './es/account.ts';
import { beyond } from './es/beyond.ts';
import { discord } from './es/discord.ts';
import { doubt } from './es/doubt.ts';
import { escrow } from './es/escrow.ts';
import { examples } from './es/examples.ts';
import { groups } from './es/groups.ts';
import { help } from './es/help.ts';
import { links } from './es/links.ts';
import { notices } from './es/notices.ts';
import { orders } from './es/orders.ts';
import { payments } from './es/payments.ts';
import { received } from './es/received.ts';
import { refusals } from './es/refusals.ts';
import { start } from './es/start.ts';
import { subscriptions } from './es/subscriptions.ts';
import { x } from './es/x.ts';

export const es = {
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

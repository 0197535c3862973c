// Every sentence, by topic.
import { account } from './en/account.ts';
import { beyond } from './en/beyond.ts';
import { discord } from './en/discord.ts';
import { doubt } from './en/doubt.ts';
import { escrow } from './en/escrow.ts';
import { examples } from './en/examples.ts';
import { groups } from './en/groups.ts';
import { help } from './en/help.ts';
import { links } from './en/links.ts';
import { notices } from './en/notices.ts';
import { orders } from './en/orders.ts';
import { payments } from './en/payments.ts';
import { received } from './en/received.ts';
import { refusals } from './en/refusals.ts';
import { start } from './en/start.ts';
import { subscriptions } from './en/subscriptions.ts';
import { x } from './en/x.ts';

export const en = {
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

// Where the account's pages are, in the order in which the bars show them.
import {
  BriefcaseBusiness,
  CalendarSync,
  ChartColumn,
  Gauge,
  Gift,
  History,
  House,
  KeyRound,
  Link as LinkIcon,
  type LucideIcon,
  Megaphone,
  MessagesSquare,
  Radio,
  Repeat,
  ScrollText,
  Settings,
  ShoppingBag,
  Store,
  Users,
  Webhook,
} from 'lucide-react';

/** `also`: the other addresses that belong to it. */
export type Place = { href: string; name: string; icon: LucideIcon; also?: string };

const HOME: Place = { href: '/account', name: 'Home', icon: House };
const CHATS: Place = { href: '/connections', name: 'Chats', icon: MessagesSquare };
const SPENDING: Place = { href: '/spending', name: 'Spending', icon: Gauge };
export const TABS: Place = { href: '/tabs', name: 'Tabs', icon: Gift };
const HISTORY: Place = { href: '/history', name: 'History', icon: History };
const SUBSCRIPTIONS: Place = { href: '/subscriptions', name: 'Subscriptions', icon: Repeat };
const SETTINGS: Place = { href: '/settings', name: 'Settings', icon: Settings };

const WEBHOOKS: Place = { href: '/webhooks', name: 'Webhooks', icon: Webhook };
const EVENTS: Place = { href: '/events', name: 'Events', icon: Radio };
const API_LOG: Place = { href: '/logs', name: 'API log', icon: ScrollText };

const TEAM: Place = { href: '/settings/team', name: 'Team', icon: Users, also: '/settings/audit-log' };

/** What a merchant needs; a phone's bar has one place for all of it. */
export const BUSINESS_PLACES: Place[] = [
  { href: '/overview', name: 'Overview', icon: ChartColumn },
  { href: '/orders', name: 'Orders', icon: ShoppingBag },
  { href: '/links', name: 'Links', icon: LinkIcon },
  { href: '/plans', name: 'Plans', icon: CalendarSync },
  { href: '/campaigns', name: 'Campaigns', icon: Megaphone },
  { href: '/keys', name: 'API keys', icon: KeyRound },
  WEBHOOKS,
  EVENTS,
  API_LOG,
  { href: '/workspace', name: 'Workspace', icon: Store },
  TEAM,
];
const BUSINESS: Place = { href: '/overview', name: 'Business', icon: BriefcaseBusiness };

export const WIDE_PLACES = [HOME, CHATS, SPENDING, SUBSCRIPTIONS, TABS, HISTORY];
export const WIDE_LAST = [SETTINGS];
/** A phone's bar has room for five. */
export const PHONE_PLACES = [HOME, TABS, BUSINESS, HISTORY];
export const MORE_PLACES = [CHATS, SPENDING, SUBSCRIPTIONS, WEBHOOKS, EVENTS, API_LOG, SETTINGS];

export function isAt(path: string, place: Place): boolean {
  if (place === BUSINESS) return BUSINESS_PLACES.some((one) => isAt(path, one));
  if (place === SETTINGS && isAt(path, TEAM)) return false;
  const { href, also = href } = place;
  return path === href || path === also || path.startsWith(`${href}/`);
}

// What roles are called, and in a sentence what each may do.
import type { Role } from '../../../../src/domain/team.ts';

export const ROLE_WORDS: Record<Role, { name: string; what: string }> = {
  viewer: { name: 'Viewer', what: 'Sees everything but secrets, and changes nothing.' },
  support: { name: 'Support', what: 'Also cancels orders, prepares refunds and resends events.' },
  developer: { name: 'Developer', what: 'Also has API keys, webhooks, links, plans, orders, branding and the page.' },
  owner: { name: 'Owner', what: 'Also changes the payout wallet, campaigns, the allow list and the team.' },
};

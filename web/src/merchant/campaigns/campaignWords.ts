// Campaigns and grants in words.
import type { GrantStatus } from '../../../../src/domain/campaign.ts';
import type { Tone } from '../../ui/tone.ts';
import type { CampaignView, GrantView } from './campaignsApi.ts';

export const STATUSES: Record<CampaignView['status'], { tone: Tone; word: string }> = {
  pending_create: { tone: 'busy', word: 'Not open yet' },
  active: { tone: 'good', word: 'Open' },
  expired: { tone: 'quiet', word: 'Expired' },
  closed: { tone: 'quiet', word: 'Closed' },
};

const GRANTS: Record<GrantStatus, { tone: Tone; word: string }> = {
  queued: { tone: 'busy', word: 'Queued' },
  sent: { tone: 'busy', word: 'Sent' },
  paid: { tone: 'good', word: 'Paid' },
  failed: { tone: 'bad', word: 'Failed' },
  cancelled: { tone: 'quiet', word: 'Cancelled' },
};

export function grantState(grant: GrantView): { tone: Tone; word: string } {
  return grant.waiting_for_account ? { tone: 'quiet', word: 'Waiting' } : GRANTS[grant.status];
}

export function peopleWords(count: number): string {
  return count === 1 ? '1 grant' : `${count.toLocaleString()} grants`;
}

// What causes the event of a campaign: the account opens one with its wallet and adds a grant, which the workers pay.
import type { CampaignEvent } from '../domain/events.ts';
import { callClock } from './localClock.ts';
import { type LocalWalletCall, sendAs } from './playWallet.ts';
import { notYet, type Trigger, type TriggerContext, waitFor } from './scene.ts';

type Campaign = { id: string; name: string; budget: string; currency: string; status: string };
type Call = Omit<LocalWalletCall, 'value'>;
type Opening = { approve: Call | null; open: Call };
type Grant = { id: string; recipient: string; amount: string };

const MONTH_MS = 30 * 86_400_000;

export const CAMPAIGN_CAUSES: Record<CampaignEvent, Trigger> = {
  'campaign.grant_paid': {
    about: 'Opens a campaign and adds a grant, which is paid',
    async run(scene) {
      const { account, other, fields, tell } = scene;
      const campaign = await open(scene);
      const grant = { key: 'trigger', recipient: `@${other.name}`, amount: '1.00', ...pick(fields, GRANT_FIELDS) };
      const { grants, rejected } = await account.call<{ grants: Grant[]; rejected: { message: string }[] }>(
        'POST',
        `/api/campaigns/${campaign.id}/grants`,
        { grants: [grant] },
      );
      const [queued] = grants;
      if (!queued) throw new Error(rejected[0]?.message ?? 'The grant was rejected');
      tell(`grant of ${queued.amount} ${campaign.currency} to ${queued.recipient} queued: ${queued.id}`);
      return queued.id;
    },
  },
};

const GRANT_FIELDS = ['recipient', 'amount', 'note'];
const CAMPAIGN_FIELDS = ['name', 'chain', 'budget', 'most_per_grant', 'expires_at'];

function pick(fields: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

async function open(scene: TriggerContext): Promise<Campaign> {
  const { account, fields, tell } = scene;
  const { now } = await callClock(scene.people, account.name);
  const expires = new Date(Date.parse(now) + MONTH_MS).toISOString();
  const input = { name: 'Spring rewards', chain: 'base', budget: '10.00', expires_at: expires };
  const { campaign } = await account.call<{ campaign: Campaign }>('POST', '/api/campaigns', {
    ...input,
    ...pick(fields, CAMPAIGN_FIELDS),
  });
  const path = `/api/campaigns/${campaign.id}`;
  const { approve, open: call } = await account.call<Opening>('GET', `${path}/opening`);
  if (approve) await sendAs(scene, account, { ...approve, value: '0' });
  const hash = await sendAs(scene, account, { ...call, value: '0' });
  tell(
    `${account.name}’s wallet opened the campaign “${campaign.name}”, ${campaign.budget} ${campaign.currency}: ${hash}`,
  );
  return waitFor(scene, 'The campaign', async () => {
    const now = await account
      .call<{ campaign: Campaign }>('POST', path, { action: 'confirm', txHash: hash })
      .catch(notYet);
    return now?.campaign.status === 'active' ? now.campaign : null;
  });
}

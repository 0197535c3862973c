// Campaigns and grants under /v1. The sponsor's wallet opens a campaign on its page; programs add grants and follow them.
import { z } from 'zod';
import { GRANT_STATUSES, MOST_GRANTS } from '../../domain/campaign.ts';
import { CHAIN_NAMES } from '../../domain/chains.ts';
import { getCampaign, listCampaigns, stageCampaign } from '../../services/plans/campaigns/campaigns.ts';
import { cancelGrants, listGrants, readyGrants, writeGrants } from '../../services/plans/campaigns/grants.ts';
import { pageOf } from '../list.ts';
import { addedGrants, campaign, grant } from './campaignSchemas.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { readerOf } from './orders.ts';
import { ask, listOf } from './schemas.ts';

const ONE_CAMPAIGN = '/v1/campaigns/{campaign_id}';
const decimal = (description: string) => z.string().max(60).meta({ description, example: '500.00' });

const create = endpoint({
  method: 'post',
  path: '/v1/campaigns',
  operationId: 'createCampaign',
  tag: 'Campaigns',
  summary: 'Create a campaign',
  description:
    'Stages a campaign of a business workspace. Its wallet opens it at `url`: an allowance for the budget and one transaction. Grants can be added at once and are paid when it is open.',
  scopes: ['campaigns'],
  body: z.strictObject({
    name: z.string().max(400).meta({ description: 'Shown to recipients. One line, up to 80 characters.' }),
    chain: ask.chain.meta({
      description: `Network of the campaign: ${CHAIN_NAMES.join(', ')}. Case-insensitive.`,
      example: 'base',
    }),
    budget: decimal('The most that all grants draw, in USDC.'),
    most_per_grant: decimal('The most of one grant. Defaults to the budget.').optional(),
    expires_at: z.string().max(60).meta({
      description: 'Until when grants are paid: ISO 8601, from 1 hour to 366 days from now.',
      example: '2027-01-31T00:00:00Z',
    }),
    recipients: z.number().int().min(0).max(1_000_000).optional().meta({
      description:
        'On Solana only: places for grants, 1 to 65,536, 1,000 by default. The sponsor’s wallet pays rent for them until the campaign is over.',
    }),
  }),
  answer: campaign,
  status: 201,
  errors: [
    'business_required',
    'amount_out_of_range',
    'unsupported_chain',
    'mode_mismatch',
    'handle_not_found',
    'recipient_not_allowed',
    'state_conflict',
  ],
  run: (ctx, { caller: { workspace, livemode }, body, once }) =>
    once(async (tx) => ({ status: 201, body: await stageCampaign(ctx, workspace, body, { livemode, tx }) })),
});

const list = endpoint({
  method: 'get',
  path: '/v1/campaigns',
  operationId: 'listCampaigns',
  tag: 'Campaigns',
  summary: 'List campaigns',
  description: 'Returns the workspace’s campaigns in the key’s mode, newest first.',
  scopes: ['campaigns', 'read'],
  query: z.strictObject({ limit: ask.limit, cursor: ask.cursor }),
  answer: listOf(campaign, 'CampaignList'),
  status: 200,
  errors: [],
  async run(ctx, { caller, query }) {
    const { data, nextCursor } = await listCampaigns(ctx, readerOf(caller), query);
    return { answer: pageOf(data, nextCursor) };
  },
});

const get = endpoint({
  method: 'get',
  path: ONE_CAMPAIGN,
  operationId: 'getCampaign',
  tag: 'Campaigns',
  summary: 'Retrieve a campaign',
  description: 'Returns a campaign with the number of its grants by status.',
  scopes: ['campaigns', 'read'],
  answer: campaign,
  status: 200,
  errors: ['resource_missing'],
  run: async (ctx, { caller, id }) => ({ answer: await getCampaign(ctx, readerOf(caller), id) }),
});

const add = endpoint({
  method: 'post',
  path: `${ONE_CAMPAIGN}/grants`,
  operationId: 'createGrants',
  tag: 'Campaigns',
  summary: 'Add grants',
  description: `Queues up to ${MOST_GRANTS} grants. Valid ones are queued, the others are returned in \`rejected\`, each with a reason. A grant whose key exists with the same terms is returned, is not queued again, and its key is in \`existing\`. Recipients without an account are paid once they have one, until the campaign ends.`,
  scopes: ['campaigns'],
  isLarge: true,
  body: z.strictObject({
    grants: z
      .array(
        z.strictObject({
          key: z
            .string()
            .max(200)
            .meta({ description: 'Your key, unique within the campaign: 1 to 64 visible ASCII characters.' }),
          recipient: z.string().max(200).meta({
            description:
              '`@handle`, `platform:id:<id>`, `platform:name` or an address. Platforms: telegram, discord, x.',
            example: '@alice',
          }),
          amount: z.string().max(60).meta({ description: 'Amount in USDC.', example: '5.00' }),
          note: z.string().max(2_000).nullish().meta({ description: 'Shown to the recipient. Up to 280 characters.' }),
        }),
      )
      .min(1)
      .max(MOST_GRANTS),
  }),
  answer: addedGrants,
  status: 200,
  errors: ['resource_missing', 'state_conflict'],
  run: (ctx, { caller, id, body, onceReady }) =>
    onceReady(
      () => readyGrants(ctx, readerOf(caller), id, body.grants),
      async (tx, ready) => {
        const added = await writeGrants(ctx, tx, ready);
        return { status: 200, body: { object: 'grants', campaign: id, ...added } };
      },
    ),
});

const listOfGrants = endpoint({
  method: 'get',
  path: `${ONE_CAMPAIGN}/grants`,
  operationId: 'listGrants',
  tag: 'Campaigns',
  summary: 'List the grants of a campaign',
  description: 'Returns grants in the order in which they were added.',
  scopes: ['campaigns', 'read'],
  query: z.strictObject({
    status: z.enum(GRANT_STATUSES).optional().meta({ description: 'Filter by status.' }),
    limit: ask.limit,
    cursor: ask.cursor,
  }),
  answer: listOf(grant, 'GrantList'),
  status: 200,
  errors: ['resource_missing'],
  async run(ctx, { caller, id, query }) {
    const { data, nextCursor } = await listGrants(ctx, readerOf(caller), id, query);
    return { answer: pageOf(data, nextCursor) };
  },
});

const cancel = endpoint({
  method: 'post',
  path: `${ONE_CAMPAIGN}/cancel`,
  operationId: 'cancelGrants',
  tag: 'Campaigns',
  summary: 'Cancel grants',
  description:
    'Cancels grants that are not sent: those with these keys, or all of them. What is sent or paid stays so.',
  scopes: ['campaigns'],
  body: z.strictObject({
    keys: z
      .array(z.string().max(200))
      .min(1)
      .max(MOST_GRANTS)
      .optional()
      .meta({ description: 'Keys of the grants. All queued grants without it.' }),
  }),
  answer: campaign,
  status: 200,
  errors: ['resource_missing'],
  run: (ctx, { caller, id, body: { keys }, once }) =>
    once(async (tx) => ({ status: 200, body: await cancelGrants(ctx, readerOf(caller), id, { keys, tx }) })),
});

export const CAMPAIGN_ENDPOINTS: Endpoint[] = [create, list, get, add, listOfGrants, cancel];

// Campaigns on the pages: a business workspace’s own, or anyone’s who is signed in as an operator.
import { z } from 'zod';
import { GRANT_STATUSES, MOST_GRANTS } from '../../domain/campaign.ts';
import { usualMode } from '../../services/chains.ts';
import {
  confirmCampaign,
  getCampaign,
  listCampaigns,
  noteTakenBack,
  openSigned,
  openingCalls as readOpeningCalls,
  takeBackCall as readTakeBackCall,
  requestClose,
  stageCampaign,
  takeBackSigned,
} from '../../services/plans/campaigns/campaigns.ts';
import { addGrants, cancelGrants, listGrants, retryGrants } from '../../services/plans/campaigns/grants.ts';
import { amountText, modes, solanaTransaction, transactionName } from '../parse.ts';
import {
  actedOn,
  campaignList,
  grantList,
  grantsAdded,
  oneCampaign,
  openingCalls,
  takeBackCall,
} from './campaignAnswers.ts';
import { type Route, route, signatures } from './route.ts';
import { chain, listOf, paging } from './subscriptionFields.ts';

const ONE_CAMPAIGN = '/api/campaigns/{campaign_id}';
const readerOf = ({ handle }: { handle: { id: string } }) => ({ workspaceId: handle.id });

const list = route({
  method: 'get',
  path: '/api/campaigns',
  access: 'handle',
  query: z.strictObject({ ...paging, mode: modes.optional() }),
  answer: campaignList,
  status: 200,
  errors: [],
  async run(ctx, { caller, query: { mode = usualMode(ctx), ...query } }) {
    const reader = { ...readerOf(caller), livemode: mode === 'live' };
    const { data, nextCursor } = await listCampaigns(ctx, reader, query);
    return listOf('campaigns', data, nextCursor);
  },
});

const create = route({
  method: 'post',
  path: '/api/campaigns',
  access: 'sponsor',
  limit: signatures,
  body: z.strictObject({
    name: z.string().max(400),
    chain,
    budget: amountText,
    most_per_grant: amountText.optional(),
    expires_at: z.string().max(60),
    recipients: z.number().int().min(0).max(1_000_000).optional(),
  }),
  answer: oneCampaign,
  status: 201,
  errors: [
    'business_required',
    'unsupported_chain',
    'amount_out_of_range',
    'handle_not_found',
    'recipient_not_allowed',
    'state_conflict',
  ],
  run: async (ctx, { caller: { handle, isOperator }, body }) => ({
    campaign: await stageCampaign(ctx, handle, body, { isOperator }),
  }),
});

const get = route({
  method: 'get',
  path: ONE_CAMPAIGN,
  access: 'handle',
  answer: oneCampaign,
  status: 200,
  errors: ['resource_missing'],
  run: async (ctx, { caller, id }) => ({ campaign: await getCampaign(ctx, readerOf(caller), id) }),
});

const opening = route({
  method: 'get',
  path: `${ONE_CAMPAIGN}/opening`,
  access: 'handle',
  answer: openingCalls,
  status: 200,
  errors: ['resource_missing', 'state_conflict', 'call_refused'],
  run: (ctx, { caller, id }) => readOpeningCalls(ctx, readerOf(caller), id),
});

const takeBack = route({
  method: 'get',
  path: `${ONE_CAMPAIGN}/take_back`,
  access: 'handle',
  answer: takeBackCall,
  status: 200,
  errors: ['resource_missing', 'state_conflict'],
  run: (ctx, { caller, id }) => readTakeBackCall(ctx, readerOf(caller), id),
});

const act = route({
  method: 'post',
  path: ONE_CAMPAIGN,
  access: 'handle',
  limit: signatures,
  body: z.discriminatedUnion('action', [
    z.strictObject({ action: z.literal('open'), solana_transaction: solanaTransaction }),
    z.strictObject({ action: z.literal('take_back'), solana_transaction: solanaTransaction }),
    z.strictObject({ action: z.literal('confirm'), txHash: transactionName }),
    z.strictObject({ action: z.literal('close') }),
    z.strictObject({ action: z.literal('taken_back') }),
    z.strictObject({ action: z.literal('retry') }),
    z.strictObject({
      action: z.literal('cancel'),
      keys: z.array(z.string().max(200)).min(1).max(MOST_GRANTS).optional(),
    }),
  ]),
  answer: actedOn,
  status: 200,
  errors: [
    'resource_missing',
    'state_conflict',
    'tx_not_found',
    'tx_mismatch',
    'signature_invalid',
    'call_refused',
    'rate_limited',
  ],
  async run(ctx, { caller, id, body }) {
    const reader = readerOf(caller);
    if (body.action === 'open') return openSigned(ctx, reader, id, body.solana_transaction);
    if (body.action === 'take_back') return takeBackSigned(ctx, reader, id, body.solana_transaction);
    if (body.action === 'confirm') return { campaign: await confirmCampaign(ctx, reader, id, body.txHash) };
    if (body.action === 'close') return { campaign: await requestClose(ctx, reader, id) };
    if (body.action === 'taken_back') return { campaign: await noteTakenBack(ctx, reader, id) };
    if (body.action === 'retry') return { campaign: await retryGrants(ctx, reader, id) };
    return { campaign: await cancelGrants(ctx, reader, id, body) };
  },
});

const grants = route({
  method: 'get',
  path: `${ONE_CAMPAIGN}/grants`,
  access: 'handle',
  query: z.strictObject({ ...paging, status: z.enum(GRANT_STATUSES).optional() }),
  answer: grantList,
  status: 200,
  errors: ['resource_missing'],
  async run(ctx, { caller, id, query }) {
    const { data, nextCursor } = await listGrants(ctx, readerOf(caller), id, query);
    return listOf('grants', data, nextCursor);
  },
});

/** Rows of a file come in several calls, each within the limit of a body; `check` writes nothing. */
const add = route({
  method: 'post',
  path: `${ONE_CAMPAIGN}/grants`,
  access: 'handle',
  body: z.strictObject({
    check: z.boolean().default(false),
    grants: z
      .array(
        z.strictObject({
          key: z.string().max(200),
          recipient: z.string().max(200),
          amount: z.string().max(60),
          note: z.string().max(2_000).nullish(),
        }),
      )
      .min(1)
      .max(MOST_GRANTS),
  }),
  answer: grantsAdded,
  status: 200,
  errors: ['resource_missing', 'state_conflict'],
  async run(ctx, { caller, id, body }) {
    const added = await addGrants(ctx, readerOf(caller), id, body.grants, { dryRun: body.check });
    return { object: 'grants' as const, campaign: id, ...added };
  },
});

export const CAMPAIGN_ROUTES: readonly Route[] = [list, create, get, opening, takeBack, act, grants, add];

// Answers about campaigns and grants: as /v1 gives them, and the calls that the sponsor's wallet makes.
import { z } from 'zod';
import { addedGrants, campaign, grant } from '../v1/campaignSchemas.ts';
import { walletCall } from './signingAnswers.ts';
import { callView } from './spendingAnswers.ts';

export const oneCampaign = z.strictObject({ campaign });
export type CampaignView = z.infer<typeof campaign>;
export type GrantView = z.infer<typeof grant>;

const list = { object: z.literal('list'), has_more: z.boolean(), next_cursor: z.string().nullable() };
export const campaignList = z.strictObject({ ...list, campaigns: z.array(campaign) });
export const grantList = z.strictObject({ ...list, grants: z.array(grant) });
export type GrantList = z.infer<typeof grantList>;
export const grantsAdded = addedGrants;
export type GrantsAdded = z.infer<typeof addedGrants>;

/** `request` is what an executor sends for it: poll it under /api/spending/requests. */
export const actedOn = z.strictObject({ campaign, request: callView.optional() });
export type ActedOn = z.infer<typeof actedOn>;

/** A transaction of Solana in base64 that its wallet has still to sign. */
const toSign = z.strictObject({ signed_by: z.string(), solana_transaction: z.string() });
export const openingCalls = z.union([z.strictObject({ approve: walletCall.nullable(), open: walletCall }), toSign]);
export type OpeningCalls = z.infer<typeof openingCalls>;
export const takeBackCall = z.strictObject({ approve: z.union([walletCall, toSign]).nullable() });
export type TakeBackCall = z.infer<typeof takeBackCall>;

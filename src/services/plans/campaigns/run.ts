// What a dispatch run answers with.
import type { CampaignProblem, GrantFailure } from '../../../domain/campaign.ts';

/** `grant` is null for what is about the campaign as a whole. */
export type DispatchError = {
  campaign: string;
  grant: string | null;
  code: GrantFailure | CampaignProblem | 'more_due';
};
/** `scanned` are the queued grants that were looked at; `waiting` of them have no account yet; `failed` in this run, by blocks too. */
export type DispatchRun = {
  scanned: number;
  sent: number;
  paid: number;
  waiting: number;
  failed: number;
  errors: DispatchError[];
};

/** Errors of one answer. */
const MOST_ERRORS = 200;

export const emptyRun = (): DispatchRun => ({ scanned: 0, sent: 0, paid: 0, waiting: 0, failed: 0, errors: [] });

export function noteFailure(run: DispatchRun, campaign: string, grant: string, code: GrantFailure): void {
  run.failed += 1;
  if (run.errors.length < MOST_ERRORS) run.errors.push({ campaign, grant, code });
}

// The life of a claim: asked for by a service, attested by the handle authority's own process, sent by an executor, and over when its transaction
// is final.
import type { Lifecycle } from './lifecycle.ts';

export type ClaimStatus = 'asked' | 'attested' | 'submitted' | 'paid' | 'failed';
export type ClaimAction = 'attest' | 'ask_again' | 'submit' | 'settle' | 'fail';

export const CLAIM: Lifecycle<ClaimStatus, ClaimAction> = {
  asked: { attest: 'attested', fail: 'failed' },
  // An attestation lives for minutes; one that ran out before it could be sent is requested again.
  attested: { ask_again: 'asked', submit: 'submitted', fail: 'failed' },
  // One that failed on the chain though its escrow is still open (an attestation that ran out on the way) is requested again.
  submitted: { settle: 'paid', ask_again: 'asked', fail: 'failed' },
  paid: {},
  failed: {},
};

/** What an escrow names as its recipient, as text: an Ampersat handle, or a platform's own id of an account. The router keeps its hash. */
export function handleSlugs(
  slug: string,
  connections: readonly { platform: string; platformUserId: string }[],
): string[] {
  return [slug, ...connections.map(({ platform, platformUserId }) => platformSlug(platform, platformUserId))];
}

export function platformSlug(platform: string, platformUserId: string): string {
  return `${platform}:id:${platformUserId}`;
}

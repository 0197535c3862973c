// Who a grant is for, and where they are paid now: a wallet, an account without one yet, or none that may be paid.
import type { Chain } from '../../../chain/chain.ts';
import type { Ctx } from '../../../context.ts';
import type { GrantFailure } from '../../../domain/campaign.ts';
import type { Recipient } from '../../../domain/command.ts';
import { familyOf, type WalletFamily } from '../../../domain/walletFamily.ts';
import { placeOn, reachesOn } from '../../../domain/walletReach.ts';
import { type Resolution, resolveRecipients } from '../../tips/recipients.ts';

export type Grantee =
  | { kind: 'payable'; address: string; handleId: string | null }
  /** `recipient` names the account by its id, where only its name was given. */
  | { kind: 'waiting'; recipient: string }
  | { kind: 'refused'; code: GrantFailure };

/** @param recipients as `readGrantRecipient` returns them @returns one of each, in the same order */
export async function resolveGrantees(ctx: Ctx, chain: Chain, recipients: readonly string[]): Promise<Grantee[]> {
  const asked = recipients.map((text) => ({ text, ...namedOn(text) }));
  const answers = new Map<string, Resolution>();
  for (const platform of new Set(asked.map((one) => one.platform))) {
    const own = asked.filter((one) => one.platform === platform);
    const found = await resolveRecipients(
      ctx,
      platform,
      own.map(({ recipient }) => recipient),
    );
    for (const [index, { text }] of own.entries()) {
      const answer = found[index];
      if (answer) answers.set(text, answer);
    }
  }
  return recipients.map((text) => granteeOf(chain, text, answers.get(text)));
}

/** Whether a recipient as `readGrantRecipient` returns it is an address, of any family. */
function isAddress(recipient: string): boolean {
  return !recipient.startsWith('@') && !recipient.includes(':');
}

/** Whether a recipient can be on a chain at all: an address is of one family. */
export function isOfChain(recipient: string, family: WalletFamily): boolean {
  return !isAddress(recipient) || familyOf(recipient) === family;
}

/** Handles and addresses are the same on every platform. */
function namedOn(text: string): { platform: string; recipient: Recipient } {
  if (isAddress(text)) return { platform: 'telegram', recipient: { by: 'address', value: text } };
  if (text.startsWith('@'))
    return { platform: 'telegram', recipient: { by: 'handle', value: `${text.slice(1)}@ampersat` } };
  const [platform = '', ...rest] = text.split(':');
  const [first = '', id = ''] = rest;
  if (rest.length === 2) return { platform, recipient: { by: 'id', value: id } };
  return { platform, recipient: { by: 'handle', value: first } };
}

function granteeOf(chain: Chain, text: string, found: Resolution | undefined): Grantee {
  if (!found) throw new Error('every recipient has an answer');
  if ('code' in found) {
    if (found.code === 'handle_not_found' || found.code === 'recipient_bot')
      return { kind: 'refused', code: found.code };
    return { kind: 'waiting', recipient: text };
  }
  const { places, tabSlug, handleId, doubts } = found.payee;
  if (doubts.length > 0) return { kind: 'refused', code: 'recipient_uncertain' };
  const place = placeOn(places, chain.name);
  if (!place) return { kind: 'waiting', recipient: tabSlug ?? text };
  if (!reachesOn(places, chain.name)) return { kind: 'refused', code: 'wallet_not_there' };
  return { kind: 'payable', address: place.address, handleId };
}

// In words: what may be spent from chats: limits, a right, a resume.

import { formatUnits } from '../../../../../src/domain/money.ts';
import { setLimitsData, spendingRightData, unpauseData } from '../../../../../src/domain/typedData.ts';
import { isSameAddress } from '../../../../../src/domain/walletFamily.ts';
import { capitalised, padAmount } from '../../../app/format.ts';
import { assetAt, cap, type Explainer, isAt, labelOf, number, seconds, text, usableUntil } from './reading.ts';

export const SPENDING: Record<string, Explainer> = {
  SetLimits(message, { chain, address }, { domain }) {
    const token = text(message, 'token');
    const asset = assetAt(chain, token);
    if (!asset || !isAt(chain, 'bot', domain) || !isSameAddress(text(message, 'sender'), address)) return null;
    const [perTip, perDay, maxFee] = [number(message, 'perTip'), number(message, 'perDay'), number(message, 'maxFee')];
    const again = setLimitsData({
      chainId: chain.chain_id,
      router: text(domain, 'verifyingContract'),
      sender: text(message, 'sender'),
      token,
      perTip,
      perDay,
      maxFee,
      nonce: number(message, 'nonce'),
      deadline: seconds(message, 'deadline'),
    });
    const write = (units: bigint) => `${padAmount(formatUnits(units, asset.decimals))} ${asset.name}`;
    const words = `Limits tips on ${labelOf(chain)} to ${write(perTip)} each and ${write(perDay)} in 24 hours, fees included, of which the fee of a tip is at most ${write(maxFee)}. Valid until you sign new limits.`;
    return { again, words: { title: 'Limits', text: words, facts: [usableUntil(number(message, 'deadline'))] } };
  },

  UnpauseSender(message, { chain, address }, { domain }) {
    if (!isAt(chain, 'bot', domain) || !isSameAddress(text(message, 'sender'), address)) return null;
    const again = unpauseData({
      chainId: chain.chain_id,
      router: text(domain, 'verifyingContract'),
      sender: text(message, 'sender'),
      nonce: number(message, 'nonce'),
      deadline: seconds(message, 'deadline'),
    });
    const words = `Allows tips from your wallet on ${labelOf(chain)} again, within your limits. Valid until you pause again.`;
    return {
      again,
      words: { title: 'Resume spending', text: words, facts: [usableUntil(number(message, 'deadline'))] },
    };
  },

  SpendingRight(message, { chain }) {
    const [platform, username] = [text(message, 'platform'), text(message, 'username')];
    const [commandCap, dayCap] = [cap(message, 'commandCap'), cap(message, 'dayCap')];
    const again = spendingRightData({
      chainId: chain.chain_id,
      platform,
      platformUserId: text(message, 'platformUserId'),
      username,
      handle: text(message, 'handle'),
      commandCap,
      dayCap,
      nonce: seconds(message, 'nonce'),
      deadline: seconds(message, 'deadline'),
    });
    const who = `${username ? `@${username}` : 'the account'} on ${capitalised(platform)} (ID ${text(message, 'platformUserId')})`;
    const words = `Lets ${who} spend for @${text(message, 'handle')}: up to $${padAmount(commandCap)} per command and $${padAmount(dayCap)} in 24 hours. Valid until you pause or disconnect.`;
    return {
      again,
      words: { title: 'Right to spend', text: words, facts: [usableUntil(number(message, 'deadline'))] },
    };
  },
};

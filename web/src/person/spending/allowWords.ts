// What each signature allows and for how long, in one sentence: read before the wallet asks.

import type { ConnectionView } from '../../../../src/http/api/connectionAnswers.ts';
import type { ChainSpending } from '../../../../src/http/api/spendingAnswers.ts';
import { capitalised, dollars, padAmount } from '../../app/format.ts';

type Place = Pick<ChainSpending, 'family' | 'label'>;

/** What may spend there, as the network calls it. */
export function spenderWord({ family }: Pick<ChainSpending, 'family'>): 'contract' | 'program' {
  return family === 'solana' ? 'program' : 'contract';
}

export function allowanceWords(amount: string, asset: string, chain: Place): string {
  const sum = amount === 'max' ? `any amount of ${asset}` : `up to ${padAmount(amount)} ${asset} in total`;
  const words = `Lets Ampersat’s ${spenderWord(chain)} on ${chain.label} take ${sum} from your wallet, for the tips you type. Valid until used up or changed.`;
  if (chain.family !== 'solana') return words;
  return `${words} A USDC account there has one approval at a time, so this replaces that of another app.`;
}

export function revokeWords(chain: Place): string {
  return `Stops Ampersat’s ${spenderWord(chain)} from taking money on ${chain.label} until you allow it again.`;
}

export function limitsWords(perTip: string, perDay: string, asset: string, chainLabel: string): string {
  return `Limits tips on ${chainLabel} to ${padAmount(perTip)} ${asset} each and ${padAmount(perDay)} ${asset} in 24 hours, fees included. Valid until you sign new limits.`;
}

export function rightWords(connection: ConnectionView, perCommand: string, perDay: string): string {
  return `Lets ${nameOf(connection)} spend for you: up to ${dollars(perCommand)} per command and ${dollars(perDay)} in 24 hours. Valid until you pause or disconnect.`;
}

export function resumeWords(chainLabel: string): string {
  return `Allows tips from your wallet on ${chainLabel} again, within your limits. Valid until you pause again.`;
}

/** `@alice on Telegram (ID 7000001)` */
export function nameOf({ platform, platform_user_id, username }: ConnectionView): string {
  const name = username ? `@${username}` : 'the account';
  return `${name} on ${capitalised(platform)} (ID ${platform_user_id})`;
}

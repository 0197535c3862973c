// What each signature allows and for how long, in one sentence: read before the wallet asks.

import type { ConnectionView } from '../../../../src/http/api/connectionAnswers.ts';
import { capitalised, dollars, padAmount } from '../../app/format.ts';

export function allowanceWords(amount: string, asset: string, chainLabel: string): string {
  const sum = amount === 'max' ? `any amount of ${asset}` : `up to ${padAmount(amount)} ${asset} in total`;
  return `Lets Ampersat’s contract on ${chainLabel} take ${sum} from your wallet, for the tips you type. Valid until used up or changed.`;
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

// What each signature allows and for how long, in one sentence: read before the wallet asks.

import type { Connection } from '../api.ts';
import { capitalised, padAmount } from '../format.ts';

export function allowanceWords(amount: string, asset: string, chainLabel: string): string {
  const sum = amount === 'max' ? `any amount of ${asset}` : `up to ${padAmount(amount)} ${asset} in total`;
  return `Lets Ampersat’s contract on ${chainLabel} take ${sum} from your wallet, for tips you typed. It holds until it is used up or you change it.`;
}

export function limitsWords(perTip: string, perDay: string, asset: string, chainLabel: string): string {
  return `Makes that contract refuse more than ${padAmount(perTip)} ${asset} a tip and ${padAmount(perDay)} ${asset} in 24 hours on ${chainLabel}, fees included. It holds until you sign other limits.`;
}

export function rightWords(connection: Connection, perCommand: string, perDay: string): string {
  return `Lets ${nameOf(connection)} spend for you: at most ${padAmount(perCommand)} USD a message and ${padAmount(perDay)} USD in 24 hours. It holds until you pause or disconnect.`;
}

export function resumeWords(chainLabel: string): string {
  return `Lets tips leave your wallet on ${chainLabel} again, within the limits that you set. It holds until you pause again.`;
}

/** `@alice on Telegram (id 7000001)` */
export function nameOf({ platform, platform_user_id, username }: Connection): string {
  const name = username ? `@${username}` : 'the account';
  return `${name} on ${capitalised(platform)} (id ${platform_user_id})`;
}

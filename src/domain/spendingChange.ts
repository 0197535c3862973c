// What a wallet changes of what Ampersat may spend, and the texts of it that a wallet of Solana shows and signs.
import { CALL_SIGNATURE_MS } from './limits.ts';

export type SpendingLimits = { perTip: bigint; perDay: bigint; maxFee: bigint };
/** In smallest units of USDC. `allow` is the allowance and the limits in one. */
export type SpendingChange =
  | { kind: 'permit'; allowance: bigint }
  | { kind: 'limits'; limits: SpendingLimits }
  | { kind: 'allow'; allowance: bigint; limits: SpendingLimits }
  | { kind: 'resume' };

const CHANGED: Readonly<Record<SpendingChange['kind'], string>> = {
  permit: 'allowance',
  limits: 'limits',
  allow: 'allowance and limits',
  resume: 'resume spending',
};

/** When a change was prepared, in Unix milliseconds, by the Unix second until which its signature counts. */
export function preparedAt(deadline: number): number {
  return deadline * 1_000 - CALL_SIGNATURE_MS;
}

/** Stands in the transaction, so that its time is signed as well. */
export function changeMemo({ kind }: Pick<SpendingChange, 'kind'>, deadline: number): string {
  return `Ampersat: ${CHANGED[kind]}, prepared ${new Date(preparedAt(deadline)).toISOString()}`;
}

export type SpendingRightText = {
  /** The site for which the signature counts. */
  domain: string;
  uri: string;
  handle: string;
  wallet: string;
  platform: string;
  platformUserId: string;
  username: string;
  /** Decimal strings of US dollars. */
  commandCap: string;
  dayCap: string;
  nonce: number;
  /** Unix seconds. */
  deadline: number;
};

/** The right of a chat to spend, as typed data says it to an EVM wallet. */
export function spendingRightText(right: SpendingRightText): string {
  const { domain, uri, handle, wallet, platform, platformUserId, username, commandCap, dayCap, nonce, deadline } =
    right;
  return [
    `${domain} wants you to let a chat spend for @${handle}.`,
    '',
    `Up to ${commandCap} US dollars per command and ${dayCap} in 24 hours, fees included, until you pause or disconnect.`,
    '',
    `Platform: ${platform}`,
    `User ID: ${platformUserId}`,
    `Username: ${username}`,
    `Wallet: ${wallet}`,
    `URI: ${uri}`,
    `Nonce: ${nonce}`,
    `Expiration Time: ${new Date(deadline * 1_000).toISOString()}`,
  ].join('\n');
}

// From what a person chose on the page to the change that their wallet signs, in units of the chain, and the wallet that signs it.
import type { Chain } from '../../chain/chain.ts';
import type { EvmChain } from '../../chain/rpc/client.ts';
import { type ChangeUse, mostAllowance } from '../../chain/spending.ts';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { MAX_COMMAND_CAP, MAX_DAY_CAP, MAX_TIP_FEE } from '../../domain/limits.ts';
import { formatUsd, type MicroUsd, parseUnits, scaleUnits } from '../../domain/money.ts';
import type { SpendingChange, SpendingLimits } from '../../domain/spendingChange.ts';
import { reaches } from '../../domain/walletReach.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { walletOnFamily } from '../accounts/signing.ts';
import { servedChain, servedEvmChain } from '../chains.ts';

/** What was chosen. Amounts are decimal strings of USDC; `max` is an allowance without limit. `allow` is both in one signature. */
export type CallChoice =
  | { kind: 'permit'; chain: string; amount: string }
  | { kind: 'limits'; chain: string; per_tip: string; per_day: string }
  | { kind: 'allow'; chain: string; amount: string; per_tip: string; per_day: string }
  | { kind: 'resume'; chain: string };
/** The choice with what the signature uses up. */
export type CallTerms = CallChoice & ChangeUse;

/** The chain of a call of the handle's EVM wallet, which counts only where it is its owner's. @throws AppError `parameter_invalid` */
export function chainOfWallet(ctx: Ctx, { wallet }: Pick<SessionHandle, 'wallet'>, name: string): EvmChain {
  const chain = servedEvmChain(ctx, name);
  if (wallet && !reaches(wallet, chain.name)) throw unverified(chain);
  return chain;
}

/** The chain, and the handle's wallet there. @throws AppError `parameter_invalid`, `state_conflict` without a wallet of its family */
export async function walletOnChain(
  ctx: Ctx,
  handleId: string,
  name: string,
): Promise<{ chain: Chain; wallet: string }> {
  const chain = servedChain(ctx, name);
  const wallet = await walletOnFamily(ctx.db, handleId, chain.facts.family);
  if (!reaches(wallet, chain.name)) throw unverified(chain);
  return { chain, wallet: wallet.address };
}

function unverified(chain: Chain): AppError {
  const words = `Your smart wallet isn’t verified on ${chain.facts.label}. Sign once for that network first.`;
  return new AppError('parameter_invalid', words, { param: 'chain' });
}

/** In smallest units. @throws AppError `parameter_invalid` that names what is out of range */
export function changeOf(chain: Chain, choice: CallChoice): SpendingChange {
  const { kind } = choice;
  switch (kind) {
    case 'permit':
      return { kind, allowance: allowanceUnits(chain, choice.amount) };
    case 'limits':
      return { kind, limits: limitUnits(chain, choice) };
    case 'allow':
      return { kind, allowance: allowanceUnits(chain, choice.amount), limits: limitUnits(chain, choice) };
    case 'resume':
      return { kind };
  }
}

/** Units of an allowance. @throws AppError `parameter_invalid` */
export function allowanceUnits(chain: Chain, amount: string): bigint {
  const most = mostAllowance(chain);
  if (amount === 'max') return most;
  const units = parseUnits(amount, chain.facts.usdcDecimals);
  if (units === null || units > most) throw badAmount('amount');
  return units;
}

function limitUnits(chain: Chain, { per_tip, per_day }: { per_tip: string; per_day: string }): SpendingLimits {
  const decimals = chain.facts.usdcDecimals;
  const inUsdc = (usd: MicroUsd) => scaleUnits(usd, 6, decimals);
  const read = (param: 'per_tip' | 'per_day', amount: string, most: MicroUsd) => {
    const units = parseUnits(amount, decimals);
    if (units === null) throw badAmount(param);
    if (units > inUsdc(most)) throw tooMuch(param, most);
    return units;
  };
  const perTip = read('per_tip', per_tip, MAX_COMMAND_CAP);
  const perDay = read('per_day', per_day, MAX_DAY_CAP);
  if (perTip > perDay)
    throw new AppError('parameter_invalid', 'per_tip can’t be greater than per_day.', { param: 'per_tip' });
  return { perTip, perDay, maxFee: inUsdc(MAX_TIP_FEE) };
}

/** A cap in canonical US dollars, as micro-USD. @throws AppError `parameter_invalid` */
export function readCap(param: string, amount: string, most: MicroUsd): MicroUsd {
  const value = parseUnits(amount, 6);
  if (value === null) throw badAmount(param);
  if (value > most) throw tooMuch(param, most);
  return value;
}

function badAmount(param: string): AppError {
  return new AppError('parameter_invalid', `${param} must be a decimal string such as "12.50".`, { param });
}

function tooMuch(param: string, most: MicroUsd): AppError {
  return new AppError('parameter_invalid', `${param} must be at most ${formatUsd(most)}.`, { param });
}

// From what a person chose on the page to the exact data that their wallet signs, and the exact call that is sent with it.
import type { Address, EvmChain, Hex } from '../../chain/rpc/client.ts';
import { encodePermit, encodeSetLimits, encodeUnpause, UNLIMITED } from '../../chain/signing/permits.ts';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { MAX_COMMAND_CAP, MAX_DAY_CAP, MAX_TIP_FEE } from '../../domain/limits.ts';
import { formatUsd, type MicroUsd, parseUnits, scaleUnits } from '../../domain/money.ts';
import { permitData, setLimitsData, type TypedData, unpauseData } from '../../domain/typedData.ts';
import { reaches } from '../../domain/walletReach.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { servedEvmChain } from '../chains.ts';

/** What was chosen. Amounts are decimal strings of USDC; `max` is an allowance without limit. */
export type CallChoice =
  | { kind: 'permit'; chain: string; amount: string }
  | { kind: 'limits'; chain: string; per_tip: string; per_day: string }
  | { kind: 'resume'; chain: string };
/** The choice with what the signature uses up: the number on the chain, and the Unix second until which it is good. */
export type CallTerms = CallChoice & { nonce: string; deadline: number };
export type BuiltCall = { kind: CallChoice['kind']; typedData: TypedData; to: Address; encode(signature: Hex): Hex };

/** The same for a call of the handle's wallet, which counts only where it is its owner's. @throws AppError `parameter_invalid` */
export function chainOfWallet(ctx: Ctx, { wallet }: Pick<SessionHandle, 'wallet'>, name: string): EvmChain {
  const chain = servedEvmChain(ctx, name);
  if (wallet && !reaches(wallet, chain.name)) {
    const words = `Your smart wallet isn’t verified on ${chain.facts.label}. Sign once for that network first.`;
    throw new AppError('parameter_invalid', words, { param: 'chain' });
  }
  return chain;
}

/** @throws AppError `parameter_invalid` that names what is out of range, `state_conflict` where the token takes no permit */
export function buildCall(chain: EvmChain, wallet: Address, terms: CallTerms): BuiltCall {
  const { chainId } = chain.facts;
  const use = { chainId, nonce: BigInt(terms.nonce), deadline: terms.deadline };
  switch (terms.kind) {
    case 'permit': {
      const tokenDomain = chain.facts.usdcDomain;
      if (!tokenDomain) throw noPermit(chain);
      const value = allowanceUnits(chain, terms.amount);
      const permit = { ...use, token: chain.usdc, tokenDomain, owner: wallet, spender: chain.routers.bot, value };
      const encode = (signature: Hex) => encodePermit(permit, signature);
      return { kind: terms.kind, typedData: permitData(permit), to: chain.usdc, encode };
    }
    case 'limits': {
      const limits = {
        ...use,
        router: chain.routers.bot,
        sender: wallet,
        token: chain.usdc,
        ...limitUnits(chain, terms),
      };
      const encode = (signature: Hex) => encodeSetLimits(limits, signature);
      return { kind: terms.kind, typedData: setLimitsData(limits), to: chain.routers.bot, encode };
    }
    case 'resume': {
      const unpause = { ...use, router: chain.routers.bot, sender: wallet };
      const encode = (signature: Hex) => encodeUnpause(unpause, signature);
      return { kind: terms.kind, typedData: unpauseData(unpause), to: chain.routers.bot, encode };
    }
  }
}

export function noPermit(chain: EvmChain): AppError {
  const words = `USDC on ${chain.facts.label} doesn’t support signed approvals. Approve it from your wallet instead.`;
  return new AppError('state_conflict', words);
}

/** Units of an allowance. @throws AppError `parameter_invalid` */
export function allowanceUnits(chain: EvmChain, amount: string): bigint {
  if (amount === 'max') return UNLIMITED;
  const units = parseUnits(amount, chain.facts.usdcDecimals);
  if (units === null || units > UNLIMITED) throw badAmount('amount');
  return units;
}

function limitUnits(chain: EvmChain, { per_tip, per_day }: { per_tip: string; per_day: string }) {
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

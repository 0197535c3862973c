// What of the three things that spending needs is there: an allowance with limits on a chain, and the right of a connection.

import { parseUnits } from '../../../../src/domain/money.ts';
import type { ChainSpending, SpendingOverview, TokenSpending } from '../../../../src/http/api/spendingAnswers.ts';
import { isReachable, usdcOf } from './spendingApi.ts';

export function isPositive(amount: string): boolean {
  return (parseUnits(amount, 18) ?? 0n) > 0n;
}

export function isAllowed(token: TokenSpending): boolean {
  return token.allowance === null || isPositive(token.allowance);
}

export function isLimited(token: TokenSpending): boolean {
  return isPositive(token.per_tip) && isPositive(token.per_day);
}

/** The chain lets the router take something: allowance and limits are both there. */
export function isChainReady(chain: ChainSpending): boolean {
  const token = usdcOf(chain);
  return token !== undefined && isAllowed(token) && isLimited(token);
}

export function hasAllowance(spending: SpendingOverview): boolean {
  return spending.chains.some((chain) => isReachable(chain) && isChainReady(chain));
}

export function hasRight(spending: SpendingOverview): boolean {
  return spending.connections.some((connection) => connection.can_spend);
}

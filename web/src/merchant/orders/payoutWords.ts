// What of a payment arrives, and where, in one sentence.
import { formatUnits, parseUnits } from '../../../../src/domain/money.ts';
import { orderFee } from '../../../../src/domain/order.ts';
import { shortHex } from '../../app/format.ts';
import type { Workspace, WorkspaceChain } from '../business/workspaceApi.ts';

const DECIMALS = 18;

/** @param amount a decimal string, or null while there is none */
export function payoutWords(
  workspace: Workspace,
  chain: WorkspaceChain,
  amount: string | null,
  currency: string,
): string {
  if (chain.payout === null) return chain.problem ?? `You can’t be paid on ${chain.label} yet.`;
  const isOther = workspace.business_address !== null && chain.payout === workspace.business_address;
  const to = `${isOther ? 'your business wallet' : 'your wallet'} ${shortHex(chain.payout)}`;
  if (workspace.kind === 'personal') return `You receive the full amount in ${to}. No fee.`;
  const units = amount === null ? null : parseUnits(amount, DECIMALS);
  if (units === null) return `You receive the amount minus a ${workspace.fee_percent}% fee in ${to}.`;
  const fee = orderFee('business', units);
  const [kept, taken] = [units - fee, fee].map((part) => formatUnits(part, DECIMALS));
  return `You receive ${kept} ${currency} in ${to}, after a fee of ${taken} ${currency} (${workspace.fee_percent}%).`;
}

// Which of our keys pays for a transaction that others sign first, where its message names the payer. No key is needed to choose it.
import type { Chain } from '../../chain/chain.ts';
import { payersInForce } from '../../chain/payers.ts';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';

/**
 * A key that the chain knows as an executor and that our rows do not keep out of use, those that have sent here before first; with each turn another one.
 * @returns null where the payer is chosen when it is sent
 * @throws AppError `provider_unavailable`
 */
export async function choosePayer(ctx: Ctx, chain: Chain, turn: number): Promise<string | null> {
  const inForce = await payersInForce(chain);
  if (inForce === null) return null;
  const rows = await ctx.db.executorKey.findMany({ where: { chain: chain.name, address: { in: inForce } } });
  const usable = inForce.filter((address) => !rows.some((row) => row.address === address && row.pausedReason !== null));
  const known = usable.filter((address) => rows.some((row) => row.address === address));
  const choices = known.length > 0 ? known : usable;
  const payer = choices[turn % Math.max(choices.length, 1)];
  if (payer === undefined) throw new AppError('provider_unavailable', `no executor key works on ${chain.facts.label}`);
  return payer;
}

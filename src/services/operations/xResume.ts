// What an operator does about a halt of X: lets it be read again, where there is something to pay for it with.
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { budgetForRoom, hasRoom, utcDay } from '../../domain/xBudget.ts';
import { answersOwed, endHalt, figures, lockDay, noteResume } from '../chat/xBudget.ts';

/**
 * Ends the halt of today. The budget is the one of the process that makes the calls, as its row has it.
 * @param by who asked, for the record
 * @throws AppError `state_conflict` when nothing is halted, or the budget has no room
 */
export async function resumeX(ctx: Ctx, by: string): Promise<void> {
  const now = ctx.clock.now();
  const day = utcDay(now);
  await ctx.db.$transaction(async (tx) => {
    await lockDay(tx, day);
    const row = await tx.xBudgetDay.findUnique({ where: { day } });
    if (!row || row.halted === null)
      throw new AppError('state_conflict', 'X is not halted. There is nothing to resume.');
    const owed = await answersOwed(tx);
    const today = figures(row);
    if (!hasRoom(today, owed, now)) {
      const usd = (micros: bigint) => (Number(micros) / 1e6).toFixed(2);
      throw new AppError(
        'state_conflict',
        `The budget has no room: ${usd(today.spent)} of ${usd(today.budget)} USD are spent on ${day}, and ${owed} answers are owed. Set X_DAILY_BUDGET_USD of the bots to ${usd(budgetForRoom(today, owed))} or more and restart them.`,
      );
    }
    await noteResume(ctx, tx, row, by);
    endHalt(row);
    const { halted, haltedAt, haltedBudgetMicros, probe } = row;
    await tx.xBudgetDay.update({ where: { day }, data: { halted, haltedAt, haltedBudgetMicros, probe } });
  });
}

export type Resume = { at: string; by: string; halted: string };

/** The last times that X was read again after a halt, newest first. */
export async function listResumes(ctx: Ctx, limit: number): Promise<Resume[]> {
  const rows = await ctx.db.transition.findMany({
    where: { resource: 'x_budget' },
    orderBy: { id: 'desc' },
    take: limit,
  });
  return rows.map(({ at, detail }) => {
    const { by = '', halted = '' } = detail as { by?: string; halted?: string };
    return { at: at.toISOString(), by, halted };
  });
}

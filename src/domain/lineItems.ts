// What is bought with an order: names, quantities and prices whose sum is the order's amount, to the smallest unit.
import { formatUnits, parseUnits, scaleUnits } from './money.ts';
import { readNote } from './note.ts';

/** `amount` is the price of one, a canonical decimal string of the order's currency. */
export type LineItem = { name: string; quantity: number; amount: string };

export const LINE_ITEMS = { most: 50, nameLength: 120, quantity: 10_000 } as const;

type Currency = {
  symbol: string;
  /** Of the token on its chain, and the most that people may write. */
  decimals: number;
  written: number;
};

/**
 * @param total units that the items must add up to
 * @returns the items in canonical form, or why they are refused and where
 */
export function readLineItems(
  given: readonly LineItem[],
  total: bigint,
  { symbol, decimals, written }: Currency,
): { items: LineItem[] } | { problem: string; param: string } {
  if (given.length > LINE_ITEMS.most)
    return { problem: `line_items can have at most ${LINE_ITEMS.most} items.`, param: 'line_items' };
  const items: LineItem[] = [];
  let sum = 0n;
  for (const [index, { name, quantity, amount }] of given.entries()) {
    const at = `line_items[${index}]`;
    const read = readNote(name, LINE_ITEMS.nameLength);
    const text = 'note' in read ? read.note : null;
    if (text === null || text.includes('\n'))
      return {
        problem: `${at}[name] must be one line of plain text, 1 to ${LINE_ITEMS.nameLength} characters.`,
        param: `${at}[name]`,
      };
    if (!Number.isSafeInteger(quantity) || quantity < 1 || quantity > LINE_ITEMS.quantity)
      return {
        problem: `${at}[quantity] must be a whole number from 1 to ${LINE_ITEMS.quantity}.`,
        param: `${at}[quantity]`,
      };
    const units = parseUnits(amount, written);
    if (units === null)
      return {
        problem: `${at}[amount] must be a decimal string such as "12.50", with at most ${written} decimals.`,
        param: `${at}[amount]`,
      };
    const price = scaleUnits(units, written, decimals);
    sum += price * BigInt(quantity);
    items.push({ name: text, quantity, amount: formatUnits(price, decimals) });
  }
  if (items.length === 0 || sum === total) return { items };
  const [found, wanted] = [sum, total].map((units) => `${formatUnits(units, decimals)} ${symbol}`);
  return { problem: `line_items add up to ${found}, but the amount is ${wanted}.`, param: 'line_items' };
}

/** Quantity times price, of an item as it is stored. */
export function lineTotal({ quantity, amount }: LineItem): string {
  const decimals = amount.split('.')[1]?.length ?? 0;
  return formatUnits((parseUnits(amount, decimals) ?? 0n) * BigInt(quantity), decimals);
}

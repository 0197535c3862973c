// An amount that may be below zero, with a minus that is as wide as a digit.
import { padAmount } from '../../app/format.ts';

export function signedAmount(amount: string): string {
  return amount.startsWith('-') ? `−${padAmount(amount.slice(1))}` : padAmount(amount);
}

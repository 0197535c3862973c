// What waits for somebody: the tabs that they could claim now, and their sum.
import { addAmounts } from '../format.ts';
import { isUnderWay, type TabView } from './tabsApi.ts';

export function claimable(tabs: TabView[]): TabView[] {
  return tabs.filter(
    (tab) =>
      tab.status === 'open' &&
      tab.role === 'recipient' &&
      !isUnderWay(tab.claim?.status) &&
      !isUnderWay(tab.refund?.status),
  );
}

/** `5.00 USDC`, `5.00 USDC and 0.01 ETH` */
export function sumOf(tabs: TabView[]): string {
  const currencies = [...new Set(tabs.map(({ currency }) => currency))];
  return currencies
    .map((currency) => {
      const amounts = tabs.filter((tab) => tab.currency === currency).map(({ amount }) => amount);
      return `${addAmounts(amounts)} ${currency}`;
    })
    .join(' and ');
}

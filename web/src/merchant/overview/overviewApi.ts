// The overview as the service tells it, and the period that the address bar names.

import { useQuery } from '@tanstack/react-query';
import { addDays, dayOf } from '../../../../src/domain/days.ts';
import { faultOf, PERIODS, type PeriodFault, type PeriodName } from '../../../../src/domain/overview.ts';
import type { OverviewAnswer } from '../../../../src/http/api/overviewAnswers.ts';
import { namedPath } from '../../app/acting.ts';
import { callApi, queryOf } from '../../app/api.ts';
import { navigate } from '../../app/router.tsx';
import { keptIn, type Mode, useMode } from '../business/workspaceApi.ts';

export type Overview = OverviewAnswer;
export type CurrencyMoney = Overview['currencies'][number];

/** The days are of a custom period. */
export type Wanted = { period: PeriodName; from: string; to: string; currency: string };

export const OVERVIEW_KEY = ['overview'];
export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** The stream announces events; an opened checkout is none. */
const REFRESH_MS = 15_000;
const USUAL: PeriodName = '30d';
const USUAL_DAYS = 30;

export function readWanted(search: URLSearchParams, now: number): Wanted {
  const period = PERIODS.find((one) => one === search.get('period')) ?? USUAL;
  const today = dayOf(now, ZONE);
  const day = (name: string, usual: string) => {
    const text = search.get(name) ?? '';
    return isDay(text) ? text : usual;
  };
  return {
    period,
    from: day('from', addDays(today, 1 - USUAL_DAYS)),
    to: day('to', today),
    currency: search.get('currency') ?? '',
  };
}

export function writeWanted({ period, from, to, currency }: Wanted): void {
  const days = period === 'custom' ? { from, to } : {};
  navigate(`/overview${queryOf({ period: period === USUAL ? null : period, ...days, currency })}`, { replace: true });
}

/** Why nothing is requested for these days; null where they make a period. */
export function dayFault({ period, from, to }: Wanted, now: number): PeriodFault | null {
  if (period !== 'custom') return null;
  for (const [param, day] of [
    ['from', from],
    ['to', to],
  ] as const)
    if (!isDay(day)) return { param, words: 'must be a day, with a year of four digits' };
  return faultOf({ from, to, today: dayOf(now, ZONE) });
}

function isDay(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

const paramsOf = ({ period, from, to }: Wanted, mode: Mode | null) => ({
  period,
  ...(period === 'custom' ? { from, to } : {}),
  tz: ZONE,
  mode,
});

/** @param isPeriod whether the days make a period */
export function useOverview(wanted: Wanted, isPeriod: boolean) {
  const mode = useMode();
  const params = paramsOf(wanted, mode);
  return useQuery({
    queryKey: [...OVERVIEW_KEY, mode, params],
    queryFn: ({ signal }) => callApi<Overview>('GET', `/overview${queryOf(params)}`, undefined, signal),
    refetchInterval: REFRESH_MS,
    enabled: mode !== null && isPeriod,
    placeholderData: keptIn(mode),
  });
}

export function csvUrl(wanted: Wanted, mode: Mode | null): string {
  return namedPath('GET', `/api/overview.csv${queryOf(paramsOf(wanted, mode))}`);
}

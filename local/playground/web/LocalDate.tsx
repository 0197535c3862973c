// The date of the local stack, while its clock is ahead of this machine's (`ampersat clock`).
import { useQuery } from '@tanstack/react-query';
import { CalendarClock } from 'lucide-react';
import { noteClock, readClockOffset } from '../../../web/src/app/api.ts';
import { dayName } from '../../../web/src/app/format.ts';
import { callJson } from './localApi.ts';

const EACH_MS = 5_000;

export function LocalDate() {
  const { data } = useQuery({
    queryKey: ['clock'],
    queryFn: async () => {
      const { now } = await callJson<{ now: string }>('/_local/clock');
      noteClock(Date.parse(now));
      return Date.parse(now);
    },
    refetchInterval: EACH_MS,
  });
  if (data === undefined || readClockOffset() === 0 || dayName(data) === dayName(Date.now())) return null;
  return (
    <p
      title="The clock of this local stack was moved: ampersat clock"
      className="flex items-center gap-1 text-sm text-amber"
    >
      <CalendarClock aria-hidden="true" className="size-4" />
      {dayName(data)}
    </p>
  );
}

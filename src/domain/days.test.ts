// Days in the reader's zone: each begins when the one before it ends, on nights when clocks change too.
import { describe, expect, test } from 'vitest';
import { addDays, dayOf, isTimeZone, startOfDay } from './days.ts';

describe('the first moment of a day', () => {
  test.each([
    ['2026-11-22', 'UTC', '2026-11-22T00:00:00.000Z'],
    ['2026-11-22', 'Asia/Kolkata', '2026-11-21T18:30:00.000Z'],
    ['2026-11-22', 'America/New_York', '2026-11-22T05:00:00.000Z'],
    // Clocks go forward in the night, back in the night, and in Cuba and Lebanon at midnight itself.
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
    ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00.000Z'],
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    ['2018-02-18', 'America/Sao_Paulo', '2018-02-18T03:00:00.000Z'],
  ])('%s in %s', (day, zone, start) => {
    expect(new Date(startOfDay(day, zone)).toISOString()).toBe(start);
  });

  test('is the end of the day before, in every zone and through a whole year', () => {
    for (const zone of [
      'Europe/Berlin',
      'America/Havana',
      'Asia/Beirut',
      'Africa/Cairo',
      'Pacific/Apia',
      'Asia/Gaza',
    ]) {
      for (let day = '2026-01-01'; day < '2027-01-01'; day = addDays(day, 1)) {
        const start = startOfDay(day, zone);
        expect(dayOf(start, zone), `${day} ${zone}`).toBe(day);
        expect(dayOf(start - 1, zone), `before ${day} ${zone}`).toBe(addDays(day, -1));
      }
    }
  });
});

test('a zone is one of the list, and nothing else', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])
    expect(isTimeZone(zone)).toBe(true);
  for (const zone of ['', 'Mars/Base', "UTC'; drop table", '+02:00', 'x'.repeat(100), '../etc'])
    expect(isTimeZone(zone)).toBe(false);
});

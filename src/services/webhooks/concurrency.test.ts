// What a dispatcher keeps in mind: places come back, hosts are sent to at their rate, and everybody has a turn.
import { expect, test } from 'vitest';
import { createSlots, type Grant } from './concurrency.ts';

const listed = (id: string, host = id) => ({ id, host, isFailing: false });
const sum = (grants: Grant[]) => grants.reduce((all, grant) => all + grant.slots, 0);
const whole = (grants: Grant[]) => new Map(grants.map(({ endpointId, slots }) => [endpointId, slots]));

test('what was taken and not used is free again, and the endpoint waits for the next look', () => {
  const slots = createSlots(1_000_000);
  slots.offer([listed('a')]);
  const grants = slots.take();
  expect(grants).toEqual([{ endpointId: 'a', slots: 10 }]);
  slots.found(grants, new Map([['a', 3]]));
  expect([slots.underWay(), slots.isHungry()]).toEqual([3, false]);
  expect(slots.take()).toEqual([]);
  slots.offer([listed('a')]);
  expect(slots.take()).toEqual([{ endpointId: 'a', slots: 7 }]);
});

test('an endpoint that fails has fewer places from its first failure on, and all again after a success', () => {
  const slots = createSlots(1_000_000);
  slots.offer([listed('a')]);
  slots.found(slots.take(), new Map([['a', 10]]));
  for (let i = 0; i < 9; i++) slots.free('a', { isFailing: true, isSlow: false });
  expect(sum(slots.take())).toBe(3);
  slots.free('a', { isFailing: false, isSlow: false });
  expect(sum(slots.take())).toBe(7);
});

test('a host is sent to at its rate of real time, with a tenth of a second’s at once', () => {
  let now = 0;
  const slots = createSlots(100, () => now);
  const send = () => {
    slots.offer([listed('a')]);
    const grants = slots.take();
    slots.found(grants, whole(grants));
    for (let i = 0; i < sum(grants); i++) slots.free('a', { isFailing: false, isSlow: false });
    return sum(grants);
  };
  expect([send(), send()]).toEqual([10, 0]);
  expect(slots.waitMs()).toBe(10);
  now += 35;
  expect([send(), send()]).toEqual([3, 0]);
  let sent = 0;
  for (let i = 0; i < 1_000; i++) {
    now += 1;
    sent += send();
  }
  expect(sent).toBe(100);
  now += 3_600_000;
  expect(send()).toBe(10);
});

test('a host that was sent to slowly costs no memory and no wait', () => {
  let now = 0;
  const slots = createSlots(1, () => now);
  slots.offer([listed('a')]);
  const grants = slots.take();
  expect(grants).toEqual([{ endpointId: 'a', slots: 1 }]);
  slots.found(grants, new Map());
  slots.offer([listed('a')]);
  expect(slots.waitMs()).toBe(Number.POSITIVE_INFINITY);
  expect(sum(slots.take())).toBe(1);
  expect(slots.waitMs()).toBe(1_000);
  now += 400;
  expect(slots.waitMs()).toBe(600);
});

test('nobody starves: behind endpoints that always have more, each one has its turn', () => {
  const slots = createSlots(1_000_000);
  const ids = Array.from({ length: 700 }, (_, i) => `e${i}`);
  const served = new Map<string, number>();
  // Ten places come free at a time, and everybody always has more.
  let under: string[] = [];
  for (let i = 0; i < 150; i++) {
    slots.offer(ids.map((id) => listed(id)));
    const grants = slots.take();
    slots.found(grants, whole(grants));
    for (const { endpointId, slots: count } of grants) {
      served.set(endpointId, (served.get(endpointId) ?? 0) + count);
      under.push(...Array.from({ length: count }, () => endpointId));
    }
    for (const id of under.slice(0, 10)) slots.free(id, { isFailing: false, isSlow: false });
    under = under.slice(10);
  }
  const counts = ids.map((id) => served.get(id) ?? 0);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2);
});

test('endpoints that answer slowly leave half to the others, though they always have more', () => {
  const slots = createSlots(1_000_000);
  const slow = Array.from({ length: 60 }, (_, i) => listed(`slow${i}`));
  slots.offer(slow);
  const grants = slots.take();
  slots.found(grants, whole(grants));
  expect(sum(grants)).toBe(512);
  for (const { endpointId, slots: count } of grants)
    for (let i = 0; i < count; i++) slots.free(endpointId, { isFailing: false, isSlow: true });
  slots.offer(slow);
  expect(sum(slots.take())).toBe(256);
  slots.offer([...slow, listed('quick')]);
  expect(slots.take()).toEqual([{ endpointId: 'quick', slots: 10 }]);
});

test('a place that comes free for an endpoint that is not known any more breaks nothing', () => {
  const slots = createSlots(100);
  slots.free('a', { isFailing: true, isSlow: false });
  slots.offer([listed('a')]);
  slots.forget('a');
  expect([slots.underWay(), slots.isHungry(), slots.take()]).toEqual([0, false, []]);
});

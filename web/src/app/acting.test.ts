// The workspace that a tab acts for: chosen by one account, named in calls about a workspace alone, and ended by another account.
import { beforeEach, expect, test, vi } from 'vitest';

const stored = new Map<string, string>();
vi.stubGlobal('sessionStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
  removeItem: (key: string) => stored.delete(key),
});

/** A tab of its own, which keeps what the one before stored: as after a reload. */
const openTab = async () => {
  vi.resetModules();
  return import('./acting.ts');
};
beforeEach(() => stored.clear());

test('calls about a workspace name it; those of the account itself do not', async () => {
  const tab = await openTab();
  tab.noteAccountOf('alice');
  expect(tab.namedPath('GET', '/api/orders')).toBe('/api/orders');
  tab.chooseActing('shop');
  expect(tab.namedPath('GET', '/api/orders?limit=5')).toBe('/api/orders?limit=5&workspace=shop');
  expect(tab.namedPath('POST', '/api/keys/key_1/roll')).toBe('/api/keys/key_1/roll?workspace=shop');
  for (const path of ['/api/session', '/api/history', '/api/teams', '/api/subscriptions/subs'])
    expect(tab.namedPath('GET', path)).toBe(path);
  tab.chooseActing(null);
  expect(tab.namedPath('GET', '/api/orders')).toBe('/api/orders');
});

test('a reload keeps the choice, and another account ends it, also once the first is back', async () => {
  const tab = await openTab();
  tab.noteAccountOf('alice');
  tab.chooseActing('shop');
  const again = await openTab();
  // Without a known account no tab acts for a workspace.
  expect(again.actingFor()).toBeNull();
  again.noteAccountOf('alice');
  expect(again.actingFor()).toBe('shop');
  again.noteAccountOf('bob');
  expect(again.actingFor()).toBeNull();
  again.noteAccountOf('alice');
  expect(again.actingFor()).toBeNull();
  const later = await openTab();
  later.noteAccountOf('alice');
  expect(later.actingFor()).toBeNull();
});

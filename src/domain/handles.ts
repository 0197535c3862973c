// Handles: their form, the reserved names, and the skeleton under which look-alikes collide.

/** Lower-case letters, digits and underscores, 3 to 30 of them. */
export const HANDLE_PATTERN = /^[a-z0-9_]{3,30}$/;

const RESERVED = [
  'admin',
  'administrator',
  'ampersat',
  'api',
  'bot',
  'everyone',
  'here',
  'help',
  'official',
  'root',
  'security',
  'staff',
  'support',
  'system',
  'team',
  'telegram',
  'discord',
  'treasury',
  'usdc',
  'circle',
  'null',
  'undefined',
];

/** Two handles with one skeleton look alike to a hurried reader, so only one of them may exist. */
export function handleSkeleton(handle: string): string {
  return handle
    .replaceAll('_', '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('0', 'o')
    .replaceAll('1', 'l')
    .replaceAll('i', 'l')
    .replaceAll('5', 's');
}

const RESERVED_SKELETONS = new Set(RESERVED.map(handleSkeleton));

export type HandleProblem = 'format' | 'reserved';

export function handleProblem(handle: string): HandleProblem | null {
  if (!HANDLE_PATTERN.test(handle)) return 'format';
  return RESERVED_SKELETONS.has(handleSkeleton(handle)) ? 'reserved' : null;
}

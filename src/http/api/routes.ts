// All routes of /api that are data.
import { ESCROW_ROUTES } from './escrow.ts';
import type { Route } from './route.ts';
import { SPENDING_ROUTES } from './spending.ts';
import { WAITING_ROUTES } from './waiting.ts';

export const ROUTES: readonly Route[] = [...SPENDING_ROUTES, ...WAITING_ROUTES, ...ESCROW_ROUTES];

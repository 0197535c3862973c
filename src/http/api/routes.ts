// All routes of /api that are data.
import { BALANCE_ROUTES } from './balances.ts';
import { BRANDING_ROUTES } from './branding.ts';
import { CAMPAIGN_ROUTES } from './campaigns.ts';
import { DIAG_ROUTES } from './diag.ts';
import { ESCROW_ROUTES } from './escrow.ts';
import { HANDLE_PAGE_ROUTES } from './handlePages.ts';
import { OVERVIEW_ROUTES } from './overview.ts';
import { PLAN_ROUTES } from './plans.ts';
import { REQUEST_LOG_ROUTES } from './requestLog.ts';
import type { Route } from './route.ts';
import { SEND_ROUTES } from './sends.ts';
import { SMART_ROUTES } from './smart.ts';
import { SPENDING_ROUTES } from './spending.ts';
import { SUBSCRIBING_ROUTES } from './subscribing.ts';
import { SUBSCRIPTION_ROUTES } from './subscriptions.ts';
import { TEAM_ROUTES } from './team.ts';
import { WAITING_ROUTES } from './waiting.ts';
import { WALLET_ROUTES } from './wallet.ts';
import { WRAPPING_ROUTES } from './wrapping.ts';

export const ROUTES: readonly Route[] = [
  ...SPENDING_ROUTES,
  ...WALLET_ROUTES,
  ...WRAPPING_ROUTES,
  ...WAITING_ROUTES,
  ...ESCROW_ROUTES,
  ...OVERVIEW_ROUTES,
  ...PLAN_ROUTES,
  ...SUBSCRIBING_ROUTES,
  ...SUBSCRIPTION_ROUTES,
  ...CAMPAIGN_ROUTES,
  ...HANDLE_PAGE_ROUTES,
  ...SMART_ROUTES,
  ...DIAG_ROUTES,
  ...REQUEST_LOG_ROUTES,
  ...BRANDING_ROUTES,
  ...TEAM_ROUTES,
  ...SEND_ROUTES,
  ...BALANCE_ROUTES,
];

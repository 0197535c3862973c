// All endpoints of /v1, in the order in which the reference page shows them.
import { CAMPAIGN_ENDPOINTS } from './campaigns.ts';
import type { Endpoint } from './endpoint.ts';
import { EVENT_ENDPOINTS } from './events.ts';
import { ORDER_ENDPOINTS } from './orders.ts';
import { LINK_ENDPOINTS } from './paymentLinks.ts';
import { PLAN_ENDPOINTS } from './plans.ts';
import { refundOrder } from './refunds.ts';
import { REQUEST_LOG_ENDPOINTS } from './requestLogs.ts';
import { WEBHOOK_ENDPOINTS } from './webhookEndpoints.ts';

export const ENDPOINTS: readonly Endpoint[] = [
  ...ORDER_ENDPOINTS,
  refundOrder,
  ...LINK_ENDPOINTS,
  ...PLAN_ENDPOINTS,
  ...CAMPAIGN_ENDPOINTS,
  ...EVENT_ENDPOINTS,
  ...WEBHOOK_ENDPOINTS,
  ...REQUEST_LOG_ENDPOINTS,
];

// The call that the front page shows.
import { type ApiCall, PLACEHOLDER_KEY } from '../callExamples.ts';

export const CREATE_ORDER: Omit<ApiCall, 'origin'> = {
  operationId: 'createOrder',
  method: 'POST',
  path: '/v1/orders',
  template: '/v1/orders',
  query: {},
  body: { amount: '25.00', chain: 'base-sepolia', description: 'Two bags of coffee' },
  key: PLACEHOLDER_KEY,
  idempotencyKey: 'cart-7042',
  isStream: false,
};

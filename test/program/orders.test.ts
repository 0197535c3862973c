// Temporary
import { testRefusals } from './refusals.ts';
import { ORDERS_REFUSALS } from './ordersRefusals.ts';

testRefusals(ORDERS_REFUSALS);

// Temporary
import { testRefusals } from './refusals.ts';
import { PLANS_REFUSALS } from './plansRefusals.ts';

testRefusals(PLANS_REFUSALS);

// Temporary
import { testRefusals } from './refusals.ts';
import { LIMITS_REFUSALS } from './limitsRefusals.ts';

testRefusals(LIMITS_REFUSALS);

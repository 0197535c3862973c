// Temporary
import { testRefusals } from './refusals.ts';
import { CAMPAIGNS_REFUSALS } from './campaignsRefusals.ts';

testRefusals(CAMPAIGNS_REFUSALS);

// Temporary
import { testRefusals } from './refusals.ts';
import { TIPS_REFUSALS } from './tipsRefusals.ts';

testRefusals(TIPS_REFUSALS);

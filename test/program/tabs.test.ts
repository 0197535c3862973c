// Temporary
import { testRefusals } from './refusals.ts';
import { TABS_REFUSALS } from './tabsRefusals.ts';

testRefusals(TABS_REFUSALS);

// Temporary
import { testRefusals } from './refusals.ts';
import { ROLES_REFUSALS } from './rolesRefusals.ts';

testRefusals(ROLES_REFUSALS);

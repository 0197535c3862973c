// The roles of the local deployment. Each has its own key, as the routers demand; all of them are play keys.
import { localKey } from './people.ts';

export const ROLES = {
  deployer: localKey('deployer'),
  owner: localKey('owner'),
  guardian: localKey('guardian'),
  treasury: localKey('treasury'),
  authority: localKey('handle authority'),
  executors: [localKey('executor 1'), localKey('executor 2')],
};

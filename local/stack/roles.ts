// The roles of the local deployment. Each has its own key, as the routers demand; all of them are play keys.
import type { SolanaRoles } from '../solana/deployLocal.ts';
import { localSolanaKey } from '../solana/keys.ts';
import { localKey } from './people.ts';

export const ROLES = {
  deployer: localKey('deployer'),
  owner: localKey('owner'),
  guardian: localKey('guardian'),
  treasury: localKey('treasury'),
  authority: localKey('handle authority'),
  executors: [localKey('executor 1'), localKey('executor 2')],
};

/** The same roles on the Solana chain, by the same names. */
export const SOLANA_ROLES: SolanaRoles = {
  deployer: localSolanaKey('deployer'),
  owner: localSolanaKey('owner'),
  guardian: localSolanaKey('guardian'),
  treasury: localSolanaKey('treasury'),
  authority: localSolanaKey('handle authority'),
  executors: [localSolanaKey('executor 1'), localSolanaKey('executor 2')],
};

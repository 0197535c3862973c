// The syscalls that the program may call: a name outside this list would only be noticed when a transaction reaches the call.
import { murmur3 } from './murmur3.ts';

export const SYSCALLS = [
  'abort',
  'sol_panic_',
  'sol_log_',
  'sol_log_64_',
  'sol_log_data',
  'sol_log_pubkey',
  'sol_invoke_signed_c',
  'sol_create_program_address',
  'sol_try_find_program_address',
  'sol_get_clock_sysvar',
  'sol_get_rent_sysvar',
  'sol_sha256',
  'sol_keccak256',
  'sol_memcpy_',
  'sol_memmove_',
  'sol_memset_',
  'sol_memcmp_',
  'sol_set_return_data',
  'sol_get_stack_height',
] as const;

const names: ReadonlySet<string> = new Set(SYSCALLS);
const hashes: ReadonlySet<number> = new Set(SYSCALLS.map(murmur3));

export const isSyscall = (name: string) => names.has(name);
export const isSyscallHash = (hash: number) => hashes.has(hash);

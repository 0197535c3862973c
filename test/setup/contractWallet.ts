// A contract wallet in the fewest bytes: it accepts the signatures of one key (ERC-1271), which stands in its first storage slot.
import { type Address, concatHex, type Hex, pad } from 'viem';
import type { World } from './world.ts';

/** `isValidSignature(hash, r ++ s ++ v)`: asks the ecrecover precompile and compares with slot 0; whatever is called is taken for that. */
export const CONTRACT_WALLET: Hex = concatHex([
  '0x600435600052', // hash → memory 0x00
  '0x60a43560001a602052', // v → memory 0x20
  '0x606435604052', // r → memory 0x40
  '0x608435606052', // s → memory 0x60
  '0x6020608060806000', // answer to 0x80, question from 0x00
  '0x60015afa50', // staticcall(gas, 1, …)
  '0x608051600054', // the signer, the owner
  '0x14', // equal?
  '0x631626ba7e60e01b02', // times the magic value
  '0x60005260206000f3',
]);

/** Puts such a wallet of `owner` at an address of a world's chain. */
export async function placeContractWallet(
  world: World,
  address: Address,
  owner: Address,
  chain: Parameters<World['admin']>[0] = 'base',
): Promise<void> {
  const admin = world.admin(chain);
  await admin.setCode({ address, bytecode: CONTRACT_WALLET });
  await admin.setStorageAt({ address, index: 0, value: pad(owner) });
}

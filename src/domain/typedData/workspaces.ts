// What a wallet signs about its workspace: whom it may name as a recipient, and where the business is paid. The service checks it.
import { signedForService, struct, type TypedData } from '../typedData.ts';

type Signing = {
  chainId: number;
  /** The handle whose wallet signs. */
  workspace: string;
  /** The workspace's next one: what was signed for one change is worth nothing for another. */
  nonce: number;
  /** Unix seconds. */
  deadline: number;
};

export type RecipientTerms = Signing & { recipient: string; allowed: boolean };

/** From now on the workspace's keys may, or may not, name this handle as the recipient of orders and links. */
export function recipientData({ chainId, ...terms }: RecipientTerms): TypedData {
  const members = 'string workspace,string recipient,bool allowed,uint256 nonce,uint256 deadline';
  return signedForService(chainId, struct('RecipientAllowance', members, terms));
}

export type BusinessWalletTerms = Signing & {
  /** The handle's own wallet, and the address to which the business is paid. */
  wallet: string;
  payoutAddress: string;
};

/** The handle is a business from now on, paid at this address. The address signs it too, where it is another one than the wallet. */
export function businessWalletData({ chainId, ...terms }: BusinessWalletTerms): TypedData {
  const members = 'string workspace,address wallet,address payoutAddress,uint256 nonce,uint256 deadline';
  return signedForService(chainId, struct('BusinessWallet', members, terms));
}

// What wallets are asked to sign (EIP-712), ready for `eth_signTypedData_v4`: numbers are decimal strings, and the domain's type is listed.
// The pages show the same data, so that what is read and what is signed are one.

type Field = { name: string; type: string };
export type TypedData = {
  domain: Record<string, string | number>;
  types: Record<string, Field[]>;
  primaryType: string;
  message: Record<string, string>;
};

const ROUTER = { name: 'Ampersat Bot Router', version: '1' } as const;
const SERVICE = { name: 'Ampersat', version: '1' } as const;

function fields(text: string): Field[] {
  return text.split(', ').map((pair) => {
    const [type = '', name = ''] = pair.split(' ');
    return { name, type };
  });
}

const CONTRACT_DOMAIN = fields('string name, string version, uint256 chainId, address verifyingContract');
const SERVICE_DOMAIN = fields('string name, string version, uint256 chainId');

export type PermitTerms = {
  chainId: number;
  token: string;
  /** The token's own EIP-712 name and version. */
  tokenDomain: { name: string; version: string };
  owner: string;
  spender: string;
  value: bigint;
  nonce: bigint;
  /** Unix seconds. */
  deadline: number;
};

/** EIP-2612: the owner lets the spender take up to `value`. */
export function permitData(terms: PermitTerms): TypedData {
  return {
    domain: { ...terms.tokenDomain, chainId: terms.chainId, verifyingContract: terms.token },
    types: {
      EIP712Domain: CONTRACT_DOMAIN,
      Permit: fields('address owner, address spender, uint256 value, uint256 nonce, uint256 deadline'),
    },
    primaryType: 'Permit',
    message: {
      owner: terms.owner,
      spender: terms.spender,
      value: String(terms.value),
      nonce: String(terms.nonce),
      deadline: String(terms.deadline),
    },
  };
}

export type LimitsTerms = {
  chainId: number;
  router: string;
  sender: string;
  token: string;
  perTip: bigint;
  perDay: bigint;
  maxFee: bigint;
  nonce: bigint;
  deadline: number;
};

/** The bot router's `SetLimits`. */
export function setLimitsData(terms: LimitsTerms): TypedData {
  return {
    domain: { ...ROUTER, chainId: terms.chainId, verifyingContract: terms.router },
    types: {
      EIP712Domain: CONTRACT_DOMAIN,
      SetLimits: fields(
        'address sender, address token, uint128 perTip, uint128 perDay, uint128 maxFee, uint256 nonce, uint256 deadline',
      ),
    },
    primaryType: 'SetLimits',
    message: {
      sender: terms.sender,
      token: terms.token,
      perTip: String(terms.perTip),
      perDay: String(terms.perDay),
      maxFee: String(terms.maxFee),
      nonce: String(terms.nonce),
      deadline: String(terms.deadline),
    },
  };
}

export type UnpauseTerms = { chainId: number; router: string; sender: string; nonce: bigint; deadline: number };

/** The bot router's `UnpauseSender`. */
export function unpauseData(terms: UnpauseTerms): TypedData {
  return {
    domain: { ...ROUTER, chainId: terms.chainId, verifyingContract: terms.router },
    types: {
      EIP712Domain: CONTRACT_DOMAIN,
      UnpauseSender: fields('address sender, uint256 nonce, uint256 deadline'),
    },
    primaryType: 'UnpauseSender',
    message: { sender: terms.sender, nonce: String(terms.nonce), deadline: String(terms.deadline) },
  };
}

export type ClaimTerms = {
  chainId: number;
  router: string;
  tabId: string;
  handleKey: string;
  recipient: string;
  /** Unix seconds. */
  notAfter: bigint;
};

/** The escrow router's `Claim`, which the handle authority signs. */
export function claimData(terms: ClaimTerms): TypedData {
  return {
    domain: { name: 'Ampersat Escrow Router', version: '1', chainId: terms.chainId, verifyingContract: terms.router },
    types: {
      EIP712Domain: CONTRACT_DOMAIN,
      Claim: fields('bytes32 tabId, bytes32 handleKey, address recipient, uint64 notAfter'),
    },
    primaryType: 'Claim',
    message: {
      tabId: terms.tabId,
      handleKey: terms.handleKey,
      recipient: terms.recipient,
      notAfter: String(terms.notAfter),
    },
  };
}

export type RightTerms = {
  chainId: number;
  platform: string;
  platformUserId: string;
  username: string;
  handle: string;
  /** Canonical US dollars. */
  commandCap: string;
  dayCap: string;
  nonce: number;
  deadline: number;
};

/** The right of one chat account to spend for a handle: read by people in their wallet, checked by the service. */
export function spendingRightData(terms: RightTerms): TypedData {
  return {
    domain: { ...SERVICE, chainId: terms.chainId },
    types: {
      EIP712Domain: SERVICE_DOMAIN,
      SpendingRight: fields(
        'string platform, string platformUserId, string username, string handle, string commandCap, string dayCap, uint256 nonce, uint256 deadline',
      ),
    },
    primaryType: 'SpendingRight',
    message: {
      platform: terms.platform,
      platformUserId: terms.platformUserId,
      username: terms.username,
      handle: terms.handle,
      commandCap: `${terms.commandCap} USD`,
      dayCap: `${terms.dayCap} USD`,
      nonce: String(terms.nonce),
      deadline: String(terms.deadline),
    },
  };
}

export type WalletChangeTerms = {
  chainId: number;
  handle: string;
  oldWallet: string;
  newWallet: string;
  /** Counts the changes that were asked for: what was signed for one is worth nothing for another. */
  nonce: number;
  /** Unix seconds. */
  deadline: number;
};

/** The new wallet signs that it is to be paid from now on, and the old one too when that is to be at once. */
export function walletChangeData(terms: WalletChangeTerms): TypedData {
  return {
    domain: { ...SERVICE, chainId: terms.chainId },
    types: {
      EIP712Domain: SERVICE_DOMAIN,
      PayoutWalletChange: fields(
        'string handle, address oldWallet, address newWallet, uint256 nonce, uint256 deadline',
      ),
    },
    primaryType: 'PayoutWalletChange',
    message: {
      handle: terms.handle,
      oldWallet: terms.oldWallet,
      newWallet: terms.newWallet,
      nonce: String(terms.nonce),
      deadline: String(terms.deadline),
    },
  };
}

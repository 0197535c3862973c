// The messages that wallets sign (EIP-712), ready for `eth_signTypedData_v4`: numbers are decimal strings, and the domain's type is listed.
// The pages show the same data, so that what is read and what is signed are one.

export type Bytes = `0x${string}`;
type Field = { name: string; type: string };
type Value = string | boolean;
/** A struct of its own, such as one that is carried by another contract's message: the members of its type, and what they are. */
export type Struct = { primaryType: string; types: Record<string, Field[]>; message: Record<string, Value> };
export type TypedData = {
  domain: Record<string, string | number>;
  types: Record<string, Field[]>;
  primaryType: string;
  message: Record<string, Value | Record<string, Value>>;
};

const ROUTER = { name: 'Ampersat Bot Router', version: '1' } as const;
const SERVICE = { name: 'Ampersat', version: '1' } as const;

/** The members of a type, from the text that a contract hashes: `address to,uint256 amount`. */
export function fields(text: string): Field[] {
  return text.split(/, ?/).map((pair) => {
    const [type = '', name = ''] = pair.split(' ');
    return { name, type };
  });
}

const CONTRACT_DOMAIN = fields('string name, string version, uint256 chainId, address verifyingContract');
const SERVICE_DOMAIN = fields('string name, string version, uint256 chainId');

/** A message of one struct, members in the order of its type; each number becomes a decimal string. */
export function struct(primaryType: string, members: string, values: Record<string, unknown>): Struct {
  const own = fields(members);
  const message = Object.fromEntries(own.map(({ name }) => [name, wireValue(name, values[name])]));
  return { primaryType, types: { [primaryType]: own }, message };
}

function wireValue(name: string, value: unknown): Value {
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  throw new TypeError(`the message has no ${name}`);
}

/** Where a signature counts: one contract on one chain. */
export type Verifier = { chainId: number; contract: string };

/** The struct as it is signed for a contract. */
export function signedFor(
  { chainId, contract }: Verifier,
  name: { name: string; version?: string },
  { primaryType, types, message }: Pick<TypedData, 'primaryType' | 'types' | 'message'>,
): TypedData {
  const domainFields = CONTRACT_DOMAIN.filter((field) => field.name !== 'version' || name.version !== undefined);
  return {
    domain: { ...name, chainId, verifyingContract: contract },
    types: { EIP712Domain: domainFields, ...types },
    primaryType,
    message,
  };
}

/** The struct as it is signed for the service itself: read by people in their wallet, checked by us, worth nothing on a chain. */
export function signedForService(chainId: number, { primaryType, types, message }: Struct): TypedData {
  return { domain: { ...SERVICE, chainId }, types: { EIP712Domain: SERVICE_DOMAIN, ...types }, primaryType, message };
}

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
  const members = 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline';
  const at = { chainId: terms.chainId, contract: terms.token };
  return signedFor(at, terms.tokenDomain, struct('Permit', members, terms));
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
  const members =
    'address sender,address token,uint128 perTip,uint128 perDay,uint128 maxFee,uint256 nonce,uint256 deadline';
  return signedFor({ chainId: terms.chainId, contract: terms.router }, ROUTER, struct('SetLimits', members, terms));
}

export type UnpauseTerms = { chainId: number; router: string; sender: string; nonce: bigint; deadline: number };

/** The bot router's `UnpauseSender`. */
export function unpauseData(terms: UnpauseTerms): TypedData {
  const members = 'address sender,uint256 nonce,uint256 deadline';
  return signedFor({ chainId: terms.chainId, contract: terms.router }, ROUTER, struct('UnpauseSender', members, terms));
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
  /** Counts the requested changes: a signature for one is worth nothing for another. */
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

/** The same for a first wallet of a family: both the new wallet and one that the handle has sign it, each in its own family's form. */
export type WalletAdditionTerms = Omit<WalletChangeTerms, 'oldWallet'> & { currentWallet: string };

/** Addresses are texts here: one of the two is of another family than EVM. */
export function walletAdditionData(terms: WalletAdditionTerms): TypedData {
  const members = 'string handle, string currentWallet, string newWallet, uint256 nonce, uint256 deadline';
  return signedForService(terms.chainId, struct('PayoutWalletAddition', members, terms));
}

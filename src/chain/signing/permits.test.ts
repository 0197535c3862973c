// What wallets sign is what the contracts check: hashes against the contracts' own, and the calls that carry a signature.
import { decodeFunctionData, hashDomain, hashStruct, keccak256, parseAbi, toHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { permitData, setLimitsData, spendingRightData, type TypedData, unpauseData } from '../../domain/typedData.ts';
import { encodePermit, normalSignature } from './permits.ts';

const SIGNER = '0x1111111111111111111111111111111111111111';
const TOKEN = '0x2222222222222222222222222222222222222222';
const ROUTER = '0x3333333333333333333333333333333333333333';
const use = { chainId: 8453, nonce: 7n, deadline: 1_800_000_000 };
const permit = {
  ...use,
  token: TOKEN,
  tokenDomain: { name: 'USD Coin', version: '2' },
  owner: SIGNER,
  spender: ROUTER,
  value: 5n,
};

const limits = setLimitsData({
  ...use,
  router: ROUTER,
  sender: SIGNER,
  token: TOKEN,
  perTip: 1n,
  perDay: 2n,
  maxFee: 3n,
});
const right = spendingRightData({
  chainId: 8453,
  platform: 'telegram',
  platformUserId: '7000003',
  username: 'carol',
  handle: 'carol',
  commandCap: '100.00',
  dayCap: '500.00',
  nonce: 0,
  deadline: 1_800_000_000,
});

/** The hash of a type's own text, as a contract writes it down. */
const typeHash = ({ primaryType, types }: TypedData) =>
  keccak256(toHex(`${primaryType}(${types[primaryType]?.map(({ type, name }) => `${type} ${name}`).join(',')})`));

describe('typed data', () => {
  test.each([
    [permitData(permit), 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)'],
    [
      limits,
      'SetLimits(address sender,address token,uint128 perTip,uint128 perDay,uint128 maxFee,uint256 nonce,uint256 deadline)',
    ],
    [
      unpauseData({ ...use, router: ROUTER, sender: SIGNER }),
      'UnpauseSender(address sender,uint256 nonce,uint256 deadline)',
    ],
  ])('%# is the type that the contract hashes', (data, text) => {
    expect(typeHash(data)).toBe(keccak256(toHex(text)));
  });

  test('is JSON as wallets take it: every number a string, the domain’s type listed in the domain’s order', () => {
    for (const data of [permitData(permit), limits, right]) {
      expect(JSON.parse(JSON.stringify(data))).toEqual(data);
      expect(Object.keys(data.domain)).toEqual(data.types['EIP712Domain']?.map((field) => field.name));
      expect(Object.keys(data.message)).toEqual(data.types[data.primaryType]?.map((field) => field.name));
      expect(Object.values(data.message).every((value) => typeof value === 'string')).toBe(true);
    }
  });

  test('of different chains, routers and terms never hash alike', () => {
    const hashes = [
      limits,
      setLimitsData({
        ...use,
        chainId: 84532,
        router: ROUTER,
        sender: SIGNER,
        token: TOKEN,
        perTip: 1n,
        perDay: 2n,
        maxFee: 3n,
      }),
      setLimitsData({ ...use, router: TOKEN, sender: SIGNER, token: TOKEN, perTip: 1n, perDay: 2n, maxFee: 3n }),
      setLimitsData({
        ...use,
        nonce: 8n,
        router: ROUTER,
        sender: SIGNER,
        token: TOKEN,
        perTip: 1n,
        perDay: 2n,
        maxFee: 3n,
      }),
    ].map(({ domain, types, primaryType, message }) =>
      [hashDomain({ domain, types } as never), hashStruct({ data: message, primaryType, types } as never)].join(),
    );
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

describe('a permit', () => {
  const abi = parseAbi([
    'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
    'function permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)',
  ]);
  const argsOf = (signature: `0x${string}`) => decodeFunctionData({ abi, data: encodePermit(permit, signature) }).args;
  const [r, s] = ['11'.repeat(32), '22'.repeat(32)];

  test('of a key goes as three numbers', () => {
    expect(argsOf(`0x${r}${s}1b`).slice(4)).toEqual([27, `0x${r}`, `0x${s}`]);
    expect(argsOf(`0x${r}${s}1c`).slice(4)).toEqual([28, `0x${r}`, `0x${s}`]);
  });
  test('of a contract wallet goes as bytes, whatever its length', () => {
    for (const signature of [`0x${r}${s}1f`, `0x${r}${s}00`, '0x', `0x${'ab'.repeat(130)}`] as const)
      expect(argsOf(signature).slice(4)).toEqual([signature]);
  });
  test('of a wallet that counts from 0 is made as contracts want it', () => {
    expect(normalSignature(`0x${r}${s}00`)).toBe(`0x${r}${s}1b`);
    expect(normalSignature(`0x${r}${s}01`)).toBe(`0x${r}${s}1c`);
    for (const other of [`0x${r}${s}1c`, `0x${r}${s}1f`, '0x', '0x00'] as const)
      expect(normalSignature(other)).toBe(other);
  });
});

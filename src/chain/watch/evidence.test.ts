// What a transaction proves by its own bytes, of every kind that chains know, in the form in which nodes show it.
import { type Hex, keccak256, parseSignature, parseTransaction, type TransactionSerializable, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts';
import { serializeTransaction as serializeCelo } from 'viem/celo';
import { describe, expect, test } from 'vitest';
import { signedBy } from './evidence.ts';

const CHAIN = 8453;
const executor = privateKeyToAccount(generatePrivateKey());
const mallory = privateKeyToAccount(generatePrivateKey());
const ROUTER = '0x1111111111111111111111111111111111111111';
const call = { to: ROUTER, data: '0x12345678', gas: 100_000n, value: 0n } as const;
const fees = { maxFeePerGas: 5n, maxPriorityFeePerGas: 1n } as const;
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const TYPES: Record<string, Hex> = {
  legacy: '0x0',
  eip2930: '0x1',
  eip1559: '0x2',
  eip4844: '0x3',
  eip7702: '0x4',
};

/** A signed transaction as `eth_getTransactionByHash` shows it: quantities without leading zeros, and a gas price that was not signed. */
function shown(raw: Hex, from: string): Record<string, unknown> {
  const parsed = parseTransaction(raw) as Record<string, unknown>;
  const { data, to, type, r, s, v, yParity, gasPrice, ...rest } = parsed;
  const text = (value: unknown): unknown =>
    typeof value === 'bigint' || typeof value === 'number'
      ? toHex(value)
      : Array.isArray(value)
        ? value.map(text)
        : value && typeof value === 'object'
          ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, text(one)]))
          : value;
  const short = (word: unknown) => toHex(BigInt(word as Hex));
  return {
    accessList: type === 'legacy' ? undefined : [],
    nonce: '0x0',
    value: '0x0',
    ...(text(rest) as object),
    ...{ from, to, input: data, hash: keccak256(raw), type: TYPES[String(type)], blockNumber: '0x5' },
    ...{ gasPrice: text(gasPrice ?? 3n), r: short(r), s: short(s), v: text(v ?? yParity) },
    ...(type === 'legacy' ? {} : { yParity: text(yParity) }),
  };
}

const authorization = await executor.signAuthorization({ chainId: 0, nonce: 4, address: ROUTER });
const KINDS: [string, TransactionSerializable][] = [
  ['the oldest kind, which names no chain', { ...call, type: 'legacy', nonce: 1, gasPrice: 9n }],
  ['legacy with a chain', { ...call, type: 'legacy', nonce: 0, gasPrice: 9n, chainId: CHAIN }],
  ['with an access list', { ...call, type: 'eip2930', nonce: 2, gasPrice: 9n, chainId: CHAIN, accessList: [] }],
  ['with two fees', { ...call, ...fees, type: 'eip1559', nonce: 3, chainId: CHAIN }],
  [
    'with authorizations',
    { ...call, ...fees, type: 'eip7702', nonce: 3, chainId: CHAIN, authorizationList: [authorization] },
  ],
  [
    'with blobs',
    {
      ...call,
      ...fees,
      type: 'eip4844',
      nonce: 3,
      chainId: CHAIN,
      maxFeePerBlobGas: 2n,
      blobVersionedHashes: [`0x01${'ab'.repeat(31)}`],
    } as never,
  ],
];

describe('a transaction', () => {
  test.each(KINDS)('%s: its hash and its sender, from the fields alone', async (_, transaction) => {
    for (const account of [executor, mallory]) {
      const raw = await account.signTransaction(transaction as never);
      // What a node says of sender and hash is not believed.
      const proof = await signedBy({ ...shown(raw, ROUTER), hash: `0x${'00'.repeat(32)}` }, CHAIN);
      expect(proof?.hash).toBe(keccak256(raw));
      expect(proof?.signers[0]).toBe(account.address.toLowerCase());
    }
  });

  test('whose gas is paid in a token of Celo', async () => {
    const transaction = { ...call, ...fees, type: 'cip64', nonce: 3, chainId: CHAIN, feeCurrency: ROUTER } as const;
    const { r, s, yParity } = await executor.sign({ hash: keccak256(serializeCelo(transaction)) }).then(parseSignature);
    const raw = serializeCelo(transaction, { r, s, yParity });
    const { data, ...fields } = transaction;
    const quantities = Object.entries({ ...fields, gasPrice: 3n }).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : toHex(value),
    ]);
    const asShown = {
      ...Object.fromEntries(quantities),
      input: data,
      type: '0x7b',
      r,
      s,
      v: toHex(yParity),
      yParity: toHex(yParity),
    };
    const proof = await signedBy(asShown, CHAIN);
    expect(proof).toEqual({ hash: keccak256(raw), signers: [executor.address.toLowerCase()], nonces: [3] });
  });

  test('that lets code run in an executor’s name is signed by that executor, too, whoever sent it', async () => {
    const kind = { ...call, ...fees, type: 'eip7702', nonce: 3, chainId: CHAIN } as const;
    const raw = await mallory.signTransaction({ ...kind, authorizationList: [authorization] });
    expect(await signedBy(shown(raw, mallory.address), CHAIN)).toMatchObject({
      signers: [mallory, executor].map(({ address }) => address.toLowerCase()),
      nonces: [3, 4],
    });
    const elsewhere = await executor.signAuthorization({ chainId: 56, nonce: 4, address: ROUTER });
    const other = await mallory.signTransaction({ ...kind, authorizationList: [elsewhere] });
    expect((await signedBy(shown(other, mallory.address), CHAIN))?.signers).toHaveLength(1);
  });
});

describe('nothing is proven by', () => {
  const signed = async (chainId = CHAIN) =>
    shown(await executor.signTransaction({ ...call, ...fees, type: 'eip1559', nonce: 3, chainId }), executor.address);

  test('the mirror image of a signature, which gives our own transaction another hash', async () => {
    const original = await signed();
    const mirrored = {
      ...original,
      s: toHex(N - BigInt(original['s'] as Hex)),
      yParity: original['yParity'] === '0x0' ? '0x1' : '0x0',
    };
    expect(await signedBy(mirrored, CHAIN)).toBeNull();
  });

  test('a transaction of another chain', async () => expect(await signedBy(await signed(56), CHAIN)).toBeNull());

  test('a deposit of a rollup, which no key signed', async () => {
    expect(await signedBy({ ...(await signed()), type: '0x7e', r: '0x0', s: '0x0', v: '0x0' }, CHAIN)).toBeNull();
  });

  test.each([null, undefined, 'text', 4, {}, { r: 1 }, { type: '0x2', r: '0x', s: '0x', v: '0x0' }, []])(
    '%j',
    async (rubbish) => {
      expect(await signedBy(rubbish, CHAIN)).toBeNull();
    },
  );

  test('another key’s signature over the same payload: it is another sender', async () => {
    const original = await signed();
    const other = await sign({ hash: keccak256('0x01'), privateKey: generatePrivateKey() });
    const proof = await signedBy({ ...original, ...other, yParity: toHex(other.yParity ?? 0) }, CHAIN);
    expect(proof?.signers ?? []).not.toContain(executor.address.toLowerCase());
  });
});

// Every message that a wallet signs for our contracts: the exact one passes once, in one place; with any member changed, for another
// chain, router or message, or by another key, it does not.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPublicClient, createWalletClient, defineChain, http, type PublicClient } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { localKey } from '../../local/stack/people.ts';
import { ROLES } from '../../local/stack/roles.ts';
import { deployRouters } from '../../src/chain/routers/deploy.ts';
import { simulateCall } from '../../src/chain/routers/reverts.ts';
import type { Address, EvmChain, Hex } from '../../src/chain/rpc/client.ts';
import type { TypedData } from '../../src/domain/typedData.ts';
import { ROOT } from '../../src/root.ts';
import { type ChainCall, type LocalChainWorld, startLocalChain } from '../setup/localChain.ts';
import { MESSAGES, PEOPLE, type Place } from './messages.ts';

/** The first chain with its routers and with others of the same code, and a second chain with routers at the same addresses. */
let base: LocalChainWorld;
let sepolia: LocalChainWorld;
let here: Place;
let otherInstance: Place;
let otherChain: Place;

beforeAll(async () => {
  [base, sepolia] = await Promise.all([startLocalChain('base'), startLocalChain('base-sepolia')]);
  here = { local: base, chain: base.chain };
  otherInstance = { local: base, chain: { ...base.chain, routers: await deployAnew(base) } };
  otherChain = { local: sepolia, chain: sepolia.chain };
  for (const local of [base, sepolia])
    await local.mint(1_000_000_000n, ...Object.values(PEOPLE).map(({ address }) => address));
});
afterAll(() => Promise.all([base.stop(), sepolia.stop()]));

async function deployAnew({ chain, rpcUrl, admin }: LocalChainWorld): Promise<EvmChain['routers']> {
  const account = privateKeyToAccount(localKey('another deployer').key);
  await admin.setBalance({ address: account.address, value: 10n ** 18n });
  const transport = http(rpcUrl);
  const { executors, ...roles } = ROLES;
  const addressOf = ({ address }: { address: Address }) => address;
  return deployRouters({
    publicClient: createPublicClient({ transport, pollingInterval: 25 }) as PublicClient,
    walletClient: createWalletClient({ account, transport, chain: await viemChain(chain, rpcUrl) }),
    roles: {
      owner: roles.owner.address,
      guardian: roles.guardian.address,
      treasury: roles.treasury.address,
      authority: roles.authority.address,
      executors: executors.map(addressOf),
    },
    tokens: { usdc: chain.usdc, wrappedNative: chain.wrappedNative, permit2: chain.permit2 },
    across: null,
  });
}

async function viemChain({ facts }: EvmChain, rpcUrl: string) {
  const nativeCurrency = { name: 'native', symbol: 'ETH', decimals: 18 };
  return defineChain({
    id: facts.chainId,
    name: facts.label,
    nativeCurrency,
    rpcUrls: { default: { http: [rpcUrl] } },
  });
}

const sign = (data: TypedData, signer: PrivateKeyAccount) => signer.signTypedData(data as never);

/** What the contracts would say, without a change of anything. */
async function played(place: Place, { from, ...call }: ChainCall): Promise<string | null> {
  return (await simulateCall(place.chain, { account: from, ...call }))?.name ?? null;
}

/** Each variant of a message in which one thing is different, under that thing's name. */
function variants(data: TypedData): [string, TypedData][] {
  const changed: [string, TypedData][] = Object.entries(data.domain).map(([name, value]) => [
    `domain.${name}`,
    { ...data, domain: { ...data.domain, [name]: otherValue(domainType(name), value) as string } },
  ]);
  const walk = (
    type: string,
    message: TypedData['message'],
    path: string,
    put: (one: TypedData['message']) => void,
  ) => {
    for (const { name, type: memberType } of data.types[type] ?? []) {
      const value = message[name];
      if (typeof value === 'object')
        walk(memberType, value, `${path}${name}.`, (one) => put({ ...message, [name]: one as Record<string, string> }));
      else if (value !== undefined) put({ ...message, [name]: otherValue(memberType, value) as string });
      if (typeof value !== 'object') names.push(`${path}${name}`);
    }
  };
  const names: string[] = [];
  const messages: TypedData['message'][] = [];
  walk(data.primaryType, data.message, '', (one) => messages.push(one));
  return [...changed, ...messages.map((message, at): [string, TypedData] => [names[at] ?? '', { ...data, message }])];
}

function domainType(name: string): string {
  return name === 'chainId' ? 'uint256' : name === 'verifyingContract' ? 'address' : 'string';
}

function otherValue(type: string, value: string | number | boolean): string | number | boolean {
  if (typeof value === 'boolean') return !value;
  if (type === 'string') return `${value}x`;
  if (type.startsWith('uint')) return typeof value === 'number' ? value + 1 : String(BigInt(value) + 1n);
  // The last digit of an address or of bytes.
  const text = String(value).toLowerCase();
  return `${text.slice(0, -1)}${text.endsWith('1') ? '2' : '1'}`;
}

const ORDER_OF_CURVE = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** The other signature that the same key could have given for the same hash. */
function twinOf(signature: Hex): Hex {
  const s = ORDER_OF_CURVE - BigInt(`0x${signature.slice(66, 130)}`);
  const v = signature.endsWith('1b') ? '1c' : '1b';
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}` as Hex;
}

describe.each(MESSAGES)('$name', ({ prepare, message, refused, replayed, twin }) => {
  test('passes only as it is, once', async () => {
    for (const { admin } of [base, sepolia]) {
      const id = await admin.snapshot();
      onTestFinished(() => admin.revert({ id }));
    }
    const places = [here, otherInstance, otherChain];
    for (const place of places) await prepare(place);
    const exact = await message(here);
    const signature = await sign(exact.data, exact.signer);
    const wrong: [string, Hex][] = [];

    for (const [what, data] of variants(exact.data)) wrong.push([what, await sign(data, exact.signer)]);
    wrong.push(['another key', await sign(exact.data, PEOPLE.stranger)]);
    wrong.push(['no signature', '0x'], ['zeros', `0x${'00'.repeat(65)}`]);
    wrong.push(['two bytes short', signature.slice(0, -4) as Hex]);
    // Without its last byte a signature of half of all hashes is the short form of EIP-2098.
    if (!twin) wrong.push(['its twin', twinOf(signature)], ['a byte short', signature.slice(0, -2) as Hex]);
    for (const place of [otherInstance, otherChain]) {
      const foreign = await message(place);
      wrong.push(['another place', await sign(foreign.data, foreign.signer)]);
    }
    for (const other of MESSAGES) {
      if (other.message === message) continue;
      const { data } = await other.message(here);
      if (JSON.stringify(data) !== JSON.stringify(exact.data)) wrong.push([other.name, await sign(data, exact.signer)]);
    }
    for (const [what, bad] of wrong) {
      const call = exact.call(bad);
      if (call)
        expect([what, await played(here, call)]).toEqual([what, expect.toSatisfy((name) => refused.includes(name))]);
    }

    for (const place of places) {
      const own = await message(place);
      const call = own.call(await sign(own.data, own.signer));
      if (!call) throw new Error('the exact message has a call');
      expect((await place.local.send(call)).reason).toBe(null);
      expect((await place.local.send(call)).reason?.name).toBe(replayed);
    }
  });
});

test('every type that an interface names is in the table, as it is written there', async () => {
  const folder = join(ROOT, 'contracts/src/interfaces');
  const texts = readdirSync(folder).map((file) =>
    readFileSync(join(folder, file), 'utf8').replaceAll(/\n\s*\/\/\/ ?/g, ' '),
  );
  const named = texts.flatMap((text) =>
    [...text.matchAll(/`([A-Z]\w+\([a-z]\w+ [^`]*\))`/g)].map(([, type = '']) => type),
  );
  const written = named.map((type) => type.replaceAll(/,\s+/g, ',')).sort();
  expect(written.length).toBe(10);

  const ours = await Promise.all(MESSAGES.map(async ({ message }) => typesOf((await message(here)).data)));
  expect(new Set(ours.flat())).toEqual(expect.toSatisfy((all: Set<string>) => written.every((type) => all.has(type))));
});

function typesOf({ types }: TypedData): string[] {
  return Object.entries(types).map(([type, members]) => {
    return `${type}(${members.map((member) => `${member.type} ${member.name}`).join(',')})`;
  });
}

// A handle as a business: by its wallet's signature and that of whoever holds the payout address. What was asked for before goes where it said.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { placeContractWallet } from '../../../test/setup/contractWallet.ts';
import { type Shop, shopOf, signedIn } from '../../../test/setup/shop.ts';
import { signPrepared, walletOfPerson } from '../../../test/setup/signer.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { prepareBusiness, submitBusiness, workspaceView } from './payoutWallets.ts';

let world: World;
let orders: Shop;
beforeAll(async () => {
  world = await startWorld({ chains: ['base', 'celo'] });
  orders = shopOf(world);
});
afterAll(() => world.stop());
const PERSONAL = { kind: 'personal', businessAddress: null, businessChains: [] };
beforeEach(async () => {
  await world.ctx.db.handle.update({ where: { slug: 'alice' }, data: PERSONAL });
});

const code = (code: string, param?: string) =>
  expect.objectContaining(param === undefined ? { code } : { code, param });
const [alice, dave] = [localPerson('alice').address, localPerson('dave').address];
const view = async () => workspaceView(world.ctx, await orders.idOf('alice'));

async function wanted(payout_address: string, chain?: string) {
  const handle = await signedIn(world, 'alice');
  const prepared = await prepareBusiness(world.ctx, handle, { payout_address, chain });
  const sign = (name: string) => signPrepared(prepared, walletOfPerson(name));
  return {
    prepared,
    submit: async (signer = 'alice', payoutSigner: string | null = 'dave', more: object = {}) =>
      submitBusiness(
        world.ctx,
        handle,
        { ...prepared.submit, ...more },
        {
          signature: await sign(signer),
          payoutSignature: payoutSigner === null ? undefined : await sign(payoutSigner),
        },
      ),
  };
}

describe('a business', () => {
  test('is what a handle becomes by its wallet’s signature, paid there, with the fee', async () => {
    expect(await view()).toEqual({
      object: 'workspace',
      handle: 'alice',
      kind: 'personal',
      payout_address: alice,
      business_address: null,
      payout_chains: null,
      fee_percent: '0',
    });
    const before = (await orders.ask('alice')).order;
    const { prepared, submit } = await wanted(alice);
    expect(prepared.signers).toEqual([alice]);
    expect(await submit('alice', null)).toMatchObject({ kind: 'business', payout_address: alice, fee_percent: '1' });
    const { order } = await orders.ask('alice');
    expect(await orders.row(order.id)).toMatchObject({ router: 'business', payee: alice });
    expect(await orders.row(before.id)).toMatchObject({ router: 'payment', payee: alice });
  });

  test('is paid at an address that its wallet named and that agreed; orders of before keep theirs', async () => {
    const before = (await orders.ask('alice')).order;
    const { prepared, submit } = await wanted(dave.toLowerCase());
    expect(prepared).toMatchObject({
      signers: [alice, dave],
      typed_data: {
        primaryType: 'BusinessWallet',
        message: { workspace: 'alice', wallet: alice, payoutAddress: dave },
      },
    });
    expect(await submit()).toMatchObject({ payout_address: dave, business_address: dave, payout_chains: null });
    for (const chain of ['base', 'celo'])
      expect((await orders.ask('alice', { chain })).order.recipient_address).toBe(dave);
    expect((await orders.row(before.id)).payee).toBe(alice);
    // And back to the wallet itself, which follows the wallet from then on.
    expect(await (await wanted(alice)).submit('alice', null)).toMatchObject({
      payout_address: alice,
      business_address: null,
    });
  });

  test('needs both signatures, each of the right wallet', async () => {
    const { submit } = await wanted(dave);
    await expect(submit('alice', null)).rejects.toEqual(code('parameter_missing', 'payout_signature'));
    await expect(submit('alice', 'bob')).rejects.toEqual(code('signature_invalid'));
    await expect(submit('dave', 'dave')).rejects.toEqual(code('signature_invalid'));
    await expect(submit('alice', 'dave', { payout_address: localPerson('bob').address })).rejects.toEqual(
      code('signature_invalid'),
    );
    expect(await view()).toMatchObject({ kind: 'personal' });
  });

  test('is changed once by a signature, and in its time', async () => {
    const { prepared, submit } = await wanted(dave);
    await submit();
    await (await wanted(alice)).submit('alice', null);
    await expect(submit()).rejects.toEqual(code('state_conflict'));
    const { deadline } = prepared.submit;
    await expect(submit('alice', 'dave', { deadline: deadline - 1 })).rejects.toEqual(code('signature_invalid'));
    const late = await wanted(dave);
    world.later(15 * 60_000);
    await expect(late.submit()).rejects.toEqual(code('parameter_invalid', 'deadline'));
    expect(await view()).toMatchObject({ payout_address: alice });
  });

  test('with a contract as its address is paid only where that has proven itself', async () => {
    const contract = '0x00000000000000000000000000000000c0ffee00';
    await placeContractWallet(world, contract, dave);
    await placeContractWallet(world, contract, dave, 'celo');
    expect(await (await wanted(contract, 'base')).submit()).toMatchObject({ payout_chains: ['base'] });
    await orders.ask('alice', { chain: 'base' });
    await expect(orders.ask('alice', { chain: 'celo' })).rejects.toEqual(code('state_conflict', 'chain'));
    expect(await (await wanted(contract, 'celo')).submit()).toMatchObject({ payout_chains: ['base', 'celo'] });
    expect((await orders.ask('alice', { chain: 'celo' })).order.recipient_address.toLowerCase()).toBe(
      contract.toLowerCase(),
    );
    const other = '0x00000000000000000000000000000000c0ffee01';
    await placeContractWallet(world, other, dave, 'celo');
    await expect((await wanted(other, 'base')).submit()).rejects.toEqual(code('signature_invalid'));
    expect(await (await wanted(other, 'celo')).submit()).toMatchObject({ payout_chains: ['celo'] });
  });

  test('asks for an address and a chain that there are', async () => {
    await expect(wanted('0x12')).rejects.toEqual(code('parameter_invalid', 'payout_address'));
    await expect(wanted(dave, 'ink')).rejects.toEqual(code('parameter_invalid', 'chain'));
  });
});

// Whom a workspace may name as a recipient: changed by a fresh signature of its wallet, once, and by nothing else.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { placeContractWallet } from '../../../test/setup/contractWallet.ts';
import { type Shop, shopOf, signedIn } from '../../../test/setup/shop.ts';
import { signPrepared, walletOfPerson } from '../../../test/setup/signer.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { listRecipients, prepareRecipient, type RecipientChoice, submitRecipient } from './recipientAllowances.ts';

let world: World;
let orders: Shop;
beforeAll(async () => {
  world = await startWorld();
  orders = shopOf(world);
});
afterAll(() => world.stop());
beforeEach(() => world.ctx.db.recipientAllowance.deleteMany());

const code = (code: string) => expect.objectContaining({ code });
const names = async () => (await listRecipients(world.ctx, await orders.idOf('alice'))).map(({ handle }) => handle);

async function signed(choice: Partial<RecipientChoice> = {}, signer = 'alice') {
  const handle = await signedIn(world, 'alice');
  const prepared = await prepareRecipient(world.ctx, handle, { recipient: '@shop', allowed: true, ...choice });
  const signature = await signPrepared(prepared, walletOfPerson(signer));
  const submit = (more: object = {}, by = handle) =>
    submitRecipient(world.ctx, by, { ...prepared.submit, ...more }, signature);
  return { prepared, submit };
}

describe('a recipient', () => {
  test('is allowed, and taken off again, by the workspace’s wallet, which reads who it is', async () => {
    const { prepared, submit } = await signed();
    expect(prepared.typed_data).toMatchObject({
      primaryType: 'RecipientAllowance',
      message: { workspace: 'alice', recipient: 'shop', allowed: true, nonce: String(prepared.submit.nonce) },
    });
    await expect(orders.ask('alice', { recipient: '@shop' })).rejects.toEqual(code('recipient_not_allowed'));
    expect(await submit()).toEqual([
      { object: 'recipient', handle: '@shop', kind: 'business', created_at: expect.stringMatching(/Z$/) },
    ]);
    expect((await orders.ask('alice', { recipient: '@shop' })).order.recipient).toBe('@shop');
    expect(await (await signed({ allowed: false })).submit()).toEqual([]);
    await expect(orders.ask('alice', { recipient: '@shop' })).rejects.toEqual(code('recipient_not_allowed'));
  });

  test('is not brought back by the signature that once allowed it', async () => {
    const { submit } = await signed();
    await submit();
    await expect(submit()).rejects.toEqual(code('state_conflict'));
    await (await signed({ allowed: false })).submit();
    await expect(submit()).rejects.toEqual(code('state_conflict'));
    expect(await names()).toEqual([]);
  });

  test('needs that very signature: another wallet’s, another recipient’s or a late one is none', async () => {
    await expect((await signed({}, 'bob')).submit()).rejects.toEqual(code('signature_invalid'));
    const { submit, prepared } = await signed();
    for (const more of [{ recipient: '@bob' }, { allowed: false }, { deadline: prepared.submit.deadline - 1 }])
      await expect(submit(more)).rejects.toEqual(code('signature_invalid'));
    await expect(submit({ deadline: prepared.submit.deadline + 3_600 })).rejects.toEqual(code('parameter_invalid'));
    await expect(submit({}, await signedIn(world, 'bob'))).rejects.toEqual(code('signature_invalid'));
    world.later(15 * 60_000);
    await expect(submit()).rejects.toEqual(code('parameter_invalid'));
    expect(await names()).toEqual([]);
  });

  test('of two signatures for one number, one counts', async () => {
    const [one, two] = [await signed(), await signed({ recipient: '@bob' })];
    const answers = await Promise.allSettled([one.submit(), two.submit()]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await names()).toHaveLength(1);
  });

  test('exists, and is somebody else', async () => {
    const handle = await signedIn(world, 'alice');
    const prepare = (recipient: string) => prepareRecipient(world.ctx, handle, { recipient, allowed: true });
    await expect(prepare('@nobody_here')).rejects.toEqual(code('handle_not_found'));
    await expect(prepare('@alice')).rejects.toEqual(code('parameter_invalid'));
    await expect(prepare('x:alice')).rejects.toEqual(code('parameter_invalid'));
    await expect(signed({ chain: 'ink' })).rejects.toEqual(code('parameter_invalid'));
  });

  test('is allowed by a contract wallet only where that has proven itself', async () => {
    const address = localPerson('dave').address;
    const where = { handleId_family: { handleId: await orders.idOf('alice'), family: 'evm' } };
    await placeContractWallet(world, address, localPerson('alice').address);
    await world.ctx.db.wallet.update({ where, data: { address, kind: 'contract', provenChains: ['celo'] } });
    await expect((await signed({ chain: 'base' })).submit()).rejects.toEqual(code('signature_invalid'));
    await world.ctx.db.wallet.update({ where, data: { provenChains: ['base'] } });
    expect(await (await signed()).submit()).toHaveLength(1);
    const back = { address: localPerson('alice').address, kind: 'account', provenChains: [] };
    await world.ctx.db.wallet.update({ where, data: back });
  });

  test('are a hundred at most', async () => {
    const handleId = await orders.idOf('alice');
    const createdAt = new Date();
    const data = Array.from({ length: 100 }, (_, n) => ({ handleId, recipientId: `hdl_${n}`, createdAt }));
    await world.ctx.db.recipientAllowance.createMany({ data });
    const { submit } = await signed();
    await expect(submit()).rejects.toEqual(code('state_conflict'));
  });
});

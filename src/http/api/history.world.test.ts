// History, its file and public receipts: whose they are, what they show, and what they never show.
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import type { TipStatus } from '../../domain/tip.ts';

const DAY = 86_400_000;
let world: World;
let base: string;
let alice: Visitor;
let bob: Visitor;
let carol: Visitor;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  [alice, bob, carol] = (await Promise.all(['alice', 'bob', 'carol'].map(signedIn))) as [Visitor, Visitor, Visitor];
});
afterAll(() => world.stop());

async function signedIn(name: string): Promise<Visitor> {
  const browser = visitor(base);
  expect((await browser.signIn(privateKeyToAccount(localPerson(name).key))).status).toBe(200);
  return browser;
}

type Line = Record<string, string | null>;
const lines = async (browser: Visitor, query = ''): Promise<Line[]> => {
  const answer = await browser.get(`/api/history${query}`);
  expect(answer.status).toBe(200);
  return answer.body.data;
};

let number = 0;
/** A tip as the services would have left it, without the way there. */
async function tipRow(
  sender: string,
  recipient: string,
  fields: { status?: TipStatus; label?: string; at?: number; failure?: object; asset?: string; memo?: string } = {},
): Promise<string> {
  const { ctx } = world;
  const [from, to] = await Promise.all(
    [sender, recipient].map((slug) => ctx.db.handle.findUniqueOrThrow({ where: { slug }, include: { wallets: true } })),
  );
  number += 1;
  const at = new Date(fields.at ?? ctx.clock.now());
  const id = `tip_${String(number).padStart(26, '0')}`;
  await ctx.db.intent.create({
    data: {
      id: `int_${String(number).padStart(26, '0')}`,
      inboxKey: `key ${number}`,
      platform: 'telegram',
      botId: '1',
      chatId: 'secret-chat',
      chatKind: 'group',
      messageId: 'secret-message',
      senderId: 'secret-sender',
      senderUsername: `secret_${sender}`,
      senderHandleId: from?.id ?? null,
      command: { kind: 'tip', memo: fields.memo ?? 'secret-memo' },
      status: 'completed',
      acceptedAt: at,
      validUntil: at,
      nextAttemptAt: at,
    },
  });
  await ctx.db.tip.create({
    data: {
      id,
      intentId: `int_${String(number).padStart(26, '0')}`,
      leg: 0,
      messageKey: `0x${String(number).padStart(64, '0')}`,
      chain: 'base',
      senderHandleId: from?.id ?? '',
      senderAddress: from?.wallets[0]?.address ?? '',
      recipientHandleId: to?.id ?? '',
      recipientAddress: to?.wallets[0]?.address ?? '',
      recipientLabel: fields.label ?? `@${recipient}`,
      asset: fields.asset ?? 'USDC',
      token: world.evmChain().usdc,
      decimals: 6,
      units: '5000000',
      feeUnits: '100000',
      usdMicros: 5_100_000n,
      validUntil: at,
      status: fields.status ?? 'settled',
      ...(fields.failure ? { failure: fields.failure } : {}),
      txHash: `0x${String(number).padStart(64, 'f')}`,
      createdAt: at,
    },
  });
  return id;
}

describe('a real tip', () => {
  test('stands in both histories, each from its own side, and on one receipt', async () => {
    await world.say('alice', '/tip @bob 5 for the lunch');
    const [sent] = await lines(alice);
    const [received] = await lines(bob);
    const hash = (await world.ctx.db.tip.findFirstOrThrow()).txHash;
    expect(sent).toEqual({
      id: expect.stringMatching(/^tip_[0-9a-z]{26}$/),
      direction: 'sent',
      counterparty: '@bob',
      amount: '5.00',
      fee: '0.10',
      asset: 'USDC',
      chain: 'base',
      chain_label: 'Base',
      to_chain_label: null,
      status: 'final',
      failure: null,
      tx_hash: hash,
      explorer_url: null,
      platform: 'telegram',
      at: expect.stringMatching(/Z$/),
      receipt_url: `/r/${sent?.['id']}`,
    });
    expect(received).toEqual({ ...sent, direction: 'received', counterparty: 'alice@ampersat', fee: null });
    expect(await lines(carol)).toEqual([]);

    const receipt = await visitor(base).get(`/api/receipts/${sent?.['id']}`);
    expect(receipt.body).toEqual({
      id: sent?.['id'],
      from: 'alice@ampersat',
      to: 'bob@ampersat',
      amount: '5.00',
      fee: '0.10',
      asset: 'USDC',
      chain: 'base',
      chain_label: 'Base',
      to_chain_label: null,
      arrive_tx_hash: null,
      arrive_explorer_url: null,
      return_tx_hash: null,
      return_explorer_url: null,
      livemode: false,
      status: 'final',
      tx_hash: hash,
      explorer_url: null,
      at: sent?.['at'],
    });
  });

  test('is linked from the chat: its receipt where pages have TLS, else the transaction', async () => {
    const linkOf = async () => {
      const { entities } = (await world.botSaid()).at(-1) as unknown as { entities: { type: string; url?: string }[] };
      return entities.find((entity) => entity.type === 'text_link')?.url;
    };
    const { id, txHash } = await world.ctx.db.tip.findFirstOrThrow();
    expect(await linkOf()).toBe(`https://basescan.org/tx/${txHash}`);
    Object.assign(world.ctx.env, { BASE_URL: 'https://pay.example' });
    await world.say('alice', '/tip @bob 1');
    Object.assign(world.ctx.env, { BASE_URL: base });
    const [newest] = await lines(alice);
    expect(newest?.['id']).not.toBe(id);
    expect(await linkOf()).toBe(`https://pay.example/r/${newest?.['id']}`);
  });

  test('has an explorer’s page where one knows the chain', async () => {
    const chain = world.evmChain();
    Object.assign(chain, { local: false });
    const [sent] = await lines(alice);
    Object.assign(chain, { local: true });
    expect(sent?.['explorer_url']).toBe(`https://basescan.org/tx/${sent?.['tx_hash']}`);
  });
});

describe('what strangers see', () => {
  test('a receipt holds nothing of the chat, the memo or the platform, and needs no session', async () => {
    const id = await tipRow('alice', 'bob', { label: '@secret_label' });
    const text = JSON.stringify((await visitor(base).get(`/api/receipts/${id}`)).body);
    expect(text).not.toMatch(/secret|telegram|hdl_|int_/);
  });

  test('a wallet without a handle is a short address', async () => {
    const id = await tipRow('alice', 'bob');
    const address = '0x00000000000000000000000000000000000000ab';
    await world.ctx.db.tip.update({ where: { id }, data: { recipientHandleId: null, recipientAddress: address } });
    expect((await visitor(base).get(`/api/receipts/${id}`)).body.to).toBe('0x0000…00ab');
  });

  test.each(['tip_0', 'tip_zzzzzzzzzzzzzzzzzzzzzzzzzz', '%00', '..%2f..%2fsession', 'int_00000000000000000000000001'])(
    '404 for %j',
    async (id) => {
      const answer = await visitor(base).get(`/api/receipts/${id}`);
      expect([answer.status, answer.body.error.code]).toEqual([404, 'resource_missing']);
    },
  );

  test('401 for a history without a session, 403 without a handle', async () => {
    const nobody = visitor(base);
    const dave = await signedIn('dave');
    for (const path of ['/api/history', '/api/history/summary', '/api/history.csv']) {
      expect((await nobody.get(path)).status).toBe(401);
      const refused = await dave.get(path);
      expect([refused.status, refused.body.error.code]).toEqual([403, 'handle_required']);
    }
  });
});

describe('the list', () => {
  test('tells each status in a word, and what is only on its way to its sender alone', async () => {
    world.later(DAY);
    const day = new Date(world.ctx.clock.now()).toISOString().slice(0, 10);
    const expired = { code: 'expired' };
    await tipRow('shop', 'carol', { status: 'ready' });
    await tipRow('shop', 'carol', { status: 'submitted' });
    await tipRow('shop', 'carol', { status: 'mined', failure: expired });
    await tipRow('shop', 'carol', { status: 'failed', failure: expired });
    const paid = await tipRow('shop', 'carol', { status: 'mined' });
    const final = await tipRow('shop', 'carol', { status: 'settled' });
    const shop = await signedIn('shop');
    const told = (await lines(shop, `?from=${day}`)).map((line) => [line['status'], line['failure']]);
    expect(told).toEqual([
      ['final', null],
      ['paid', null],
      ['failed', 'It could not be placed within 15 minutes, so it was not sent.'],
      ['pending', null],
      ['pending', null],
      ['pending', null],
    ]);
    expect((await lines(carol, `?from=${day}`)).map((line) => line['id'])).toEqual([final, paid]);
    for (const [status, count] of [
      ['paid', 2],
      ['pending', 3],
      ['failed', 1],
    ] as const)
      expect(await lines(shop, `?from=${day}&status=${status}`)).toHaveLength(count);
    expect(await lines(carol, '?status=failed')).toEqual([]);
    expect(await lines(carol, '?status=pending')).toEqual([]);
  });

  test('is filtered by direction, chain, asset, days and the other side', async () => {
    world.later(DAY);
    const at = world.ctx.clock.now();
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const out = await tipRow('bob', 'carol', { label: '@Caro_L' });
    const back = await tipRow('carol', 'bob', { asset: 'ETH' });
    await tipRow('bob', 'carol', { at: at + 2 * DAY, label: '@percent%' });
    const ids = async (query: string) =>
      (await lines(bob, `?from=${day(at)}&to=${day(at)}${query}`)).map((line) => line['id']);
    expect(await ids('')).toEqual([back, out]);
    expect(await ids('&direction=sent')).toEqual([out]);
    expect(await ids('&direction=received')).toEqual([back]);
    expect(await ids('&asset=ETH')).toEqual([back]);
    expect(await ids('&chain=base')).toEqual([back, out]);
    expect(await ids('&chain=celo')).toEqual([]);
    expect(await ids('&q=caro_l')).toEqual([out]);
    expect(await ids('&q=CAROL@amp')).toEqual([back]);
    expect(await ids('&q=%25')).toEqual([]);
    expect(await ids(`&q=${back}`)).toEqual([back]);
    expect(await ids(`&q=0x${back.slice(4).replace(/^0+/, '').padStart(64, 'F')}`)).toEqual([back]);
    expect(await ids('&q=&direction=&status=&chain=&asset=')).toEqual([back, out]);
    expect(await lines(bob, `?from=${day(at + DAY)}`)).toHaveLength(1);
  });

  test.each([
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['limit', 'limit=1.5'],
    ['cursor', 'cursor=nonsense'],
    ['cursor', 'cursor=MQ'],
    ['direction', 'direction=up'],
    ['chain', 'chain=bitcoin'],
    ['from', 'from=2026-02-30'],
    ['from', 'from=0000-01-01'],
    ['to', 'to=yesterday'],
    ['q', 'q=%00'],
    ['q', `q=${'x'.repeat(101)}`],
    ['more', 'more=1'],
    ['limit', 'limit=5&limit=6'],
  ])('400 names %s for ?%s', async (param, query) => {
    const answer = await alice.get(`/api/history?${query}`);
    expect([answer.status, answer.body.error.param]).toEqual([400, param]);
  });

  test('every tip is met once while new ones come in between the pages', async () => {
    world.later(DAY);
    const day = new Date(world.ctx.clock.now()).toISOString().slice(0, 10);
    const now = world.ctx.clock.now();
    const ids: string[] = [];
    // Several of one moment, as the legs of one command are, in both directions.
    for (let i = 0; i < 11; i++) {
      const [from, to] = i % 2 ? ['alice', 'shop'] : ['shop', 'alice'];
      ids.push(await tipRow(from as string, to as string, { at: now - (i < 6 ? 5 : 0) }));
    }
    const met: unknown[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await alice.get(`/api/history?from=${day}&limit=3${cursor ? `&cursor=${cursor}` : ''}`);
      expect(body.has_more).toBe(body.next_cursor !== null);
      met.push(...body.data.map((line: Line) => line['id']));
      cursor = body.next_cursor;
      await tipRow('alice', 'shop');
    } while (cursor);
    expect(new Set(met).size).toBe(met.length);
    expect([...met].sort()).toEqual(ids.sort());
  });
});

describe('the summary', () => {
  test('adds up days, both directions and fees, of what was paid', async () => {
    world.later(10 * DAY);
    const now = world.ctx.clock.now();
    await tipRow('alice', 'carol', { at: now });
    await tipRow('alice', 'carol', { at: now, status: 'mined' });
    await tipRow('alice', 'carol', { at: now, status: 'failed', failure: { code: 'expired' } });
    await tipRow('alice', 'carol', { at: now, status: 'ready' });
    await tipRow('carol', 'alice', { at: now - 2 * DAY });
    const { body } = await alice.get('/api/history/summary?days=3');
    const day = (back: number) => new Date(now - back * DAY).toISOString().slice(0, 10);
    expect(body).toEqual({
      days: [
        { date: day(2), sent_usd: '0.00', received_usd: '5.00', count: 1 },
        { date: day(1), sent_usd: '0.00', received_usd: '0.00', count: 0 },
        { date: day(0), sent_usd: '10.00', received_usd: '0.00', count: 2 },
      ],
      sent_usd: '10.00',
      received_usd: '5.00',
      fees_usd: '0.20',
    });
    expect((await alice.get('/api/history/summary')).body.days).toHaveLength(30);
    expect((await alice.get('/api/history/summary?days=367')).status).toBe(400);
  });
});

describe('the file', () => {
  test('has every line, and no cell that a spreadsheet would run', async () => {
    world.later(DAY);
    const day = new Date(world.ctx.clock.now()).toISOString().slice(0, 10);
    for (const label of ['=HYPERLINK("http://evil","x")', '+1', '-1', '@sum', '\tx', '\rx', 'a,"b"\n=c'])
      await tipRow('carol', 'shop', { label });
    const answer = await carol.get(`/api/history.csv?from=${day}&direction=sent`);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename=ampersat-history.csv');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const text = answer.body as string;
    expect(text.split('\r\n')[0]).toBe(
      'time,direction,counterparty,amount,fee,asset,chain,status,transaction,platform,id',
    );
    for (const cell of [
      `"'=HYPERLINK(""http://evil"",""x"")"`,
      `'+1`,
      `'-1`,
      `'@sum`,
      `'\tx`,
      `"'\rx"`,
      `"a,""b""\n=c"`,
    ])
      expect(text).toContain(`,sent,${cell},5.00,0.10,USDC,base,final,0x`);
    expect(text).not.toMatch(/secret/);
  });

  test('goes on over its pages, and keeps to the filters', async () => {
    world.later(DAY);
    const at = world.ctx.clock.now();
    const day = new Date(at).toISOString().slice(0, 10);
    const first = await tipRow('carol', 'bob', { at });
    await world.ctx.db.$executeRaw`
      insert into tip select (jsonb_populate_record(tip, jsonb_build_object('id', 'tip_' || lpad('c' || n, 26, '0'), 'leg', n, 'message_key', 'copy ' || n))).*
      from tip, generate_series(1, 1100) as n where tip.id = ${first}`;
    const text = (await carol.get(`/api/history.csv?from=${day}&to=${day}`)).body as string;
    const rows = text.trim().split('\r\n').slice(1);
    expect(rows).toHaveLength(1_101);
    expect(new Set(rows).size).toBe(1_101);
    expect(
      ((await carol.get(`/api/history.csv?from=${day}&status=failed`)).body as string).trim().split('\r\n'),
    ).toHaveLength(1);
  });
});

// Following a complaint, over real HTTP: who may search, what leads where, what a time line tells and keeps, and trying dead work again.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { deliverReplies } from '../../../bots/delivery.ts';
import { localSolanaKey } from '../../../local/solana/keys.ts';
import { endpointRow, eventRow, receiverForTest } from '../../../test/setup/webhooks.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { createLog } from '../../log.ts';
import { openKeys } from '../../services/outgoing/keys.ts';
import { prepareIntents } from '../../services/tips/preparation.ts';
import { senderTag } from '../../services/trace.ts';
import { serve } from '../serve.ts';

const ADMIN = 'kW3vR8xT1bN6mZ4cQ9yL2hJ7fD5gP0sa';
let world: World;
let base: string;
beforeAll(async () => {
  world = await startWorld();
  Object.assign(world.ctx.env, { PORT: 0, ADMIN_SECRET: ADMIN });
  base = `http://127.0.0.1:${await serve(world.ctx)}`;
  Object.assign(world.ctx.env, { BASE_URL: base });
  await openKeys(world.ctx, world.evmChain());
});
afterAll(() => world.stop());
/** Beyond every window that counts commands and answers. */
afterEach(() => world.later(2 * 3_600_000));

type Step = { step: string; detail: string | null; tx_hash: string | null; tone: string };
type Line = { id: string; kind: string; what: string; who: string; status: string; case_id: string; reason: string };
type Answer = { data: Line[]; has_more: boolean; next_cursor: string | null };
type Told = {
  kind: string;
  who: string;
  what: string;
  status: string;
  legs: { id: string }[];
  steps: Step[];
  related: Line[];
  log: string[];
};
type Dead = { kind: string; id: string; reason: string; retry: boolean; case_id: string | null };

const headers = { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' };
async function get<T>(path: string): Promise<T> {
  const response = await fetch(`${base}/api/operations/${path}`, { headers });
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as T;
}
const search = (q: string, more = '') => get<Answer>(`search?q=${encodeURIComponent(q)}${more}`);
const readCase = (id: string) => get<Told>(`case?id=${encodeURIComponent(id)}`);
const dead = async () => (await get<{ data: Dead[] }>('dead')).data;
const retry = (kind: string, id: string) =>
  fetch(`${base}/api/operations/dead/retry`, { method: 'POST', headers, body: JSON.stringify({ kind, id }) });
const errorOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string; param?: string } }).error;
const keyOf = (messageId: number) => `tg:m:7100000:${world.group}:${messageId}`;

describe('who may', () => {
  const paths = ['search?q=alice', 'case?id=ord_1', 'failed?what=tips', 'dead'];
  test.each(paths)('%s: nobody without the secret', async (path) => {
    const answer = await fetch(`${base}/api/operations/${path}`);
    expect(answer.status).toBe(401);
    expect(await errorOf(answer)).toMatchObject({ code: 'admin_secret_invalid' });
  });

  test('a retry needs the secret, and with a cookie our own page', async () => {
    const body = JSON.stringify({ kind: 'reply', id: 'rpl_1' });
    const json = { 'content-type': 'application/json' };
    const url = `${base}/api/operations/dead/retry`;
    expect((await fetch(url, { method: 'POST', headers: json, body })).status).toBe(401);
    const foreign = { ...json, origin: 'https://evil.example', cookie: 'service-operator=x' };
    expect(await errorOf(await fetch(url, { method: 'POST', headers: foreign, body }))).toMatchObject({
      code: 'origin_not_allowed',
    });
    const bare = { ...json, cookie: 'service-operator=x' };
    expect((await errorOf(await fetch(url, { method: 'POST', headers: bare, body }))).code).toBe('origin_not_allowed');
  });

  test.each([
    ['search', 'parameter_missing', 'q'],
    ['search?q=%20', 'parameter_invalid', 'q'],
    ['search?q=%3Cscript%3E', 'parameter_invalid', 'q'],
    ['search?q=alice&limit=0', 'parameter_invalid', 'limit'],
    ['search?q=alice&limit=1000', 'parameter_invalid', 'limit'],
    ['search?q=alice&cursor=x', 'parameter_invalid', 'cursor'],
    ['search?q=alice&other=1', 'parameter_unknown', 'other'],
    ['failed?what=orders', 'parameter_invalid', 'what'],
    ['failed?what=tips&cursor=x', 'parameter_invalid', 'cursor'],
    ['case', 'parameter_missing', 'id'],
  ])('%s: %s of %s', async (path, code, param) => {
    const answer = await fetch(`${base}/api/operations/${path}`, { headers });
    expect(answer.status).toBe(400);
    expect(await errorOf(answer)).toMatchObject({ code, param });
  });

  test('what is not there is missing', async () => {
    const answer = await fetch(`${base}/api/operations/case?id=tg:m:1:2:3`, { headers });
    expect(answer.status).toBe(404);
    expect(await search('@never_seen_here')).toMatchObject({ data: [], has_more: false });
    expect(await errorOf(await retry('reply', 'rpl_00000000000000000000000000'))).toMatchObject({
      code: 'resource_missing',
    });
    expect(await errorOf(await retry('executor', 'x'))).toMatchObject({ code: 'parameter_invalid', param: 'kind' });
  });
});

describe('a tip that was paid', () => {
  let messageId: number;
  let key: string;
  beforeAll(async () => {
    const lines: string[] = [];
    const { log } = world.ctx;
    world.ctx.log = createLog('test', 'info', [], { write: (line) => void lines.push(line) });
    ({ message_id: messageId } = await world.say('alice', '/tip @bob 5 usdc for the secret party'));
    world.ctx.log = log;
    key = keyOf(messageId);
    logLines = lines.filter((line) => line.includes(`"message":"${messageId}"`));
  });
  let logLines: string[];

  test('is found by its sender, its recipient, the message, its ids and its transaction', async () => {
    const intent = await world.ctx.db.intent.findUniqueOrThrow({ where: { inboxKey: key }, include: { tips: true } });
    const [tip] = intent.tips;
    const answer = await world.ctx.db.reply.findUniqueOrThrow({ where: { key: `intent:${intent.id}` } });
    const alice = String(localPerson('alice').telegram.id);
    const ways = [
      'alice',
      '@alice',
      'alice@ampersat',
      'telegram:alice',
      alice,
      `telegram:${alice}`,
      'bob',
      String(messageId),
      `https://t.me/c/1/${messageId}`,
      key,
      intent.id,
      tip?.id ?? '',
      answer.id,
      tip?.txHash ?? '',
      tip?.messageKey ?? '',
    ];
    for (const { address } of await world.ctx.db.wallet.findMany({ where: { handle: { slug: 'alice' } } }))
      ways.push(address);
    for (const way of ways) {
      const { data } = await search(way);
      expect(
        data.filter(({ id }) => id === key),
        way,
      ).toMatchObject([{ kind: 'message', who: '@alice', what: 'tip 5 USDC to @bob', status: 'completed' }]);
    }
    const shown = await search(answer.platformMessageId ?? '');
    expect(shown.data.map(({ id }) => id)).toContain(answer.id);
    expect((await readCase(answer.id)).related).toEqual([{ id: key, kind: 'message' }]);
    expect((await search('discord:alice')).data.map(({ id }) => id)).not.toContain(key);
  });

  test('is found by a signature of Solana, as it is written, and by a Solana wallet', async () => {
    const tip = await world.ctx.db.tip.findFirstOrThrow({ where: { intent: { inboxKey: key } } });
    const signature = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
    const wallet = localSolanaKey('alice').address;
    const { handleId } = await world.ctx.db.wallet.findFirstOrThrow({ where: { handle: { slug: 'alice' } } });
    await world.ctx.db.wallet.create({ data: { handleId, family: 'solana', address: wallet, createdAt: new Date() } });
    await world.ctx.db.tip.update({ where: { id: tip.id }, data: { txHash: signature } });
    for (const way of [signature, wallet])
      expect(
        (await search(way)).data.map(({ id }) => id),
        way,
      ).toContain(key);
    expect((await search(localSolanaKey('no one').address)).data).toEqual([]);
    await world.ctx.db.tip.update({ where: { id: tip.id }, data: { txHash: tip.txHash } });
  });

  test('has every step in order, from the message to the receipt', async () => {
    const told = await readCase(key);
    expect(told).toMatchObject({ kind: 'message', who: '@alice', what: 'tip 5 USDC to @bob', status: 'completed' });
    expect(told.legs).toMatchObject([{ recipient: '@bob', amount: '5.00', fee: '0.10', asset: 'USDC', chain: 'base' }]);
    const steps = told.steps.map(({ step }) => step);
    const story = [
      'received',
      'parsed',
      'accepted',
      'intent.route',
      'leg_frozen',
      'tx_signed',
      'tip.submit',
      'tip.mine',
      'reply_wanted',
      'tip.settle',
      'reply_sent',
    ];
    for (const name of story) expect(steps, name).toContain(name);
    expect(steps[0]).toBe('received');
    const at = (name: string) => steps.indexOf(name);
    expect([
      at('received'),
      at('accepted'),
      at('leg_frozen'),
      at('tx_signed'),
      at('tip.settle'),
      at('reply_sent'),
    ]).toEqual(
      [at('received'), at('accepted'), at('leg_frozen'), at('tx_signed'), at('tip.settle'), at('reply_sent')].toSorted(
        (a, b) => a - b,
      ),
    );
    const { txHash } = await world.ctx.db.tip.findFirstOrThrow({ where: { intent: { inboxKey: key } } });
    expect(told.steps.filter(({ tx_hash }) => tx_hash === txHash).map(({ step }) => step)).toContain('tx_signed');
  });

  test('shows no note, no text of the chat and no secret', async () => {
    const pages = JSON.stringify([await readCase(key), await search('alice'), await search(String(messageId))]);
    expect(pages).not.toMatch(/party|for the secret/);
    for (const { token } of await world.ctx.db.button.findMany()) expect(pages).not.toContain(token);
    const raw = await world.ctx.db.txAttempt.findMany({ select: { raw: true } });
    for (const attempt of raw) expect(pages).not.toContain(attempt.raw);
  });

  test('is followed through the log by its message and its sender', () => {
    const told = logLines.map((line) => JSON.parse(line) as { msg: string; sender: string });
    for (const msg of ['a message was read', 'route', 'submit', 'settle', 'a reply was shown'])
      expect(
        told.map((line) => line.msg),
        msg,
      ).toContain(msg);
    expect(new Set(told.map(({ sender }) => sender))).toEqual(
      new Set([`telegram:${localPerson('alice').telegram.id}`]),
    );
  });
});

test('on Discord and X the log has a keyed hash of the sender, the same everywhere, and of another deployment another one', () => {
  const env = (url: string) => ({ env: { DATABASE_URL: url } as never });
  const tag = senderTag(env('postgres://bots:pass-1@db/x'), 'x', '120000000000000001');
  expect(tag).toMatch(/^x:[0-9a-f]{16}$/);
  expect(senderTag(env('postgres://workers:pass-1@db2/x'), 'x', '120000000000000001')).toBe(tag);
  expect(senderTag(env('postgres://bots:pass-2@db/x'), 'x', '120000000000000001')).not.toBe(tag);
  expect(senderTag(env('postgres://bots:pass-1@db/x'), 'discord', '120000000000000001')).not.toContain(tag.slice(2));
});

describe('what went wrong', () => {
  test('a refused command tells why, an unread one what it was taken for', async () => {
    const refused = await world.say('alice', '/tip @bob 99');
    await world.ctx.db.handle.updateMany({ where: { slug: 'alice' }, data: { commandCapMicros: 1_000_000n } });
    world.later(60_000);
    const capped = await world.say('alice', '/tip @bob 50');
    await world.ctx.db.handle.updateMany({ where: { slug: 'alice' }, data: { commandCapMicros: 100_000_000n } });
    const told = await readCase(keyOf(capped.message_id));
    expect(told.status).toBe('refused');
    expect(told.steps.find(({ step }) => step === 'intent.refuse')).toMatchObject({
      detail: expect.stringContaining('command_cap'),
      tone: 'bad',
    });
    expect((await readCase(keyOf(refused.message_id))).steps.map(({ step }) => step)).toContain('parsed');
    const unread = await world.say('alice', '/tip @bob');
    expect(await readCase(keyOf(unread.message_id))).toMatchObject({
      what: 'error amount_missing',
      steps: expect.arrayContaining([expect.objectContaining({ step: 'processed', detail: 'error:amount_missing' })]),
    });
  });

  test('a failed tip stands behind its figure and leads to its time line', async () => {
    const { message_id } = await world.type('alice', '/tip @bob 3');
    await world.fetchUpdates();
    await world.ingest();
    await world.prepare();
    world.later(20 * 60_000);
    await world.settle();
    await world.reply();
    const { data } = await get<Answer>('failed?what=tips');
    expect(data[0]).toMatchObject({ what: '3.00 USDC to @bob on base', reason: 'expired', case_id: keyOf(message_id) });
    const told = await readCase(keyOf(message_id));
    expect(told).toMatchObject({ status: 'failed' });
    expect(told.steps.find(({ step }) => step === 'tip.fail')).toMatchObject({ detail: '3.00 USDC to @bob · expired' });
  });

  test('pages go on where they ended, each line once', async () => {
    for (let i = 0; i < 6; i++) {
      await world.type('bob', '/help');
      await world.fetchUpdates();
    }
    await world.ingest();
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await search('bob', `&limit=2${cursor && `&cursor=${cursor}`}`);
      expect(page.data.length).toBeLessThanOrEqual(2);
      seen.push(...page.data.map(({ id }) => id));
      if (!page.has_more) break;
      cursor = page.next_cursor ?? '';
    }
    expect(new Set(seen).size).toBe(seen.length);
    const all = await search('bob', '&limit=100');
    expect(seen).toEqual(all.data.map(({ id }) => id));
    expect(seen.length).toBeGreaterThan(6);
  });
});

describe('orders and tabs', () => {
  test('money for somebody unknown is one story: the message, its tab, and what each leads to', async () => {
    const { message_id } = await world.say('alice', '/tip @carol 4 usdc');
    const told = await readCase(keyOf(message_id));
    const [escrow] = told.related;
    expect(escrow).toMatchObject({ kind: 'tab' });
    expect(told.steps.map(({ step }) => step)).toContain('tab_staged');
    const { openTxHash } = await world.ctx.db.escrow.findUniqueOrThrow({ where: { id: escrow?.id ?? '' } });
    const carol = localPerson('carol').telegram;
    for (const way of [escrow?.id ?? '', openTxHash ?? '', `telegram:${carol.id}`, '@carol'])
      expect(
        (await search(way)).data.map(({ id }) => id),
        way,
      ).toContain(escrow?.id);
    const alone = await readCase(escrow?.id ?? '');
    expect(alone).toMatchObject({ kind: 'tab', status: 'open', related: [{ kind: 'message', id: keyOf(message_id) }] });
    expect(alone.steps).toContainEqual(expect.objectContaining({ step: 'tab_opened_in', tx_hash: openTxHash }));
  });

  test('an order that was asked for in a chat leads to its message and its events', async () => {
    const { message_id } = await world.say('shop', '/order 25 for the secret party');
    const { outcome: id } = await world.ctx.db.inbox.findUniqueOrThrow({ where: { key: keyOf(message_id) } });
    expect((await search('shop')).data).toContainEqual(
      expect.objectContaining({ id, kind: 'order', what: expect.stringMatching(/^order 25.00 USDC on /) }),
    );
    const told = await readCase(id ?? '');
    expect(told.related).toEqual([{ id: keyOf(message_id), kind: 'message' }]);
    const steps = told.steps.map(({ step }) => step);
    for (const name of ['order_created', 'event', 'reply_wanted', 'reply_sent']) expect(steps, name).toContain(name);
    expect(JSON.stringify([told, await readCase(keyOf(message_id))])).not.toContain('party');
  });
});

describe('dead work', () => {
  async function refusedReply(): Promise<string> {
    await world.user('faults', { method: 'sendMessage', status: 403, times: 1 });
    await world.type('alice', '/help');
    await world.fetchUpdates();
    await world.ingest();
    await world.reply();
    const row = await world.ctx.db.reply.findFirstOrThrow({
      where: { failure: { not: null } },
      orderBy: { id: 'desc' },
    });
    return row.id;
  }
  const helpShown = async () => (await world.botSaid()).length;

  test('a refused reply is listed with the platform’s reason, and sent once however often it is pressed', async () => {
    const id = await refusedReply();
    const before = await helpShown();
    const { data } = await get<Answer>('failed?what=replies');
    expect(data[0]).toMatchObject({ id, reason: expect.stringMatching(/403|forbidden|blocked/i) });
    expect((await readCase(data[0]?.case_id ?? '')).steps).toContainEqual(
      expect.objectContaining({ step: 'reply_failed', tone: 'bad' }),
    );
    expect(await dead()).toContainEqual(expect.objectContaining({ kind: 'reply', id, retry: true }));
    const presses = await Promise.all([retry('reply', id), retry('reply', id)]);
    expect(presses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await Promise.all([world.reply(), retry('reply', id)]);
    await world.reply();
    expect(await helpShown()).toBe(before + 1);
    expect((await dead()).filter((one) => one.id === id)).toEqual([]);
    expect((await retry('reply', id)).status).toBe(409);
  });

  test('a reply that is too old is not tried again', async () => {
    const id = await refusedReply();
    world.later(8 * 24 * 3_600_000);
    await world.freshPrices();
    expect((await dead()).filter((one) => one.id === id)).toEqual([]);
    expect((await retry('reply', id)).status).toBe(409);
  });

  test('a stuck command is planned and paid once, pressed twice while the workers do the same', async () => {
    const { message_id } = await world.type('alice', '/tip @bob 2');
    await world.fetchUpdates();
    await world.ingest();
    world.later(61_000);
    const intent = await world.ctx.db.intent.findUniqueOrThrow({ where: { inboxKey: keyOf(message_id) } });
    const [stuck] = (await dead()).filter(({ id }) => id === intent.id);
    expect(stuck).toMatchObject({
      kind: 'command',
      retry: true,
      case_id: keyOf(message_id),
      reason: 'Not planned yet',
    });
    const before = await world.usdc('bob');
    await Promise.all([
      retry('command', intent.id),
      prepareIntents(world.ctx, [intent.id]),
      retry('command', intent.id),
      prepareIntents(world.ctx, [intent.id]),
    ]);
    const [leg] = await world.ctx.db.tip.findMany({ where: { intentId: intent.id } });
    world.later(61_000);
    expect(await dead()).toContainEqual(expect.objectContaining({ kind: 'payment', id: leg?.id, retry: true }));
    await Promise.all([
      retry('payment', leg?.id ?? ''),
      world.settle(),
      retry('payment', leg?.id ?? ''),
      world.settle(),
      world.settle(),
    ]);
    await world.run();
    expect(await world.usdc('bob')).toBe(before + 2_000_000n);
    expect(await world.ctx.db.tip.count({ where: { intentId: intent.id } })).toBe(1);
    expect((await retry('payment', leg?.id ?? '')).status).toBe(409);
    expect((await retry('command', intent.id)).status).toBe(409);
    await world.run();
    expect(await world.usdc('bob')).toBe(before + 2_000_000n);
  });

  test('what failed by the money’s own rules is never offered, and cannot be asked for', async () => {
    const failed = await world.ctx.db.tip.findFirstOrThrow({ where: { status: 'failed' } });
    expect((await dead()).filter(({ id }) => id === failed.id)).toEqual([]);
    expect((await retry('payment', failed.id)).status).toBe(409);
  });

  test('messages that nobody read and transactions that nobody mined are told, without a button', async () => {
    await world.type('carol', '/help');
    await world.fetchUpdates();
    world.later(61_000);
    expect((await dead()).filter(({ kind }) => kind === 'message')).toMatchObject([{ retry: false }]);
    await world.ingest();
    expect((await dead()).filter(({ kind }) => kind === 'message')).toEqual([]);
  });

  test('failed deliveries of an endpoint are replayed once', async () => {
    const endpoint = await endpointRow(world.ctx, (await receiverForTest()).url);
    await eventRow(world.ctx, [endpoint]);
    const endedAt = new Date(world.ctx.clock.now());
    await world.ctx.db.delivery.updateMany({
      data: { status: 'failed', failure: 'exhausted', nextAttemptAt: null, endedAt },
    });
    const [listed] = (await dead()).filter(({ kind }) => kind === 'endpoint');
    expect(listed).toMatchObject({ retry: true, reason: '1 failed' });
    const presses = await Promise.all([retry('endpoint', listed?.id ?? ''), retry('endpoint', listed?.id ?? '')]);
    expect(presses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await world.ctx.db.delivery.findFirstOrThrow()).toMatchObject({ status: 'pending' });
  });
});

test('the reply of a deliverer that is under way is not shown twice by a retry', async () => {
  await world.type('alice', '/help');
  await world.fetchUpdates();
  await world.ingest();
  const { id } = await world.ctx.db.reply.findFirstOrThrow({ where: { open: true }, orderBy: { id: 'desc' } });
  const [, pressed] = await Promise.all([deliverReplies(world.ctx, world.adapters, [id]), retry('reply', id)]);
  expect(pressed.status).toBe(409);
});

test('every source of a search is found by an index, however much there is', async () => {
  await world.ctx.db.$executeRaw`
    insert into inbox (key, platform, kind, payload, status, received_at)
      select 'tg:m:1:1:' || n, 'telegram', 'message',
        jsonb_build_object('message', jsonb_build_object('messageId', n::text, 'sender', jsonb_build_object('id', (n % 5000)::text))),
        'done', now() - n * interval '1 second' from generate_series(1, 30000) n`;
  await world.ctx.db.$executeRaw`analyze inbox`;
  const plan = async (query: Promise<{ 'QUERY PLAN': string }[]>) =>
    (await query).map((row) => row['QUERY PLAN']).join('\n');
  const bySender = await plan(world.ctx.db.$queryRaw`
    explain select key from inbox where platform = 'telegram'
      and coalesce(payload -> 'message' -> 'sender' ->> 'id', payload -> 'button' ->> 'userId') = '77'
      order by received_at desc, key desc limit 25`);
  expect(bySender).toContain('inbox_sender');
  const byMessage = await plan(world.ctx.db.$queryRaw`
    explain select key from inbox where payload -> 'message' ->> 'messageId' = '77' order by received_at desc, key desc limit 25`);
  expect(byMessage).toContain('inbox_message_id');
  for (const text of [bySender, byMessage]) expect(text).not.toContain('Seq Scan');
  const scans = async () => {
    const [row] = await world.ctx.db.$queryRaw<{ whole: number; bySender: number; byMessage: number }[]>`
      select t.seq_scan::int as whole,
        (select idx_scan::int from pg_stat_user_indexes where indexrelname = 'inbox_sender') as "bySender",
        (select idx_scan::int from pg_stat_user_indexes where indexrelname = 'inbox_message_id') as "byMessage"
      from pg_stat_user_tables t where t.relname = 'inbox'`;
    return row ?? { whole: 0, bySender: 0, byMessage: 0 };
  };
  await search('77', '&limit=3');
  const before = await scans();
  const { data } = await search('77', '&limit=3');
  expect(data).toHaveLength(3);
  // PostgreSQL tells its counts a moment after the transaction.
  let after = before;
  const isTold = async () => {
    after = await scans();
    return after.bySender > before.bySender && after.byMessage > before.byMessage;
  };
  await expect.poll(isTold).toBe(true);
  expect(after.whole).toBe(before.whole);
});

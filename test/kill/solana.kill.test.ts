// kill -9 of a real process in the gaps between our rows and a Solana cluster. After a restart there is exactly one payment and one receipt.
import { describe, expect, test } from 'vitest';
import { localSolanaKey } from '../../local/solana/keys.ts';
import { isKeyInUse } from '../../src/services/outgoing/keys.ts';
import { exactlyOnceOnSolana, type Killing, killedSolanaWorlds } from '../setup/killing.ts';
import { until } from '../setup/processes.ts';
import { signTransaction, walletOfPerson } from '../setup/signer.ts';
import { serveWorld, visitor } from '../setup/visitor.ts';

const TIPS = [
  ['wallet', '/tip @bob 5 on solana'],
  ['tab', '/tip @carol 5 on solana'],
] as const;

const countOf = (held: Killing) => (status: string) => held.world.ctx.db.outgoingTx.count({ where: { status } });

describe('kill -9 of the workers between', () => {
  const held = killedSolanaWorlds('bots');
  const start = () => Promise.all([held.bots.start(), held.workers.start()]);
  const count = countOf(held);

  test.each(TIPS)('signed and broadcast, to a %s', async (to, text) => {
    const gate = held.proxy.hold('sendTransaction', 'before');
    await start();
    await held.world.type('alice', text);
    await gate.reached;
    await until(async () => (await count('signed')) === 1, 'a stored transaction');
    await held.workers.kill();
    gate.open();
    await held.workers.start();
    await exactlyOnceOnSolana(held, to);
  });

  test.each(TIPS)('broadcast and the record of it, to a %s', async (to, text) => {
    const gate = held.proxy.hold('sendTransaction', 'after');
    await start();
    await held.world.type('alice', text);
    await gate.reached;
    await held.workers.kill();
    gate.open();
    expect(await count('signed')).toBe(1);
    await held.workers.start();
    await exactlyOnceOnSolana(held, to);
  });

  test('confirmed and recorded', async () => {
    const gate = held.proxy.hold('getSignatureStatuses', 'before');
    await start();
    await held.world.type('alice', '/tip @bob 5 on solana');
    await gate.reached;
    await until(() => held.world.solana.gained('bob') > 0n, 'the block');
    await held.workers.kill();
    gate.open();
    expect((await held.world.ctx.db.tip.findFirst())?.status).toBe('submitted');
    await held.workers.start();
    await exactlyOnceOnSolana(held, 'wallet');
  });

  test('confirmed and final', async () => {
    await start();
    await held.world.type('alice', '/tip @bob 5 on solana');
    await until(
      async () => (await held.world.ctx.db.tip.count({ where: { status: 'mined' } })) === 1,
      'a confirmed tip',
    );
    await held.workers.kill();
    await held.workers.start();
    await exactlyOnceOnSolana(held, 'wallet');
  });
});

describe('a tab opened from the page, and kill -9 of the workers', () => {
  // What a wallet signed is not signed again by us: how long a restart takes must not end its block hash.
  const held = killedSolanaWorlds('bots', 0);
  const count = countOf(held);
  const statusOf = async () => (await held.world.ctx.db.escrow.findFirstOrThrow()).status;
  const moved = () => [held.world.solana.gained('alice'), held.world.solana.usdcOf(held.world.solana.fixed.vault)];

  /** Staged by Alice, signed by her wallet, and taken by the service. */
  async function signedTab(): Promise<string> {
    const alice = visitor(await serveWorld(held.world));
    await alice.signIn(walletOfPerson('alice'));
    const staged = await alice.post('/api/escrow', { handleSlug: 'carol', amount: '5', chain: 'solana' });
    const path = `/api/escrow/${staged.body.escrow.id}`;
    const { ctx, solana } = held.world;
    const keys = ctx.solanaExecutors.map(({ address }) => address);
    await until(
      () => Promise.all(keys.map((key) => isKeyInUse(ctx, solana.chain, key))).then((all) => all.every(Boolean)),
      'keys that pay',
    );
    const { body } = await alice.get(`${path}/open_data`);
    const solana_transaction = signTransaction(localSolanaKey('alice'), body.solana_transaction);
    const answer = await alice.post(path, { action: 'open', solana_transaction });
    expect(answer.body.error).toBeUndefined();
    return staged.body.escrow.id;
  }

  /** Slots pass once it has landed. */
  async function stepUntil(holds: () => Promise<boolean>, what: string): Promise<void> {
    await until(async () => {
      if (moved()[1] !== 0n) held.world.solana.step();
      return holds();
    }, what);
  }

  /** One tab, one payment, by one event of the program. */
  async function openedOnce(id: string): Promise<void> {
    const { solana } = held.world;
    const { db } = held.world.ctx;
    await stepUntil(async () => (await statusOf()) === 'open' && (await count('final')) === 1, 'an open tab');
    expect(moved()).toEqual([-5_000_000n, 5_000_000n]);
    expect(await db.escrow.findMany({ select: { id: true } })).toEqual([{ id }]);
    expect(await db.sponsoredCall.findMany({ select: { kind: true } })).toEqual([{ kind: 'tab_open' }]);
    const events = await solana.eventsOf(solana.addressOf('alice'));
    expect(events.filter(({ name }) => name === 'tabOpened')).toHaveLength(1);
  }

  test.each([
    ['signed and broadcast', 'sendTransaction', 'before', 0n],
    ['broadcast and the record of it', 'sendTransaction', 'after', 5_000_000n],
    ['confirmed and recorded', 'getSignatureStatuses', 'before', 5_000_000n],
  ] as const)('between %s', async (_between, method, when, landed) => {
    const gate = held.proxy.hold(method, when);
    await held.workers.start();
    const id = await signedTab();
    await gate.reached;
    if (landed > 0n) await until(() => moved()[1] === landed, 'the block');
    await held.workers.kill();
    expect(await statusOf()).toBe('pending_create');
    expect(moved()[1]).toBe(landed);
    gate.open();
    await held.workers.start();
    await openedOnce(id);
  });

  test('between confirmed and final', async () => {
    await held.workers.start();
    const id = await signedTab();
    await stepUntil(async () => (await count('mined')) === 1, 'a confirmed opening');
    await held.workers.kill();
    await held.workers.start();
    await openedOnce(id);
  });
});

describe('kill -9 of everything', () => {
  const held = killedSolanaWorlds();

  test('five times during one tip, on a cluster that drops some of what it is sent', async () => {
    held.world.solana.node.faults.add({ kind: 'drop', times: 2 });
    await held.world.type('alice', '/tip @bob 5 on solana');
    for (let i = 0; i < 5; i++) {
      const started = Promise.allSettled([held.bots.start(), held.workers.start()]);
      await new Promise((resolve) => setTimeout(resolve, 700 + i * 450));
      await Promise.all([held.bots.kill(), held.workers.kill()]);
      await started;
    }
    await Promise.all([held.bots.start(), held.workers.start()]);
    await exactlyOnceOnSolana(held, 'wallet', { identicalRepeatAllowed: true });
  });
});

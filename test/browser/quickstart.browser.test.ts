// The quickstart of docs/quickstart.md: its own commands, typed as they are written, against a real stack; and the same two commands of our tools where
// they end or fail.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { freePort } from '../../local/stack/ports.ts';
import { webhooks as tellWebhooks } from '../../local/tour/webhooks.ts';
import { ROOT } from '../../src/root.ts';
import { bundled, shellEnv, until } from '../setup/processes.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { openPage, workersBrowser } from './browser.ts';
import { look, SOON } from './newcomer.ts';

const DOCUMENT = readFileSync(join(ROOT, 'docs/quickstart.md'), 'utf8');
/** What the document tells to type, in its order. */
const COMMANDS = [...DOCUMENT.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].map(([, command = '']) => command);
/** What it tells the buyer to press. */
const [PAYING = ''] = /^The response has a `checkout_url`[\s\S]*?\n\n/m.exec(DOCUMENT) ?? [];
const BUTTONS = [...PAYING.matchAll(/“([^”]+)”/g)].map(([, name = '']) => name);
const SMALL = { viewport: { width: 760, height: 900 } };

type Typed = { child: ChildProcess; out(): string; all(): string; ended: Promise<number | null> };

describe.skipIf(!chromiumPath)(`the quickstart (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;
  let home: string;
  const open: Typed[] = [];

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack({ more: ['base-sepolia'] }), workersBrowser()]);
    // As a clone looks to whoever types in it: the stack's folder, and the documents.
    home = mkdtempSync(join(tmpdir(), 'ampersat-quickstart-'));
    symlinkSync(stack.dataDir, join(home, '.ampersat'));
    symlinkSync(join(ROOT, 'docs'), join(home, 'docs'));
  }, 180_000);
  afterAll(async () => {
    for (const { child, ended } of open) {
      child.kill('SIGKILL');
      await ended;
    }
    await stack?.stop();
    if (home) rmSync(home, { recursive: true, force: true });
  });

  /** Types a command into a terminal of its own. What was installed and built for npm is there already, so what npm would call is called. */
  function type(command: string, env: Record<string, string> = {}): Typed {
    const typed = command
      .replace('npm run -s ampersat --', `'${process.execPath}' '${bundled('cli')}'`)
      .replaceAll('http://127.0.0.1:8080', stack.baseUrl);
    // The shell becomes the command, as it does for the last one of a terminal, so that a signal reaches it.
    const line = /^[A-Z_]+=/.test(typed) ? `env ${typed}` : typed;
    const child = spawn('sh', ['-c', `exec ${line}`], {
      cwd: home,
      env: { ...shellEnv(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const written = { out: '', all: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      written.out += chunk;
      written.all += chunk;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      written.all += chunk;
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const one = { child, out: () => written.out, all: () => written.all, ended };
    open.push(one);
    return one;
  }

  const said = (one: Typed, words: RegExp) =>
    until(() => words.test(one.all()), `${words} is said`).catch((error: Error) => {
      throw new Error(`${error.message}\n${one.all()}`);
    });

  const found = (text: string, pattern: RegExp) => {
    const [match] = pattern.exec(text) ?? [];
    if (match === undefined) throw new Error(`${pattern} is not in ${text}`);
    return match;
  };

  it('is five commands: a key, a listener, a receiver, an order that is paid in a browser, and its event verified', async () => {
    expect(COMMANDS).toHaveLength(5);
    expect(BUTTONS).toHaveLength(3);
    const [start = '', createKey = '', listen = '', receive = '', ask = ''] = COMMANDS;
    // The stack of this test is what it starts; that it does is the matter of start.test.ts.
    expect(start).toBe('npm start');

    const keys = type(createKey);
    expect(await keys.ended, keys.all()).toBe(0);
    const key = found(keys.out(), /sk_test_\w+/);

    const port = String(await freePort());
    const listener = type(listen.replace('4242', port));
    await said(listener, /Listening to /);
    const secret = found(listener.out(), /whsec_[\w+/]+=/);

    const receiver = type(receive.replace('whsec_YOUR_SECRET', secret), { PORT: port });
    await said(receiver, /waiting on/);

    const order = type(`${ask.replace('sk_test_YOUR_KEY', key)} --silent --show-error`);
    expect(await order.ended, order.all()).toBe(0);
    const { id, checkout_url } = JSON.parse(order.out()) as { id: string; checkout_url: string };

    const { page, faults, close } = await openPage(browser, checkout_url, SMALL);
    const [use = '', who = '', pay = ''] = BUTTONS;
    await page.getByRole('button', { name: use }).click(SOON);
    await page.getByRole('button', { name: who }).click(SOON);
    await page.getByRole('button', { name: pay }).waitFor(SOON);
    await look(page, 'quickstart-checkout');
    await page.getByRole('button', { name: pay }).click(SOON);
    await page.getByRole('heading', { name: 'Paid', exact: true }).waitFor(SOON);
    await look(page, 'quickstart-paid');
    expect(faults).toEqual([]);
    await close();

    await said(receiver, /verified order\.completed evt_\w+/);
    const events = [...receiver.out().matchAll(/^verified (\S+) (evt_\w+)$/gm)].map(([, ...parts]) => parts);
    expect(events.map(([kind]) => kind)).toEqual(['order.created', 'order.completed']);
    for (const [kind = '', event = ''] of events) {
      await said(
        listener,
        new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}${kind} +${event} {2}25\\.00 USDC on base-sepolia, ${id}$`, 'm'),
      );
      await said(listener, new RegExp(`^ +→ 200 in \\d+ ms {2}${event}$`, 'm'));
    }
    expect(receiver.out()).not.toContain('refused');

    listener.child.kill('SIGINT');
    expect(await listener.ended).toBe(0);
    expect(listener.all()).not.toMatch(/error|abort|stopped/i);
  });

  it('what another secret signed is refused by the receiver, and that is told', async () => {
    const port = String(await freePort());
    const receiver = type(`WEBHOOK_SECRET=whsec_${'A'.repeat(43)}= node docs/examples/receiver.mjs`, { PORT: port });
    await said(receiver, /waiting on/);
    const listener = type(
      `npm run -s ampersat -- listen --forward-to http://127.0.0.1:${port} --events order.cancelled`,
    );
    await said(listener, /Listening to /);
    const trigger = type('npm run -s ampersat -- trigger order.cancelled');
    expect(await trigger.ended, trigger.all()).toBe(0);
    const event = found(trigger.out(), /evt_\w+/);
    await said(
      listener,
      new RegExp(`→ 400 in \\d+ ms {2}${event} {2}resend: ampersat events resend ${event} --forward-to http`),
    );
    expect(receiver.out()).toContain('refused: invalid signature');
    expect(listener.out()).not.toContain('order.created');
    // A terminal and npm say it both.
    listener.child.kill('SIGINT');
    listener.child.kill('SIGINT');
    expect(await listener.ended).toBe(0);
  });

  it('triggers what needs the chain, on the real stack', async () => {
    // Each of another account, so that no wallet sends two transactions at once.
    const wanted = ['order.refunded --account shop', 'escrow.claimed --account bob', 'escrow.refunded --account alice'];
    const all = wanted.map((line) => type(`npm run -s ampersat -- trigger ${line} --json`));
    for (const [index, trigger] of all.entries()) {
      expect(await trigger.ended, trigger.all()).toBe(0);
      expect(JSON.parse(trigger.out())).toMatchObject({ object: 'event', type: wanted[index]?.split(' ')[0] });
    }
  });

  it('the tour tells it, too', async () => {
    const stories: string[] = [];
    const tell = (story: string) => void stories.push(story);
    await tellWebhooks({ local: stack.local, tell });
    expect(stories).toHaveLength(2);
  });
});

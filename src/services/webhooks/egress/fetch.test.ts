// Where webhooks go and where they do not: when an endpoint is registered, when it is called, and whatever a receiver, a name server or a proxy does.
// Nothing here leaves the machine: public addresses are called through a local proxy, which leads every connection to a local server.
import type { LookupAddress } from 'node:dns';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
  type TcpNetConnectOpts,
} from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAuthority } from '../../../../test/setup/certificates.ts';
import { type ConnectProxy, startConnectProxy } from '../../../../test/setup/connectProxy.ts';
import { type DnsServer, startDnsServer } from '../../../../test/setup/dnsServer.ts';
import { ANSWER_BYTES } from '../../../domain/delivery.ts';
import { AppError } from '../../../domain/errors.ts';
import { URL_LENGTH } from '../../../domain/webhookEndpoint.ts';
import { checkUrl, createSafeClient, type PostRequest, type SafeClient } from './fetch.ts';

/** Of nobody whom a test could reach; they are judged, and never called. */
const PUBLIC_V4 = '93.184.215.14';
const PUBLIC_V6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c';
/** What has to succeed has as long as a busy machine may need for hundreds of connections at once. */
const POST: PostRequest = { headers: {}, body: '{"a":"☕"}', timeoutMs: 30_000, livemode: false };

let dns: DnsServer;
let receiver: Awaited<ReturnType<typeof listen>>;
let handle: (request: IncomingMessage, response: ServerResponse, body: string) => void;
const closers: (() => unknown)[] = [];

type Env = Parameters<typeof createSafeClient>[0]['env'];
const envOf = (over: Partial<Env> = {}): Env => ({
  WEBHOOK_ALLOW_LOOPBACK: true,
  WEBHOOK_DNS_SERVERS: [dns.address],
  WEBHOOK_PROXY: undefined,
  BASE_URL: 'https://ampersat.shop',
  ...over,
});
function clientOf(over: Partial<Env> = {}, options: Parameters<typeof createSafeClient>[1] = {}): SafeClient {
  const client = createSafeClient({ env: envOf(over) }, options);
  closers.push(() => client.close());
  return client;
}

/** A server on 127.0.0.1 that counts connections and the bytes that came. */
async function listen(server: Server, host = '127.0.0.1', port = 0) {
  const heard = { connections: 0, bytes: 0 };
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    heard.connections++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      heard.bytes += chunk.length;
    });
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, heard, sockets };
}

/** A server that speaks bytes as a test says, for what no HTTP server would do. */
const listenRaw = (onSocket: (socket: Socket) => void) => listen(createTcpServer(onSocket));

function answering(): Server {
  return createHttpServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => handle(request, response, body));
  });
}

beforeAll(async () => {
  dns = await startDnsServer();
  closers.push(() => dns.close());
  receiver = await listen(answering());
});
beforeEach(() => {
  handle = (_request, response) => response.end('thanks');
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

/** PORT is where a server of ours listens. */
const LOOPBACK_V4 = [
  'http://127.0.0.1:PORT/',
  'http://127.1:PORT/',
  'http://127.0.1:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://0x7f.0.0.1:PORT/',
  'http://0x7f.1:PORT/',
  'http://0x7f000001:PORT/',
  'http://0X7F000001:PORT/',
  'http://2130706433:PORT/',
  'http://017700000001:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://１２７.０.０.１:PORT/',
  'http://127。0。0。1:PORT/',
  'http://①②⑦.0.0.1:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http:127.0.0.1:PORT',
  'http:\\\\127.0.0.1:PORT\\x',
  'ht\ntp://127.0.0.1:PORT/',
  '  http://127.0.0.1:PORT/ ',
  'http://127.0.0.1:PORT#@shop.com/',
  'http://127.0.0.1:PORT/..//@shop.com/',
  'http://localhost:PORT/',
  'http://LocalHost:PORT/',
  'http://localhost.:PORT/',
  'http://loopback.shop.com:PORT/',
  'http://alias.shop.com:PORT/',
];

const ELSEWHERE: [url: string, failure: 'address_refused' | 'url_refused' | 'not_found'][] = [
  ...[
    ...[
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[0:0:0:0:0:ffff:7f00:0001]',
      '[::127.0.0.1]',
      '[::ffff:0:127.0.0.1]',
    ],
    ...[
      '[64:ff9b::127.0.0.1]',
      '[64:ff9b:1::7f00:1]',
      '[2002:7f00:1::1]',
      '[2001:0:7f00:1::1]',
      '0.0.0.0',
      '0',
      '0x0',
      '00',
    ],
    ...[
      '10.0.0.1',
      '012.0.0.1',
      '167772161',
      '172.16.0.1',
      '192.168.1.1',
      '0xc0a80101',
      '100.64.0.1',
      '100.100.100.200',
    ],
    ...['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518', '[::ffff:a9fe:a9fe]'],
    ...[
      '[fd00:ec2::254]',
      '[fe80::1]',
      '[fec0::1]',
      '[fc00::1]',
      '[ff02::1]',
      '[2001:db8::1]',
      '[3fff::1]',
      '[100::1]',
      '[5f00::1]',
    ],
    ...[
      '168.63.129.16',
      '192.0.0.192',
      '192.88.99.1',
      '198.18.0.1',
      '192.0.2.1',
      '203.0.113.5',
      '224.0.0.1',
      '240.0.0.1',
    ],
    ...['255.255.255.255', 'private.shop.com', 'mixed.shop.com', 'mixed6.shop.com', 'meta.shop.com', 'mapped.shop.com'],
    ...['six.shop.com', 'deep.shop.com'],
  ].map((host): [string, 'address_refused'] => [`http://${host}:PORT/`, 'address_refused']),
  ['https://169.254.169.254/latest/meta-data/', 'address_refused'],
  ...[
    ...[
      'intranet',
      'ampersat',
      'router.local',
      'printer.lan',
      'nas.home',
      'box.home.arpa',
      'metadata.google.internal',
      'x.localhost',
    ],
    ...[
      'localhost.localdomain',
      'a.corp',
      'b.intranet',
      'c.private',
      'd.onion',
      'e.test',
      'f.invalid',
      'g.example',
      'ROUTER.LOCAL.',
    ],
    ...[
      '1.0.0.127.in-addr.arpa',
      'kubernetes.default.svc.cluster.local',
      'a..shop.com',
      '.shop.com',
      'user:word@shop.com',
      'user@shop.com',
    ],
    ...[
      ':word@shop.com',
      'shop.com@127.0.0.1:PORT',
      '127.0.0.1:80@shop.com',
      'shop.com:22',
      'shop.com:25',
      'shop.com:0',
      'shop.com:443443',
    ],
    ...[
      'shop.com:6379',
      'shop.com:5432',
      'shop.com:11211',
      'shop.com:2375',
      'shop.com:6667',
      'shop.com:10080',
      'shop.com:1023',
    ],
    ...['[fe80::1%25eth0]', '[fe80::1%eth0]', '[::1', '1.2.3.256', '1.2.3.4.5', 'shop com', 'sh%00op.com', 'xn--a', ''],
  ].map((rest): [string, 'url_refused'] => [`http://${rest}/`, 'url_refused']),
  ...[
    ...[
      'ftp://shop.com/',
      'file:///etc/passwd',
      'gopher://127.0.0.1:PORT/_x',
      'javascript:alert(1)',
      'data:text/plain,x',
      'ws://shop.com/',
    ],
    ...[
      'unix:/var/run/docker.sock',
      'shop.com',
      '//shop.com/',
      '/x',
      '',
      ' ',
      `https://shop.com/${'x'.repeat(URL_LENGTH)}`,
    ],
    `https://shop.com/${'ü'.repeat(URL_LENGTH / 2)}`,
  ].map((url): [string, 'url_refused'] => [url, 'url_refused']),
  ['http://nobody.shop.com:PORT/', 'not_found'],
  ['http://empty.shop.com:PORT/', 'not_found'],
  ['http://kubernetes.default.svc:PORT/', 'not_found'],
];

const REFUSED: [url: string, failure: string][] = [
  ...LOOPBACK_V4.map((url): [string, string] => [url, /localhost/i.test(url) ? 'url_refused' : 'address_refused']),
  ['http://[::1]:PORT/', 'address_refused'],
  ['http://[0:0:0:0:0:0:0:1]:PORT/', 'address_refused'],
  ...ELSEWHERE,
];

describe('what webhooks do not go to', () => {
  const withPort = (url: string) => url.replaceAll('PORT', String(receiver.port));
  let client: SafeClient;
  beforeAll(() => {
    client = clientOf({ WEBHOOK_ALLOW_LOOPBACK: false });
    dns.set('shop.com', { A: [PUBLIC_V4] });
    dns.set('loopback.shop.com', { A: ['127.0.0.1'] });
    dns.set('alias.shop.com', { CNAME: 'loopback.shop.com' });
    dns.set('private.shop.com', { A: ['10.1.2.3'] });
    dns.set('mixed.shop.com', { A: [PUBLIC_V4, '10.1.2.3'] });
    dns.set('mixed6.shop.com', { A: [PUBLIC_V4], AAAA: [PUBLIC_V6, 'fd00::1'] });
    dns.set('meta.shop.com', { A: ['169.254.169.254'] });
    dns.set('mapped.shop.com', { AAAA: ['::ffff:127.0.0.1'] });
    dns.set('six.shop.com', { AAAA: ['fe80::1'] });
    dns.set('deep.shop.com', { CNAME: 'deeper.shop.com' });
    dns.set('deeper.shop.com', { CNAME: 'private.shop.com' });
    dns.set('empty.shop.com', {});
  });

  test('the table is long enough', () => expect(REFUSED.length).toBeGreaterThan(120));

  test.each(REFUSED)('%j: refused when it is registered', async (url, failure) => {
    const refusal = await checkUrl({ env: envOf({ WEBHOOK_ALLOW_LOOPBACK: false }) }, withPort(url), {
      livemode: false,
    }).then(
      () => null,
      (err) => err,
    );
    expect(refusal).toBeInstanceOf(AppError);
    const ofUrl = ['url_not_allowed', 'parameter_invalid', 'private_address'];
    expect(failure === 'url_refused' ? ofUrl : ['private_address']).toContain(refusal.code);
    expect(refusal.param).toBe('url');
    expect(refusal.message).not.toMatch(/\d+\.\d+\.\d+|::|10\.1/);
  });

  test.each(REFUSED)('%j: refused when it is called: %s', async (url, failure) => {
    expect(await client.post(withPort(url), POST)).toEqual({ failure });
  });

  test('and a server that listens there has heard nothing', () => {
    expect(receiver.heard).toEqual({ connections: 0, bytes: 0 });
  });

  test('the switch for a desk opens this machine, and nothing else', async () => {
    const open = clientOf();
    for (const url of LOOPBACK_V4) {
      expect(await open.post(withPort(url), POST), url).toMatchObject({ status: 200 });
      expect(await checkUrl({ env: envOf() }, withPort(url), { livemode: false }), url).toHaveProperty('url');
    }
    expect(receiver.heard.bytes).toBeGreaterThan(0);
    for (const [url, failure] of ELSEWHERE) expect(await open.post(withPort(url), POST), url).toEqual({ failure });
  });

  test('live mode takes https alone, in both places', async () => {
    const live = { livemode: true };
    await expect(checkUrl({ env: envOf() }, `http://shop.com/`, live)).rejects.toMatchObject({
      code: 'url_not_allowed',
    });
    await expect(checkUrl({ env: envOf() }, `https://shop.com/`, live)).resolves.toEqual({
      url: 'https://shop.com/',
      host: 'shop.com:443',
    });
    const before = receiver.heard.connections;
    expect(await client.post(`http://127.0.0.1:${receiver.port}/`, { ...POST, ...live })).toEqual({
      failure: 'url_refused',
    });
    expect(receiver.heard.connections).toBe(before);
  });
});

describe('what may be registered', () => {
  beforeAll(() => {
    for (const name of ['shop.com', 'hooks.shop.com', 'xn--bcher-kva.com', 'a_b.shop.com'])
      dns.set(name, { A: [PUBLIC_V4], AAAA: [PUBLIC_V6] });
  });
  test.each([
    ['https://shop.com/hooks?a=b', 'https://shop.com/hooks?a=b', 'shop.com:443'],
    ['https://SHOP.com./hooks', 'https://shop.com/hooks', 'shop.com:443'],
    ['https://shop.com:443/#part', 'https://shop.com/', 'shop.com:443'],
    ['http://shop.com', 'http://shop.com/', 'shop.com:80'],
    ['https://bücher.com/', 'https://xn--bcher-kva.com/', 'xn--bcher-kva.com:443'],
    ['https://BÜCHER.com/', 'https://xn--bcher-kva.com/', 'xn--bcher-kva.com:443'],
    ['https://a_b.shop.com:8443/ü', 'https://a_b.shop.com:8443/%C3%BC', 'a_b.shop.com:8443'],
    ['https://93.184.215.14:1024/', 'https://93.184.215.14:1024/', '93.184.215.14:1024'],
    ['https://0x5d.184.55054/', 'https://93.184.215.14/', '93.184.215.14:443'],
    ['https://[2606:2800:21f:0:0:0:0:1]/', 'https://[2606:2800:21f::1]/', '[2606:2800:21f::1]:443'],
    ['https://hooks.shop.com:65535', 'https://hooks.shop.com:65535/', 'hooks.shop.com:65535'],
    [
      `https://shop.com/${'x'.repeat(URL_LENGTH - 17)}`,
      `https://shop.com/${'x'.repeat(URL_LENGTH - 17)}`,
      'shop.com:443',
    ],
  ])('%s', async (text, url, host) => {
    const env = envOf({ WEBHOOK_ALLOW_LOOPBACK: false });
    expect(await checkUrl({ env }, text, { livemode: false })).toEqual({ url, host });
  });

  test('a name of which one family alone is known', async () => {
    dns.set('only4.shop.com', { A: [PUBLIC_V4] });
    dns.set('only6.shop.com', { AAAA: [PUBLIC_V6] });
    for (const name of ['only4', 'only6'])
      expect(await checkUrl({ env: envOf() }, `https://${name}.shop.com/`, { livemode: true })).toHaveProperty('url');
  });

  test('not a name that nobody answers for, within a few seconds; silence about one family does not hide the other', async () => {
    dns.set('silent.shop.com', 'silent');
    dns.set('half.shop.com', { A: [PUBLIC_V4], AAAA: 'silent' });
    dns.set('worse.shop.com', { A: ['10.1.2.3'], AAAA: 'silent' });
    const [half, worse] = ['half', 'worse'].map((name) =>
      checkUrl({ env: envOf() }, `https://${name}.shop.com/`, { livemode: true }).catch((err) => err),
    );
    const started = performance.now();
    await expect(checkUrl({ env: envOf() }, 'https://silent.shop.com/', { livemode: true })).rejects.toMatchObject({
      code: 'url_not_allowed',
      message: expect.stringContaining('Try again'),
    });
    expect(await half).toEqual({ url: 'https://half.shop.com/', host: 'half.shop.com:443' });
    expect(await worse).toMatchObject({ code: 'private_address', message: expect.not.stringContaining('again') });
    expect(performance.now() - started).toBeLessThan(6_000);
  });
});

describe('a name that changes what it answers', () => {
  test('is refused when it leads inside after it was registered', async () => {
    dns.set('turns.shop.com', { A: [PUBLIC_V4] }, { A: ['127.0.0.1'] });
    const before = receiver.heard.connections;
    const env = envOf({ WEBHOOK_ALLOW_LOOPBACK: false });
    const { url } = await checkUrl({ env }, `http://turns.shop.com:${receiver.port}/`, { livemode: false });
    expect(await clientOf(env).post(url, POST)).toEqual({ failure: 'address_refused' });
    expect(receiver.heard.connections).toBe(before);
  });

  test('is asked once a connection, so the answer that was judged is the one that is used', async () => {
    dns.set('flips.shop.com', { A: ['127.0.0.1'] }, { A: ['10.1.2.3'] });
    const client = clientOf();
    const url = `http://flips.shop.com:${receiver.port}/`;
    expect(await client.post(url, POST)).toMatchObject({ status: 200 });
    const asked = dns.questions.filter(({ name }) => name === 'flips.shop.com').map(({ type }) => type);
    expect(asked.sort()).toEqual(['A', 'AAAA']);
    // The connection stays with the address it was made to; another one asks again.
    expect(await client.post(url, POST)).toMatchObject({ status: 200 });
    expect(dns.questions.filter(({ name }) => name === 'flips.shop.com')).toHaveLength(2);
    for (const socket of receiver.sockets) socket.destroy();
    expect(await settled(() => client.post(url, POST), 'address_refused')).toEqual({ failure: 'address_refused' });
  });

  test('cannot send a socket elsewhere than to what was judged: where it arrived is compared before a byte is sent', async () => {
    const other = await listenRaw(() => {});
    dns.set('public.shop.com', { A: [PUBLIC_V4] });
    const astray = clientOf({}, { open: (() => connect(other.port, '127.0.0.1')) as typeof connect });
    for (const scheme of ['http', 'https'])
      expect(await astray.post(`${scheme}://public.shop.com/`, POST)).toEqual({ failure: 'address_refused' });
    expect(other.heard).toEqual({ connections: 2, bytes: 0 });
  });

  test('says of a socket that is gone before it was looked at that it is gone', async () => {
    const open = ((options: { port: number }) => {
      const socket = connect(options.port, '127.0.0.1');
      return socket.once('connect', () => socket.destroy());
    }) as typeof connect;
    expect(await clientOf({}, { open }).post(`http://127.0.0.1:${receiver.port}/`, POST)).toEqual({ failure: 'reset' });
  });
});

describe('a call', () => {
  test('says who calls, and sends the bytes that were signed', async () => {
    const got = new Promise<unknown[]>((resolve) => {
      handle = ({ method, url, headers }, response, body) => {
        response.end();
        resolve([
          method,
          url,
          headers['host'],
          headers['user-agent'],
          headers['content-type'],
          headers['webhook-id'],
          body,
        ]);
      };
    });
    await clientOf().post(`http://127.0.0.1:${receiver.port}/a/b?c=%20d#e`, {
      ...POST,
      headers: { 'webhook-id': 'evt_1' },
    });
    expect(await got).toEqual([
      'POST',
      '/a/b?c=%20d',
      `127.0.0.1:${receiver.port}`,
      'Ampersat/1.0 (+https://ampersat.shop/docs)',
      'application/json',
      'evt_1',
      POST.body,
    ]);
  });

  test('returns status, Retry-After and the beginning of the answer', async () => {
    handle = (_request, response) => response.writeHead(429, { 'retry-after': '17' }).end('slow\0down');
    expect(await clientOf().post(`http://127.0.0.1:${receiver.port}/`, POST)).toEqual({
      status: 429,
      retryAfter: '17',
      answer: 'slow\u{fffd}down',
    });
  });

  test('follows no redirect', async () => {
    const second = await listen(answering());
    for (const [status, location] of [
      [302, `http://127.0.0.1:${second.port}/`],
      [307, `http://127.0.0.1:${second.port}/`],
      [308, 'http://10.0.0.1/'],
      [301, 'http://169.254.169.254/latest/meta-data/'],
    ] as const) {
      handle = (_request, response) => response.writeHead(status, { location }).end('over there');
      const url = `http://127.0.0.1:${receiver.port}/`;
      expect(await clientOf().post(url, POST)).toEqual({ status, retryAfter: null, answer: 'over there' });
    }
    expect(second.heard.connections).toBe(0);
  });

  test('keeps connections, and no more than a bound of them', async () => {
    const client = clientOf();
    const before = receiver.heard.connections;
    for (let i = 0; i < 20; i++) await client.post(`http://127.0.0.1:${receiver.port}/`, POST);
    expect(receiver.heard.connections - before).toBe(1);
    const many = Array.from({ length: 400 }, () => client.post(`http://127.0.0.1:${receiver.port}/`, POST));
    for (const one of await Promise.all(many)) expect(one).toMatchObject({ status: 200 });
    expect(receiver.heard.connections - before).toBeLessThanOrEqual(128);
    expect(receiver.heard.connections - before).toBeGreaterThanOrEqual(32);
  });

  test('asks once for connections that begin in the same moment', async () => {
    dns.set('many.shop.com', { A: ['127.0.0.1'] });
    const [client, before] = [clientOf(), receiver.heard.connections];
    const many = Array.from({ length: 32 }, () => client.post(`http://many.shop.com:${receiver.port}/`, POST));
    for (const one of await Promise.all(many)) expect(one).toMatchObject({ status: 200 });
    expect(receiver.heard.connections - before).toBe(32);
    expect(dns.questions.filter(({ name, type }) => name === 'many.shop.com' && type === 'A')).toHaveLength(1);
  });

  test('asks for the name again after a thousand posts, so that it follows a receiver that moves', async () => {
    dns.set('moves.shop.com', { A: ['127.0.0.1'] });
    const client = clientOf();
    for (let i = 0; i <= 1_001; i++) await client.post(`http://moves.shop.com:${receiver.port}/`, POST);
    expect(dns.questions.filter(({ name, type }) => name === 'moves.shop.com' && type === 'A')).toHaveLength(2);
  });

  test('tries the next address when the first one takes no connection', async () => {
    dns.set('two.shop.com', { A: ['127.0.0.9', '127.0.0.1'] });
    expect(await clientOf().post(`http://two.shop.com:${receiver.port}/`, POST)).toMatchObject({ status: 200 });
  });

  test('knocks at few doors, however many addresses a name has', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `127.0.1.${index + 1}`);
    dns.set('many.shop.com', { A: many, AAAA: ['::1'] });
    let doors: LookupAddress[] = [];
    const open = ((options: TcpNetConnectOpts) => {
      options.lookup?.('', { all: true }, (_err, found) => {
        doors = found as LookupAddress[];
      });
      return connect(options);
    }) as typeof connect;
    const url = `http://many.shop.com:${receiver.port}/`;
    expect(await clientOf({}, { open }).post(url, POST)).toMatchObject({ failure: 'refused' });
    expect(doors.map(({ family }) => family)).toEqual([4, 4, 4, 4, 6]);
    // Those that are not knocked at are judged all the same.
    dns.set('many.shop.com', { A: [...many, '10.0.0.1'] });
    expect(await clientOf().post(url, POST)).toEqual({ failure: 'address_refused' });
  });

  test('after the client is closed comes to nothing', async () => {
    const client = clientOf();
    handle = () => void client.close();
    expect(await client.post(`http://127.0.0.1:${receiver.port}/`, POST)).toEqual({ failure: 'network' });
    expect(await client.post(`http://127.0.0.1:${receiver.port}/`, POST)).toEqual({ failure: 'network' });
  });
});

describe('a receiver that misbehaves', () => {
  const QUICK = { ...POST, timeoutMs: 250 };
  const posted = async (port: number, post: PostRequest = { ...POST, timeoutMs: 5_000 }, scheme = 'http') => {
    const started = performance.now();
    const result = await clientOf().post(`${scheme}://127.0.0.1:${port}/`, post);
    expect(performance.now() - started).toBeLessThan(post.timeoutMs + 2_000);
    return result;
  };
  const OK = 'HTTP/1.1 200 OK\r\n';

  test('that never answers has failed when the time is over, and its connection is cut', async () => {
    const silent = await listenRaw(() => {});
    expect(await posted(silent.port, QUICK)).toEqual({ failure: 'timeout' });
    await expect.poll(() => silent.sockets.size).toBe(0);
  });

  test('that sends its headers byte by byte', async () => {
    const slow = await listenRaw((socket) => {
      const timer = setInterval(() => socket.write('x'), 20);
      socket.write(`${OK}x-slow: `);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await posted(slow.port, QUICK)).toEqual({ failure: 'timeout' });
  });

  test('that says nothing in the TLS handshake', async () => {
    const silent = await listenRaw(() => {});
    expect(await posted(silent.port, QUICK, 'https')).toEqual({ failure: 'timeout' });
  });

  test('that goes on hinting and never answers', async () => {
    const hints = await listenRaw((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await posted(hints.port, QUICK)).toEqual({ failure: 'timeout' });
  });

  test('whose body has no end: the beginning is kept, the rest is cut off', async () => {
    let sent = 0;
    const endless = await listenRaw((socket) => {
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
      const timer = setInterval(() => {
        sent += 1_000;
        socket.write(`3e8\r\n${'y'.repeat(1_000)}\r\n`);
      }, 5);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await posted(endless.port)).toEqual({ status: 200, retryAfter: null, answer: 'y'.repeat(ANSWER_BYTES) });
    await expect.poll(() => endless.sockets.size).toBe(0);
    expect(sent).toBeLessThan(100_000);
  });

  test.each([
    ['hints', `HTTP/1.1 103 Early Hints\r\nlink: ${'x'.repeat(8_000)}\r\n\r\n`, '', { failure: 'network' }],
    ['words behind the status', 'z'.repeat(8_000), 'HTTP/1.1 200 ', { failure: 'network' }],
    [
      'extensions of a chunk',
      'z'.repeat(8_000),
      `${OK}transfer-encoding: chunked\r\n\r\n1;`,
      { status: 200, retryAfter: null, answer: '' },
    ],
  ])('whose %s have no end: it is cut off long before the time is over', async (_what, more, first, result) => {
    const endless = await listenRaw((socket) => {
      const pour = () => {
        while (!socket.destroyed && socket.write(more)) {}
      };
      socket.on('drain', pour);
      socket.once('data', () => {
        socket.write(first || more);
        pour();
      });
    });
    const began = performance.now();
    expect(await posted(endless.port, { ...POST, timeoutMs: 60_000 })).toEqual(result);
    expect(performance.now() - began).toBeLessThan(30_000);
    await expect.poll(() => endless.sockets.size).toBe(0);
  });

  test('whose body is cut within a sign', async () => {
    handle = (_request, response) => response.end(`x${'☕'.repeat(1_000)}`);
    const result = await posted(receiver.port);
    expect(result).toMatchObject({ answer: `x${'☕'.repeat(682)}` });
  });

  test('that says 200 and leaves the body open has taken it', async () => {
    const open = await listenRaw((socket) => socket.write(`${OK}content-length: 10\r\n\r\nhalf`));
    const post = { ...POST, timeoutMs: 1_500 };
    expect(await posted(open.port, post)).toEqual({ status: 200, retryAfter: null, answer: 'half' });
  });

  test('that says 200 and drops the connection in the body has taken it', async () => {
    const broken = await listenRaw((socket) => {
      socket.on('data', () => socket.end(`${OK}content-length: 10\r\n\r\nhalf`));
    });
    expect(await posted(broken.port)).toEqual({ status: 200, retryAfter: null, answer: 'half' });
  });

  test('whose headers are huge', async () => {
    const huge = await listenRaw((socket) =>
      socket.on('data', () => socket.write(`${OK}x: ${'z'.repeat(100_000)}\r\n\r\n`)),
    );
    expect(await posted(huge.port)).toEqual({ failure: 'network' });
  });

  test('that speaks no HTTP', async () => {
    const chat = await listenRaw((socket) => socket.write('220 mail.shop.com ESMTP\r\n'));
    expect(await posted(chat.port)).toEqual({ failure: 'network' });
  });

  test.each([
    ['by a reset', (socket: Socket) => socket.resetAndDestroy()],
    ['by an end', (socket: Socket) => socket.end()],
  ])('that drops the connection %s', async (_how, drop) => {
    const dropping = await listenRaw((socket) => socket.once('data', () => drop(socket)));
    expect(await posted(dropping.port)).toEqual({ failure: 'reset' });
  });

  test('that does not listen', async () => {
    const gone = await listenRaw(() => {});
    const { port } = gone;
    await closers.pop()?.();
    expect(await posted(port)).toEqual({ failure: 'refused' });
  });

  test('whose name server is silent', async () => {
    dns.set('mute.shop.com', 'silent');
    const started = performance.now();
    expect(await clientOf().post('https://mute.shop.com/', QUICK)).toEqual({ failure: 'timeout' });
    expect(performance.now() - started).toBeLessThan(2_500);
  });

  test('whose name server fails', async () => {
    dns.set('broken.shop.com', 'servfail');
    expect(await clientOf().post('https://broken.shop.com/', POST)).toEqual({ failure: 'network' });
  });

  test('gets nothing any more that waited for a connection until its time was over', async () => {
    const bodies: string[] = [];
    const waiting: ServerResponse[] = [];
    let isFull = true;
    const full = await listen(
      createHttpServer((request, response) => {
        request.setEncoding('utf8').on('data', (chunk: string) => bodies.push(chunk));
        request.on('end', () => (isFull ? waiting.push(response) : response.end()));
      }),
    );
    const client = clientOf();
    const post = (body: string, timeoutMs: number) =>
      client.post(`http://127.0.0.1:${full.port}/`, { ...POST, body, timeoutMs });
    const first = Array.from({ length: 128 }, () => post('first', 60_000));
    const late = post('late', 150);
    expect(await late).toEqual({ failure: 'timeout' });
    await expect.poll(() => waiting.length).toBe(128);
    isFull = false;
    for (const response of waiting) response.end();
    for (const one of await Promise.all(first)) expect(one).toMatchObject({ status: 200 });
    expect(await post('next', 60_000)).toMatchObject({ status: 200 });
    expect(bodies.filter((body) => body === 'first')).toHaveLength(128);
    expect(bodies.filter((body) => body !== 'first')).toEqual(['next']);
  });
});

describe('TLS', () => {
  const authority = createAuthority();
  let server: Awaited<ReturnType<typeof listen>>;
  let servernames: (string | false | null)[] = [];
  beforeAll(async () => {
    const tls = createHttpsServer(authority.issue(['secure.shop.com', '127.0.0.1']), (request, response) => {
      servernames.push((request.socket as TLSSocket).servername);
      request.resume().on('end', () => response.end('safe'));
    });
    server = await listen(tls);
    dns.set('secure.shop.com', { A: ['127.0.0.1'] });
    dns.set('other.shop.com', { A: ['127.0.0.1'] });
  });
  beforeEach(() => {
    servernames = [];
  });

  test('is with the name, which the certificate has to have', async () => {
    const client = clientOf({}, { ca: authority.ca });
    const live = { ...POST, livemode: true };
    expect(await client.post(`https://secure.shop.com:${server.port}/`, live)).toMatchObject({
      status: 200,
      answer: 'safe',
    });
    expect(await client.post(`https://SECURE.shop.com.:${server.port}/`, live)).toMatchObject({ status: 200 });
    expect(servernames).toEqual(['secure.shop.com', 'secure.shop.com']);
    expect(await client.post(`https://other.shop.com:${server.port}/`, live)).toEqual({ failure: 'tls' });
    expect(servernames).toHaveLength(2);
  });

  test('with an address is with a certificate that has the address', async () => {
    const client = clientOf({}, { ca: authority.ca });
    expect(await client.post(`https://127.0.0.1:${server.port}/`, POST)).toMatchObject({ status: 200 });
    expect(await client.post(`https://127.0.0.2:${server.port}/`, POST)).toEqual({
      failure: expect.stringMatching(/refused|tls/),
    });
  });

  test('takes no certificate of an authority that is not trusted', async () => {
    expect(await clientOf().post(`https://secure.shop.com:${server.port}/`, POST)).toEqual({ failure: 'tls' });
    expect(
      await clientOf({}, { ca: createAuthority().ca }).post(`https://secure.shop.com:${server.port}/`, POST),
    ).toEqual({ failure: 'tls' });
    expect(servernames).toEqual([]);
  });

  test('is not taken for plain HTTP, nor the other way round', async () => {
    expect(await clientOf().post(`https://127.0.0.1:${receiver.port}/`, POST)).toEqual({ failure: 'tls' });
    expect(await clientOf().post(`http://127.0.0.1:${server.port}/`, POST)).toEqual({
      failure: expect.stringMatching(/reset|network/),
    });
  });

  describe('through a proxy', () => {
    let proxy: ConnectProxy;
    beforeAll(async () => {
      proxy = await startConnectProxy(server.port);
      closers.push(() => proxy.close());
      dns.set('secure.shop.com', { A: [PUBLIC_V4, '1.1.1.1'], AAAA: [PUBLIC_V6] });
      dns.set('other.shop.com', { A: [PUBLIC_V4] });
      dns.set('sixth.shop.com', { AAAA: [PUBLIC_V6] });
      dns.set('inside.shop.com', { A: ['10.1.2.3'] });
    });
    beforeEach(() => {
      proxy.asked.length = 0;
    });
    const through = (over: Partial<Env> = {}) =>
      clientOf(
        { WEBHOOK_ALLOW_LOOPBACK: false, WEBHOOK_PROXY: `http://us:p%40ss@${proxy.host}`, ...over },
        { ca: authority.ca },
      );

    test('it is asked for the address that was judged and never for a name; TLS is with the name', async () => {
      const client = through();
      const live = { ...POST, livemode: true };
      expect(await client.post('https://secure.shop.com/hook', live)).toEqual({
        status: 200,
        retryAfter: null,
        answer: 'safe',
      });
      expect(servernames).toEqual(['secure.shop.com']);
      const authorization = `Basic ${Buffer.from('us:p@ss').toString('base64')}`;
      expect(proxy.asked).toEqual([{ target: `${PUBLIC_V4}:443`, authorization }]);
      expect(await client.post('https://other.shop.com/', live)).toEqual({ failure: 'tls' });
      expect(await client.post('https://sixth.shop.com:8443/', live)).toEqual({ failure: 'tls' });
      expect(await client.post('https://[2606:4700:4700::1111]/', live)).toEqual({ failure: 'tls' });
      expect(proxy.asked.slice(1).map(({ target }) => target)).toEqual([
        `${PUBLIC_V4}:443`,
        `[${PUBLIC_V6}]:8443`,
        '[2606:4700:4700::1111]:443',
      ]);
    });

    test('it is not asked for an address that is refused', async () => {
      for (const url of [
        'https://inside.shop.com/',
        'https://10.0.0.1/',
        `http://127.0.0.1:${receiver.port}/`,
        'https://[fd00:ec2::254]/',
      ])
        expect(await through().post(url, POST), url).toEqual({ failure: 'address_refused' });
      expect(proxy.asked).toEqual([]);
    });

    test('plain HTTP goes through it as well, in a tunnel', async () => {
      const plain = await startConnectProxy(receiver.port);
      closers.push(() => plain.close());
      const client = through({ WEBHOOK_PROXY: `http://${plain.host}` });
      expect(await client.post('http://other.shop.com/', POST)).toMatchObject({ status: 200, answer: 'thanks' });
      expect(plain.asked).toEqual([{ target: `${PUBLIC_V4}:80`, authorization: undefined }]);
    });

    test('one that refuses, one that speaks something else and one that is down are failures of the proxy', async () => {
      const refusing = await startConnectProxy(0);
      closers.push(() => refusing.close());
      const odd = await listenRaw((socket) => socket.once('data', () => socket.end('what?\r\n')));
      const hasty = await listenRaw((socket) =>
        socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n')),
      );
      const down = await listenRaw(() => {});
      await closers.pop()?.();
      for (const host of [refusing.host, ...[odd, hasty, down].map(({ port }) => `127.0.0.1:${port}`)]) {
        const client = through({ WEBHOOK_PROXY: `http://${host}` });
        expect(await client.post('https://secure.shop.com/', POST), host).toEqual({ failure: 'proxy' });
      }
    });

    test('one that is silent takes no longer than the call may', async () => {
      const silent = await listenRaw(() => {});
      const client = through({ WEBHOOK_PROXY: `http://127.0.0.1:${silent.port}` });
      expect(await client.post('https://secure.shop.com/', { ...POST, timeoutMs: 250 })).toEqual({
        failure: 'timeout',
      });
    });
  });
});

/** Calls again while a connection that has just been cut is still in use. */
async function settled<T extends object>(call: () => Promise<T>, failure: string): Promise<T> {
  let last = await call();
  for (let i = 0; i < 20 && !('failure' in last && last.failure === failure); i++) last = await call();
  return last;
}

// How a connection to a receiver comes about: the name is looked up and judged, the socket goes to what was judged (through a proxy where one is
// configured), and TLS is with the name.
import { request } from 'node:http';
import { connect as connectSocket, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { buildConnector } from 'undici';
import type { Ctx } from '../../../context.ts';
import { ATTEMPT_TIMEOUT_MS, type AttemptFailure } from '../../../domain/delivery.ts';
import { canonicalAddress } from './publicAddress.ts';
import { createAddressBook, type IpAddress } from './resolve.ts';

/** Why there is no connection. It says nothing more, because merchants read it. */
export class Unconnected extends Error {
  readonly failure: AttemptFailure;

  constructor(failure: AttemptFailure, cause?: unknown) {
    super(failure, { cause });
    this.name = 'Unconnected';
    this.failure = failure;
  }
}

export type SocketOptions = {
  /** Certificates that are trusted instead of the usual ones. */
  ca?: string;
  /** What opens sockets; node:net. */
  open?: typeof connectSocket;
};

/** With several addresses, the next one is tried after that long. */
const NEXT_ADDRESS_MS = 1_500;
/** An answer is 16 KB of headers and 2 KB of body. What a socket takes in at once comes on top, and what TLS and chunks put around. */
const ANSWER_READ_BYTES = 256 * 1_024;
/** A proxy says yes or no in a few lines. */
const PROXY_HEADER_BYTES = 8_192;

/** What undici calls for each new connection; it keeps to the address for as long as it lives. */
export function createConnector(
  ctx: { env: Pick<Ctx['env'], 'WEBHOOK_ALLOW_LOOPBACK' | 'WEBHOOK_DNS_SERVERS' | 'WEBHOOK_PROXY'> },
  { ca, open = connectSocket }: SocketOptions = {},
): buildConnector.connector {
  const book = createAddressBook(ctx);
  const proxy = ctx.env.WEBHOOK_PROXY ? new URL(ctx.env.WEBHOOK_PROXY) : null;

  async function connect({ hostname: bracketed, protocol, port: given }: buildConnector.Options): Promise<Socket> {
    const hostname = bracketed.replace(/^\[|\]$/g, '');
    const port = Number(given || (protocol === 'https:' ? 443 : 80));
    const addresses = await book.addressesOf(hostname);
    if ('failure' in addresses) throw new Unconnected(addresses.failure);
    const socket = proxy ? await tunnel(proxy, addresses, port) : await direct(open, hostname, addresses, port);
    socket.setNoDelay(true);
    if (protocol !== 'https:') return socket;
    const servername = isIP(hostname) === 0 ? hostname : '';
    const secured = connectTls({
      socket,
      host: hostname,
      servername,
      ALPNProtocols: ['http/1.1'],
      ...(ca ? { ca } : {}),
    });
    return ready(secured, 'secureConnect', () => 'tls');
  }

  return (options, callback) => {
    connect(options).then(
      (socket) => {
        callback(null, socket);
        // undici listens one turn later: the first listener would get data that arrives before.
        setImmediate(boundReading, socket);
      },
      (err) => callback(err instanceof Error ? err : new Unconnected('network', err), null),
    );
  };
}

/**
 * Cuts a connection whose response is unbounded in parts that undici does not count: informational responses, the status line, chunk extensions.
 * A new post begins a new response.
 */
function boundReading(socket: Socket): void {
  let [written, from] = [socket.bytesWritten, 0];
  socket.on('readable', () => {
    if (socket.bytesWritten !== written) [written, from] = [socket.bytesWritten, socket.bytesRead];
    if (socket.bytesRead - from > ANSWER_READ_BYTES) socket.destroy(new Unconnected('network'));
  });
}

/** The socket gets the checked addresses as the result of its own lookup; afterwards its remote address is compared with them. */
async function direct(open: typeof connectSocket, host: string, addresses: IpAddress[], port: number): Promise<Socket> {
  const socket = open({
    host,
    port,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    lookup: (_host, { all }, answer) => {
      const [first] = addresses as [IpAddress];
      if (all) answer(null, addresses);
      else answer(null, first.address, first.family);
    },
  });
  await ready(socket, 'connect', socketFailure);
  const arrived = socket.remoteAddress && canonicalAddress(socket.remoteAddress);
  if (addresses.some(({ address }) => canonicalAddress(address) === arrived)) return socket;
  socket.destroy();
  // Who is gone already is nowhere.
  throw new Unconnected(arrived ? 'address_refused' : 'reset');
}

/** The proxy is given an address and never a name, so it looks nothing up. */
function tunnel(proxy: URL, addresses: IpAddress[], port: number): Promise<Socket> {
  const [{ address, family }] = addresses as [IpAddress];
  const target = `${family === 6 ? `[${address}]` : address}:${port}`;
  const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const asking = request({
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || 80,
    method: 'CONNECT',
    path: target,
    agent: false,
    maxHeaderSize: PROXY_HEADER_BYTES,
    headers: {
      host: target,
      ...(login === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }),
    },
  });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => asking.destroy(new Error('the proxy is silent')), ATTEMPT_TIMEOUT_MS);
    asking.on('connect', (answer, socket, head) => {
      clearTimeout(timer);
      socket.on('error', () => {});
      if (answer.statusCode === 200 && head.length === 0) return resolve(socket);
      socket.destroy();
      reject(new Unconnected('proxy'));
    });
    asking.on('error', (cause) => {
      clearTimeout(timer);
      reject(new Unconnected('proxy', cause));
    });
    asking.end();
  });
}

/** Waits for the socket and takes it down when it does not come about. */
function ready<S extends Socket>(
  socket: S,
  event: string,
  failureOf: (err: NodeJS.ErrnoException) => AttemptFailure,
): Promise<S> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail('timeout'), ATTEMPT_TIMEOUT_MS);
    function fail(failure: AttemptFailure, cause?: unknown): void {
      clearTimeout(timer);
      socket.destroy();
      reject(new Unconnected(failure, cause));
    }
    // It goes on listening: an error before undici listens would end the process.
    socket.on('error', (err: NodeJS.ErrnoException) => fail(failureOf(err), err));
    socket.once(event, () => {
      clearTimeout(timer);
      resolve(socket);
    });
  });
}

/** What the system said of a connection. */
export function socketFailure(err: NodeJS.ErrnoException): AttemptFailure {
  if (err.code === 'ECONNREFUSED') return 'refused';
  if (err.code === 'ECONNRESET' || err.code === 'EPIPE' || err.code === 'UND_ERR_SOCKET') return 'reset';
  return err.code === 'ETIMEDOUT' ? 'timeout' : 'network';
}

// Where a name leads: asked once for each connection, and good only when every answer is an address that webhooks may go to.
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Ctx } from '../../../context.ts';
import type { AttemptFailure } from '../../../domain/delivery.ts';
import { isCallable } from './publicAddress.ts';

export type IpAddress = { address: string; family: 4 | 6 };
export type AddressBook = { addressesOf(hostname: string): Promise<IpAddress[] | { failure: AttemptFailure }> };

/** A question is sent twice, and after that long there is no answer. */
const RESEND_MS = 1_000;
const DNS_LIMIT_MS = 3_000;
/** Of each family: a name with hundreds of addresses would have us knock at hundreds of doors for one attempt. All of them are judged. */
const MOST_ADDRESSES = 4;

const LOOPBACK: IpAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * This process queries name servers itself, not through the system: its hosts file and its search list would lead into our network, and each of its
 * queries would hold one of a few threads for as long as a dead name server lets it.
 */
export function createAddressBook({ env }: { env: AddressEnv }): AddressBook {
  const resolver = new Resolver({ timeout: RESEND_MS, tries: 2 });
  if (env.WEBHOOK_DNS_SERVERS) resolver.setServers(env.WEBHOOK_DNS_SERVERS);
  const allowLoopback = env.WEBHOOK_ALLOW_LOOPBACK;
  /** Connections that are begun in the same moment share one answer; nothing is remembered beyond it. */
  const asked = new Map<string, Promise<IpAddress[] | { failure: AttemptFailure }>>();

  async function ask(hostname: string): Promise<IpAddress[] | { failure: AttemptFailure }> {
    const family = isIP(hostname);
    if (family !== 0) return judge([{ address: hostname, family: family as 4 | 6 }]);
    if (allowLoopback && hostname === 'localhost') return LOOPBACK;
    const [v4, v6] = await Promise.all([inTime(resolver.resolve4(hostname)), inTime(resolver.resolve6(hostname))]);
    const found: IpAddress[] = [
      ...v4.addresses.map((address) => ({ address, family: 4 }) as const),
      ...v6.addresses.map((address) => ({ address, family: 6 }) as const),
    ];
    if (found.length === 0) return { failure: failureOf([v4.code, v6.code]) };
    const judged = judge(found);
    return 'failure' in judged
      ? judged
      : [4, 6].flatMap((one) => judged.filter((at) => at.family === one).slice(0, MOST_ADDRESSES));
  }

  function judge(addresses: IpAddress[]): IpAddress[] | { failure: AttemptFailure } {
    return addresses.every(({ address }) => isCallable(address, { allowLoopback }))
      ? addresses
      : { failure: 'address_refused' };
  }

  return {
    addressesOf(hostname) {
      const before = asked.get(hostname);
      if (before) return before;
      const answer = ask(hostname).finally(() => asked.delete(hostname));
      asked.set(hostname, answer);
      return answer;
    },
  };
}

type AddressEnv = Pick<Ctx['env'], 'WEBHOOK_DNS_SERVERS' | 'WEBHOOK_ALLOW_LOOPBACK'>;
type Reply = { addresses: string[]; code: string | null };

/** A name server that is silent about one family does not hide the other. */
async function inTime(question: Promise<string[]>): Promise<Reply> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Reply>((resolve) => {
    timer = setTimeout(() => resolve({ addresses: [], code: 'ETIMEOUT' }), DNS_LIMIT_MS);
  });
  const reply = question.then(
    (addresses) => ({ addresses, code: null }),
    (err: NodeJS.ErrnoException) => ({ addresses: [], code: err.code ?? 'EUNKNOWN' }),
  );
  return Promise.race([reply, late]).finally(() => clearTimeout(timer));
}

/** That there is no such name is said by the name servers; anything else says nothing of the name. */
function failureOf(codes: (string | null)[]): AttemptFailure {
  if (codes.includes('ETIMEOUT')) return 'timeout';
  return codes.every((code) => code === 'ENOTFOUND' || code === 'ENODATA' || code === 'EBADNAME')
    ? 'not_found'
    : 'network';
}

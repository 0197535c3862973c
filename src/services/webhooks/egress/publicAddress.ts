// Which addresses webhooks may go to: unicast that is reachable all over the internet, and none of the ranges that are kept for something else.
import { BlockList, isIP } from 'node:net';

/** The IANA special-purpose registry for IPv4, whole, and multicast. Also what is routed there but never merchants’ (AS112, AMT, anycast of PCP). */
const REFUSED_V4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers (CGNAT); metadata of Alibaba
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, metadata of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments, metadata of Oracle
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
  '168.63.129.16/32', // looks public and is not: the host that Azure's machines are run by
];

/** Of IPv6 all but 2000::/3 is refused; these are the exceptions within it. */
const REFUSED_V6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, AMT, AS112, ORCHID, DRIP
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
];

const unicastV6 = listOf(['2000::/3'], 'ipv6');
const refusedV4 = listOf(REFUSED_V4, 'ipv4');
const refusedV6 = listOf(REFUSED_V6, 'ipv6');
const loopback = listOf(['127.0.0.0/8'], 'ipv4');

/**
 * Whether webhooks may go to this address, as sockets and name servers write it (no brackets). What has a zone, and what is no address at all, is refused.
 * IPv4 within IPv6 (mapped, compatible, NAT64, 6to4, Teredo) is refused whatever it stands for: no receiver is reachable by that alone, and who names one so
 * wants to get past a list.
 * @param allowLoopback lets 127.0.0.0/8 and ::1 through, and nothing else
 */
export function isCallable(address: string, { allowLoopback }: { allowLoopback: boolean }): boolean {
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 4) return (allowLoopback && loopback.check(address)) || !refusedV4.check(address);
  if (family !== 6) return false;
  if (allowLoopback && canonicalAddress(address) === '::1') return true;
  return unicastV6.check(address, 'ipv6') && !refusedV6.check(address, 'ipv6');
}

/** One spelling for each address, so that two can be compared. */
export function canonicalAddress(address: string): string {
  return isIP(address) === 6 && !address.includes('%') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

function listOf(ranges: string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = '', prefix] = range.split('/');
    list.addSubnet(net, Number(prefix), family);
  }
  return list;
}

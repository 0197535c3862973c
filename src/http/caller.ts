// From where a call comes, for limits by network address.
import type { Request } from 'express';

/** The IPv4 address, or the first 64 bits of an IPv6 address: one customer usually has the whole /64. */
export function callerOf(request: Request): string {
  const ip = request.ip ?? '';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1]) return mapped[1];
  return ip.includes(':') ? networkOf(ip) : ip;
}

function networkOf(ip: string): string {
  const [head = '', tail] = ip.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const rest = tail === undefined ? [] : tail.split(':').filter((group) => group !== '');
  const zeros = Math.max(0, 8 - groups.length - rest.length);
  const all = [...groups, ...Array<string>(tail === undefined ? 0 : zeros).fill('0'), ...rest];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

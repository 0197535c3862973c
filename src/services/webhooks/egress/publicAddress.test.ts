// Which addresses count as public: a table both ways, the edges of every range, and random addresses within them.
import { isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalAddress, isCallable } from './publicAddress.ts';

const isPublic = (address: string) => isCallable(address, { allowLoopback: false });

const PUBLIC = [
  ...[
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '93.184.215.14',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
  ],
  ...['128.0.0.0', '168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0'],
  ...['191.255.255.255', '192.0.1.0', '192.0.3.0', '192.31.195.255', '192.31.197.0', '192.52.192.255', '192.52.194.0'],
  ...[
    '192.88.98.255',
    '192.88.100.0',
    '192.167.255.255',
    '192.169.0.0',
    '192.175.47.255',
    '192.175.49.0',
    '198.17.255.255',
  ],
  ...['198.20.0.0', '198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0', '223.255.255.255', '1.0.0.0'],
  ...[
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
    '2a00:1450:4001:81b::200e',
    '2620:fe::fe',
    '2000::1',
    '2001:200::1',
  ],
  ...[
    '2001:db7:ffff::1',
    '2001:db9::1',
    '2003::1',
    '2620:4f:7fff::1',
    '2620:4f:8001::1',
    '3ffe:ffff::1',
    '3fff:1000::1',
    '2400:cb00::1',
  ],
];

const REFUSED = [
  ...[
    '0.0.0.0',
    '0.0.0.1',
    '0.255.255.255',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.0',
    '100.100.100.200',
    '100.127.255.255',
  ],
  ...['127.0.0.1', '127.0.0.53', '127.255.255.255', '168.63.129.16', '169.254.0.1', '169.254.169.254', '169.254.170.2'],
  ...[
    '172.16.0.1',
    '172.17.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.0.9',
    '192.0.0.170',
    '192.0.0.192',
    '192.0.2.1',
  ],
  ...['192.31.196.1', '192.52.193.1', '192.88.99.1', '192.168.0.1', '192.168.255.255', '192.175.48.1', '198.18.0.1'],
  ...[
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.254',
    '255.255.255.255',
  ],
  ...[
    '::',
    '::1',
    '::2',
    '::7f00:1',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
  ],
  ...[
    '::ffff:0:127.0.0.1',
    '::ffff:169.254.169.254',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    '64:ff9b::127.0.0.1',
    '64:ff9b::8.8.8.8',
  ],
  ...[
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
    '64:ff9b:1:ffff::1',
    '100::1',
    '100:0:0:1::1',
    '2001::1',
    '2001:0:4136:e378::1',
  ],
  ...[
    '2001:1::1',
    '2001:2::1',
    '2001:3::1',
    '2001:4:112::1',
    '2001:10::1',
    '2001:20::1',
    '2001:30::1',
    '2001:1ff:ffff::1',
  ],
  ...[
    '2001:db8::1',
    '2001:db8:ffff::1',
    '2002::1',
    '2002:7f00:1::1',
    '2002:a9fe:a9fe::1',
    '2620:4f:8000::1',
    '3fff::1',
    '3fff:fff::1',
  ],
  ...['4000::1', '5f00::1', '8000::1', 'e000::1', 'fc00::1', 'fd00:ec2::254', 'fd20:ce::254', 'fdff::1', 'fe80::1'],
  ...['fe80::a9fe:a9fe', 'febf::1', 'fec0::1', 'feff::1', 'ff00::1', 'ff02::1', 'ff0e::1', '1fff:ffff::1'],
  ...[
    'fe80::1%eth0',
    '2606:4700:4700::1111%1',
    '::1%lo',
    '127.0.0.1%lo',
    '',
    'localhost',
    '0x7f000001',
    '2130706433',
    '127.1',
  ],
  ...['8.8.8', '8.8.8.8.', ' 8.8.8.8', '08.8.8.8', '[2606:4700:4700::1111]', '8.8.8.8:80', 'shop.com', '256.1.1.1'],
];

describe('public addresses', () => {
  test.each(PUBLIC)('%s is one', (address) => expect(isPublic(address)).toBe(true));
  test.each(REFUSED)('“%s” is none', (address) => expect(isPublic(address)).toBe(false));
});

/** The registries once more, in numbers of our own, so that a slip in the list of the code shows. */
const RANGES = (
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 ' +
  '192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 ' +
  '::/128 ::1/128 ::/96 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/32 2001::/23 2001:2::/48 2001:10::/28 ' +
  '2001:20::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8 ::/3 4000::/2 8000::/1'
)
  .split(' ')
  .map((range): [net: string, prefix: number] => [range.split('/')[0] ?? '', Number(range.split('/')[1])]);

describe('random addresses', () => {
  test('in a range that is kept for something else are refused, however they are written', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...RANGES),
        fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }),
        ([net, prefix], noise) => {
          const bits = isIPv6(net) ? 128 : 32;
          const host = noise & ((1n << BigInt(bits - prefix)) - 1n);
          for (const spelling of spellings(numberOf(net) | host, bits))
            expect(isPublic(spelling), spelling).toBe(false);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  test('in no such range are public', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), (isV4, noise) => {
        const bits = isV4 ? 32 : 128;
        const value = isV4 ? noise & 0xffff_ffffn : (noise & ((1n << 125n) - 1n)) | (1n << 125n);
        const isKept = RANGES.some(
          ([net, prefix]) =>
            (isIPv6(net) ? 128 : 32) === bits &&
            value >> BigInt(bits - prefix) === numberOf(net) >> BigInt(bits - prefix),
        );
        fc.pre(!isKept);
        for (const spelling of spellings(value, bits)) expect(isPublic(spelling), spelling).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('the switch for a desk', () => {
  const LOOPBACK = ['127.0.0.1', '127.8.9.10', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1', '0000::0001'];
  test('lets loopback through', () => {
    for (const address of LOOPBACK) expect(isCallable(address, { allowLoopback: true }), address).toBe(true);
  });

  test('and nothing else', () => {
    for (const address of REFUSED.filter((one) => !one.startsWith('127.') && one !== '::1'))
      expect(isCallable(address, { allowLoopback: true }), address).toBe(false);
    for (const address of ['127.1', '127.0.0.1%lo', '::1%lo'])
      expect(isCallable(address, { allowLoopback: true })).toBe(false);
  });
});

test('two spellings of one address are one', () => {
  expect(canonicalAddress('2606:4700:4700:0:0:0:0:1111')).toBe(canonicalAddress('2606:4700:4700::1111'));
  expect(canonicalAddress('2606:4700:4700::1112')).not.toBe(canonicalAddress('2606:4700:4700::1111'));
  expect(canonicalAddress('8.8.8.8')).toBe('8.8.8.8');
});

function numberOf(address: string): bigint {
  if (!isIPv6(address)) return address.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
  const [head = [], tail = []] = address.split('::').map((side) => side.split(':').filter(Boolean));
  const groups = [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail];
  return groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}

/** In full, with leading zeros, in capitals and with the last two groups as IPv4; IPv4 has one spelling only. */
function spellings(value: bigint, bits: number): string[] {
  const octets = (four: bigint) => [24n, 16n, 8n, 0n].map((shift) => (four >> shift) & 0xffn).join('.');
  if (bits === 32) return [octets(value)];
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  return [
    groups.join(':'),
    groups.map((group) => group.padStart(4, '0').toUpperCase()).join(':'),
    `${groups.slice(0, 6).join(':')}:${octets(value & 0xffff_ffffn)}`,
  ];
}

// Certificates of a test's own: an authority, and servers that it vouches for by name or address. Written in DER here, so that no program is needed.
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

export type Certificate = { cert: string; key: string };
type Signer = { name: string; key: KeyObject };

/** An authority of its own, and what it signs. `ca` is what has to be trusted. */
export function createAuthority(name = 'A test authority') {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signer: Signer = { name, key: keys.privateKey };
  const isAuthority = extension('551d13', sequence(bool(true)));
  return {
    ca: certificate(signer, name, keys.publicKey, isAuthority),
    /** @param names that the server has: host names and IPv4 addresses */
    issue(names: string[]): Certificate {
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const alternatives = names.map((one) =>
        isIP(one) === 4 ? tagged(0x87, Buffer.from(one.split('.').map(Number))) : tagged(0x82, Buffer.from(one)),
      );
      const cert = certificate(signer, names[0] ?? '', own.publicKey, extension('551d11', sequence(...alternatives)));
      return { cert, key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
    },
  };
}

const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'));
const DAY_MS = 86_400_000;

function certificate(issuer: Signer, subject: string, publicKey: KeyObject, ...extensions: Buffer[]): string {
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_SHA256,
    commonName(issuer.name),
    sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  );
  const signature = tagged(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, issuer.key)]));
  const der = sequence(body, ECDSA_SHA256, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${der.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'));
}

function bool(value: boolean): Buffer {
  return tagged(0x01, Buffer.from([value ? 255 : 0]));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), tagged(0x04, value));
}

function commonName(name: string): Buffer {
  return sequence(tagged(0x31, sequence(oid('550403'), tagged(0x0c, Buffer.from(name)))));
}

function time(ms: number): Buffer {
  return tagged(0x18, Buffer.from(`${new Date(ms).toISOString().replace(/[-:T]|\.\d+Z$/g, '')}Z`));
}

// Signs with the passkey: what is signed is explained first, then one prompt gives the key, which signs all of it and is cleared. The key is in no state, no
// cache and no storage; it lives from the prompt's answer to the last signature.
import { hashMessage, hashTypedData, hexToBytes } from 'viem';
import type { TypedData } from '../../../../src/domain/typedData.ts';
import { isSameAddress } from '../../../../src/domain/walletFamily.ts';
import type { ConfigView } from '../../../../src/http/api/configAnswers.ts';
import { callApi } from '../../app/api.ts';
import { WalletError } from '../requests.ts';
import { type SignInStart, signInMessage } from '../signInMessage.ts';
import { type Answer, forgetPasskey, makePasskey, readSecret } from './authenticator.ts';
import { addressOf, evmKeyOf, signHash } from './derive.ts';
import type { Explained } from './explain/reading.ts';
import { explain } from './explain.ts';
import { begunPasskey, keepBegun, type Remembered, rememberedPasskey, rememberPasskey } from './remembered.ts';
import { inSheet } from './sheet.tsx';
import { explainSignIn, type Site } from './signInText.ts';
import type { WhichPasskey } from './window/protocol.ts';

type Hex = `0x${string}`;
type ToSign = { explained: Explained; hash: Uint8Array };

/** The contracts of the deployment do not change while a page is open. */
let contracts: Promise<ConfigView> | undefined;

function readContracts(): Promise<ConfigView> {
  contracts ??= callApi<ConfigView>('GET', '/config').catch((error: unknown) => {
    contracts = undefined;
    throw error;
  });
  return contracts;
}

/** One prompt for all of them. @throws WalletError for what cannot be explained, before any prompt */
export async function signAllTypedData(address: string, all: readonly TypedData[]): Promise<Hex[]> {
  const { chains } = await readContracts();
  const requests = all.map((data) => ({
    explained: explain(data, address, chains),
    hash: hexToBytes(hashTypedData(data as Parameters<typeof hashTypedData>[0])),
  }));
  return sign(address, requests, all.length > 1 ? 'Sign all of this?' : 'Sign this?');
}

/** @param site where the person signs in; this page's own, unless the wallet's window signs for other pages */
export async function signSignIn(address: string, text: string, site?: Site): Promise<Hex> {
  const request = { explained: explainSignIn(text, address, site), hash: hexToBytes(hashMessage(text)) };
  const [signature] = await sign(address, [request], 'Sign in?');
  return signature as Hex;
}

async function sign(address: string, requests: readonly ToSign[], title: string): Promise<Hex[]> {
  const id = idFor(address);
  return inSheet(
    {
      title,
      items: requests.map(({ explained }) => explained),
      button: requests.length > 1 ? `Sign all ${requests.length} with your fingerprint` : 'Sign with your fingerprint',
    },
    async () => {
      const answer = await readSecret(id);
      return withKey(answer.secret, (key) => {
        if (!isSameAddress(addressOf(key), address)) throw new WalletError('wrong_account', OTHER_PASSKEY);
        return requests.map(({ hash }) => signHash(key, hash));
      });
    },
  );
}

const OTHER_PASSKEY = 'That passkey belongs to another wallet. Choose the one that you signed in with.';

/** Null where this browser remembers no passkey of the address, or another one: the person chooses, and the key says whether it is the right one. */
function idFor(address: string): string | null {
  const passkey = rememberedPasskey();
  return passkey && isSameAddress(passkey.address, address) ? passkey.id : null;
}

function requirePasskey(): Remembered {
  const passkey = rememberedPasskey();
  if (!passkey) throw new WalletError('failed', 'Sign in with your passkey first.');
  return passkey;
}

/** Both are cleared, whatever happens. */
function withKey<T>(secret: Uint8Array, use: (key: Uint8Array) => T): T {
  let key: Uint8Array | undefined;
  try {
    key = evmKeyOf(secret);
    return use(key);
  } finally {
    secret.fill(0);
    key?.fill(0);
  }
}

/**
 * From the press to the signature of a sign-in: a new passkey, or one that the person has. The page says before the press what is signed.
 * @param how `usual` is the passkey that this browser remembers
 * @param start what the text is made of, for the address that the passkey has; on its way while the person looks at the prompt
 */
export async function openPasskey(
  how: WhichPasskey,
  start: Promise<SignInStart>,
  site?: Site,
): Promise<{ message: string; signature: Hex }> {
  // Where it fails, that is said after the prompt.
  start.catch(() => undefined);
  const { answer, address: expected } = await provenAnswer(how);
  const { id, isSynced, secret } = answer;
  const fields = await start.catch((error: unknown) => {
    secret.fill(0);
    throw error;
  });
  return withKey(secret, (key) => {
    const address = addressOf(key);
    if (address !== expected) throw unsteady(id);
    const message = signInMessage(fields, address, fields.chains[0]?.chain_id ?? 1);
    explainSignIn(message, address, site);
    const signature = signHash(key, hexToBytes(hashMessage(message)));
    rememberPasskey({ id, address, isSynced });
    keepBegun(null);
    return { message, signature };
  });
}

/**
 * The secret of a passkey, with the address that it gave before. One that this browser does not know answers twice before anything is done with it:
 * money at an address that it gives once would be lost. A prompt that is closed, or that the browser shows only after a press, goes on at the next press.
 */
async function provenAnswer(how: WhichPasskey): Promise<{ answer: Answer; address: string }> {
  if (how === 'usual') {
    const { id, address } = requirePasskey();
    return { answer: await readSecret(id), address };
  }
  const answer = await readSecret(how === 'new' ? await newPasskey() : null);
  const { id } = answer;
  const known = [rememberedPasskey(), begunPasskey()].find((one) => one?.id === id)?.address;
  if (known) return { answer, address: known };
  const address = withKey(answer.secret, addressOf);
  keepBegun({ id, isMade: how === 'new', address });
  return { answer: await readSecret(id), address };
}

/** Made is made: if it is not answered now, the next press goes on with it instead of making another. */
async function newPasskey(): Promise<string> {
  const begun = begunPasskey();
  if (begun?.isMade) return begun.id;
  const { id } = await makePasskey('Ampersat');
  keepBegun({ id, isMade: true, address: null });
  return id;
}

function unsteady(id: string): WalletError {
  const begun = begunPasskey();
  if (begun?.id === id) {
    keepBegun(null);
    if (begun.isMade) void forgetPasskey(id);
  }
  return new WalletError('failed', UNSTEADY, { reason: UNSTEADY });
}

const UNSTEADY =
  'This passkey can’t hold a wallet: the device or browser gave two different secrets for it, so money in the wallet could be lost. Nothing was signed. Use another browser or device, or a wallet app.';

/**
 * Writes the private key into a node of the page, and nowhere else.
 * @throws WalletError
 */
export async function showKey(address: string, node: HTMLElement): Promise<void> {
  const answer = await readSecret(idFor(address));
  withKey(answer.secret, (key) => {
    if (!isSameAddress(addressOf(key), address)) throw new WalletError('wrong_account', OTHER_PASSKEY);
    const digits = Array.from(key, (byte) => byte.toString(16).padStart(2, '0'));
    node.textContent = `0x${digits.join('')}`;
    digits.fill('');
  });
}

// What the pages ask of an authenticator (WebAuthn): to make a passkey, and for the secret of one (the PRF extension). The secret is the caller's to clear.
import { WalletError } from '../requests.ts';
import { PRF_INPUT } from './derive.ts';

export type Answer = { id: string; secret: Uint8Array; isSynced: boolean };
export type Made = Omit<Answer, 'secret'>;

const PATIENCE_MS = 2 * 60_000;
const ES256 = -7;
const RS256 = -257;
/** Of the authenticator's data: the passkey may be copied to other devices. */
const BACKUP_ELIGIBLE = 0x08;
const FLAGS_AT = 32;

/**
 * A new passkey for this site, which the authenticator lists by itself. Its id is random: a second one never takes the place of a first.
 * @throws WalletError `refused`, or `failed` when it cannot be a wallet
 */
export async function makePasskey(name: string): Promise<Made> {
  const credential = await ask(() =>
    navigator.credentials.create({
      publicKey: {
        rp: { id: location.hostname, name: 'Ampersat' },
        user: { id: crypto.getRandomValues(new Uint8Array(32)), name, displayName: name },
        // The service receives none of it, so no one else checks this.
        challenge: crypto.getRandomValues(new Uint8Array(32)),
        pubKeyCredParams: [ES256, RS256].map((alg) => ({ type: 'public-key', alg })),
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        // This requests no secret: some browsers give another one, or none, than they give ever after.
        extensions: { prf: {} } as AuthenticationExtensionsClientInputs,
        timeout: PATIENCE_MS,
      },
    }),
  );
  if (!prfOf(credential)?.enabled) {
    await forgetPasskey(credential.id);
    throw new WalletError('failed', NO_PRF, { reason: NO_PRF });
  }
  const response = credential.response as AuthenticatorAttestationResponse;
  return { id: credential.id, isSynced: isBackedUp(response.getAuthenticatorData()) };
}

/**
 * @param id null for any passkey of this site, which the person chooses
 * @throws WalletError `refused`, or `failed` when it gives no secret
 */
export async function readSecret(id: string | null): Promise<Answer> {
  const credential = await ask(() =>
    navigator.credentials.get({
      publicKey: {
        rpId: location.hostname,
        challenge: crypto.getRandomValues(new Uint8Array(32)),
        allowCredentials: id === null ? [] : [{ type: 'public-key', id: fromBase64Url(id) }],
        userVerification: 'required',
        extensions: { prf: { eval: { first: PRF_INPUT } } } as AuthenticationExtensionsClientInputs,
        timeout: PATIENCE_MS,
      },
    }),
  );
  const secret = prfOf(credential)?.results?.first;
  if (!secret) throw new WalletError('failed', NO_PRF, { reason: NO_PRF });
  const { authenticatorData } = credential.response as AuthenticatorAssertionResponse;
  return { id: credential.id, secret: bytesOf(secret), isSynced: isBackedUp(authenticatorData) };
}

const NO_PRF =
  'This passkey can’t hold a wallet: the device or browser has no PRF extension. Nothing was registered with Ampersat. Use another device, a current browser, or a wallet app.';

const REFUSED = 'You cancelled, or this device has no passkey for this site. Nothing was signed.';

async function ask(request: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  let credential: Credential | null;
  try {
    credential = await request();
  } catch (cause) {
    const { name, message } = cause as Error;
    if (name === 'NotAllowedError' || name === 'AbortError') throw new WalletError('refused', REFUSED, { cause });
    throw new WalletError('failed', `Your passkey couldn’t do this: ${message.slice(0, 160)}`, { cause });
  }
  if (!credential) throw new WalletError('refused', REFUSED);
  return credential as PublicKeyCredential;
}

type Prf = { enabled?: boolean; results?: { first?: ArrayBuffer | Uint8Array } };

function prfOf(credential: PublicKeyCredential): Prf | undefined {
  return (credential.getClientExtensionResults() as { prf?: Prf }).prf;
}

/** The very bytes that the browser gave, not a copy: clearing these clears all. */
function bytesOf(buffer: ArrayBuffer | Uint8Array): Uint8Array {
  return buffer instanceof Uint8Array ? buffer : new Uint8Array(buffer);
}

function isBackedUp(authenticatorData: ArrayBuffer): boolean {
  return ((new Uint8Array(authenticatorData)[FLAGS_AT] ?? 0) & BACKUP_ELIGIBLE) !== 0;
}

/** Where the browser can, a passkey that is no use is taken out of its list again. */
export async function forgetPasskey(credentialId: string): Promise<void> {
  const { signalUnknownCredential } = PublicKeyCredential as typeof PublicKeyCredential & {
    signalUnknownCredential?: (of: { rpId: string; credentialId: string }) => Promise<void>;
  };
  await signalUnknownCredential
    ?.call(PublicKeyCredential, { rpId: location.hostname, credentialId })
    .catch(() => undefined);
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

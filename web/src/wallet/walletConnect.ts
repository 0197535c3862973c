// A wallet on another device, through WalletConnect's relay: a session for one network, spoken to as if it were a wallet of this browser. This
// file and the library come in a chunk of their own, loaded on demand.
import { SignClient } from '@walletconnect/sign-client';
import { SESSION_METHODS, sessionProvider } from './sessionProvider.ts';
import type { Wallet } from './wallets.ts';

const RELAY_MS = 20_000;
const EVENTS = ['accountsChanged', 'chainChanged'];

type Client = Awaited<ReturnType<typeof SignClient.init>>;
/** What of a session is used here. */
type Session = { topic: string; namespaces: Record<string, { accounts: string[] }> };

let starting: Promise<Client> | undefined;

/** One client a page: a second one would take the messages of the first. */
function start(projectId: string): Promise<Client> {
  starting ??= SignClient.init({
    projectId,
    telemetryEnabled: false,
    logger: 'silent',
    metadata: {
      name: 'Ampersat',
      description: 'Pay any @handle in stablecoins.',
      url: location.origin,
      icons: [],
    },
  }).catch((error: unknown) => {
    starting = undefined;
    throw error;
  });
  return starting;
}

/** `uri` is what the wallet has to scan or open; null where a session stands already. `wallet` comes once it agreed. */
export type Pairing = { uri: string | null; wallet: Promise<Wallet> };

/** @param chainId the only network that the session is for */
export async function pair(projectId: string, chainId: number): Promise<Pairing> {
  const client = await inTime(start(projectId));
  const standing = client.session.getAll().find((session) => accountOf(session, chainId) !== null);
  if (standing) return { uri: null, wallet: Promise.resolve(walletOf(client, standing, chainId)) };
  const { uri, approval } = await inTime(
    client.connect({
      optionalNamespaces: { eip155: { chains: [`eip155:${chainId}`], methods: SESSION_METHODS, events: EVENTS } },
    }),
  );
  return { uri: uri ?? null, wallet: approval().then((session) => walletOf(client, session, chainId)) };
}

/** The relay answers within moments, or it is away; the library would try for ever. */
function inTime<T>(answer: Promise<T>): Promise<T> {
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('WalletConnect isn’t responding.')), RELAY_MS);
  });
  return Promise.race([answer, late]);
}

function walletOf(
  client: Client,
  session: Session & { peer: { metadata: { name: string } } },
  chainId: number,
): Wallet {
  const name = session.peer.metadata.name.slice(0, 40) || 'your other wallet';
  const account = accountOf(session, chainId);
  if (!account) throw new Error('That wallet has no account on this network. Choose another, or send to the address.');
  return { id: 'walletconnect', name, icon: null, provider: sessionProvider(client, session.topic, chainId, account) };
}

function accountOf({ namespaces }: Session, chainId: number): string | null {
  const own = namespaces['eip155']?.accounts.find((account) => account.startsWith(`eip155:${chainId}:`));
  return own?.split(':')[2] ?? null;
}

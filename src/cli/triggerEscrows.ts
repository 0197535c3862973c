// What causes the events of a tab: the account opens one from its wallet, its recipient claims it, or its sender takes it back.
import { StartError } from '../domain/errors.ts';
import { approveCall, handleKeyOf, onChainIdOf, openCall } from '../domain/escrowCalls.ts';
import type { EscrowEvent } from '../domain/events.ts';
import type { Bytes } from '../domain/typedData.ts';
import { type LocalPerson, localPersonOf } from './localPeople.ts';
import { type LocalWalletCall, sendAs } from './playWallet.ts';
import { notYet, type Trigger, type TriggerContext, waitFor } from './scene.ts';

type Escrow = {
  id: string;
  status: string;
  amount: string;
  currency: string;
  recipient_label: string;
  handleSlug: string | null;
  revocable: boolean;
  claim: { status: string; failure: string | null; held_until: string | null } | null;
};
type Staged = {
  escrow: Escrow;
  onChainArgs: {
    router: string;
    stable: string;
    handleSlug: string;
    amount: string;
    deadline: number;
    senderNonce: string;
    revocable: boolean;
    chainId: number;
  };
};

/** Only a tab for a username can be refunded before its deadline, and no account has this one. */
const UNUSED_NAME = 'telegram:nobody_in_particular';

export const ESCROW_CAUSES: Record<EscrowEvent, Trigger> = {
  'escrow.created': {
    about: 'Opens a tab',
    run: async (scene) => (await open(scene)).id,
  },
  'escrow.claimed': {
    about: 'Opens a tab and claims it as its recipient',
    async run(scene) {
      const escrow = await open(scene);
      await claim(scene, escrow);
      return escrow.id;
    },
  },
  'escrow.refunded': {
    about: 'Opens a tab for a username and gets it back before it is claimed',
    async run(scene) {
      const escrow = await open(scene, { handleSlug: UNUSED_NAME });
      await takeBack(scene, escrow);
      return escrow.id;
    },
  },
};

async function open(scene: TriggerContext, more: object = {}): Promise<Escrow> {
  const { account, other, fields, tell } = scene;
  const wish = { handleSlug: other.handle, amount: '5.00', chain: 'base', ...more, ...fields };
  const { escrow, onChainArgs: args } = await account.call<Staged>('POST', '/api/escrow', wish);
  const { chainId, router } = args;
  const terms = {
    sender: account.address as Bytes,
    token: args.stable as Bytes,
    handleKey: handleKeyOf(args.handleSlug),
    amount: BigInt(args.amount),
    deadline: BigInt(args.deadline),
    senderNonce: BigInt(args.senderNonce),
    revocable: args.revocable,
  };
  await sendAs(scene, account, { to: args.stable, data: approveCall(router, terms.amount), value: '0', chainId });
  const txHash = await sendAs(scene, account, { to: router, data: openCall(terms), value: '0', chainId });
  tell(
    `${account.name}’s wallet opened a tab of ${escrow.amount} ${escrow.currency} for ${escrow.recipient_label}: ${txHash}`,
  );
  const onChainId = onChainIdOf({ chainId, router }, terms);
  const opened = await waitFor(scene, 'The proof of the opening', async () => {
    const asked = account.call<{ escrow: Escrow }>('POST', at(escrow), { action: 'confirm_create', txHash, onChainId });
    const answer = await asked.catch(notYet);
    return answer && answer.escrow.status !== 'pending_create' ? answer.escrow : null;
  });
  tell(`tab opened: ${opened.id}`);
  return opened;
}

async function claim(scene: TriggerContext, escrow: Escrow): Promise<void> {
  const { tell } = scene;
  // A name may change hands, so who claims by one has to hold it for a day.
  if (escrow.revocable)
    throw new StartError(
      'A tab for a username can be claimed only after 24 hours. Set handleSlug to a handle, such as bob.',
    );
  const person = claimerOf(scene, escrow);
  await person.call('POST', at(escrow), { action: 'claim' });
  tell(`${person.name} claimed it`);
  await waitFor(scene, 'The claim', async () => {
    const { escrow: now } = await person.call<{ escrow: Escrow }>('GET', at(escrow));
    if (now.claim?.failure) throw new StartError(`The claim failed: ${now.claim.failure}.`);
    return now.status === 'claimed' ? true : null;
  });
  tell(`${person.name} received it`);
}

function claimerOf({ people }: TriggerContext, { handleSlug, recipient_label: label }: Escrow): LocalPerson {
  const [name] =
    Object.entries(people.accounts).find(([, { handle }]) => handle !== null && handle === handleSlug) ?? [];
  if (name !== undefined) return localPersonOf(people, name);
  throw new StartError(`The tab is open, but no account of the local stack is ${label}, so it can’t be claimed.`);
}

async function takeBack(scene: TriggerContext, escrow: Escrow): Promise<void> {
  const { account, tell } = scene;
  const { transaction } = await account.call<{ transaction: LocalWalletCall }>('GET', `${at(escrow)}/refund_data`);
  const txHash = await sendAs(scene, account, transaction);
  tell(`${account.name}’s wallet refunded it: ${txHash}`);
  await waitFor(scene, 'The proof of the refund', async () => {
    const asked = account.call<{ escrow: Escrow }>('POST', at(escrow), { action: 'refund', txHash });
    const answer = await asked.catch(notYet);
    return answer?.escrow.status === 'refunded' ? true : null;
  });
}

const at = ({ id }: Escrow) => `/api/escrow/${id}`;

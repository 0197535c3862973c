// The table of what wallets sign for our contracts: for each message how it comes about, the call that carries it, and what the
// contracts answer to a wrong one and to a second one. A new type of message is one entry.
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { localKey } from '../../local/stack/people.ts';
import { ROLES } from '../../local/stack/roles.ts';
import { encodePauseSender } from '../../src/chain/routers/bot.ts';
import {
  type EscrowPaymentMethod,
  encodeClaim,
  encodeEscrowRefundBySig,
  encodeOpen,
  escrowHash,
  escrowOnChainId,
  handleKey,
} from '../../src/chain/routers/escrow.ts';
import {
  encodePayment,
  encodeRefundBySig,
  type OrderMeans,
  orderHash,
  orderIdHash,
  orderKey,
  refundNonce,
} from '../../src/chain/routers/payment.ts';
import {
  encodeCancelBySig,
  encodeCreatePlan,
  encodeSetPlanBySig,
  encodeSubscribe,
  planIdHash,
  planKeyOf,
  subscriptionNonce,
} from '../../src/chain/routers/subscription.ts';
import type { Address, EvmChain, Hex } from '../../src/chain/rpc/client.ts';
import { permitOf } from '../../src/chain/signing/authorizations.ts';
import { encodeSetLimits, encodeUnpause, permitNonce, routerNonce } from '../../src/chain/signing/permits.ts';
import { claimData, type EscrowTerms, escrowRefundData, escrowStruct } from '../../src/domain/typedData/escrow.ts';
import {
  type OrderRouter,
  orderData,
  orderStruct,
  type RouterOrderTerms,
  refundToData,
} from '../../src/domain/typedData/orders.ts';
import { cancelData, setPlanData, subscribeData } from '../../src/domain/typedData/subscriptions.ts';
import { authorizationData, permit2AllowanceData, permit2WitnessData } from '../../src/domain/typedData/tokens.ts';
import { permitData, type Struct, setLimitsData, type TypedData, unpauseData } from '../../src/domain/typedData.ts';
import type { ChainCall, LocalChainWorld } from '../setup/localChain.ts';

/** One set of routers on one chain. */
export type Place = { local: LocalChainWorld; chain: EvmChain };

type Message = {
  data: TypedData;
  signer: PrivateKeyAccount;
  /** The call that carries the signature; null for bytes that cannot stand in it. */
  call(signature: Hex): ChainCall | null;
};

export type MessageCase = {
  name: string;
  type: string;
  prepare(place: Place): Promise<unknown>;
  message(place: Place): Promise<Message>;
  /** Names of the reverts that a wrong signature may meet. */
  refused: string[];
  /** The name of the revert that the same call meets when it is sent again. */
  replayed: string;
  /** Permit2 takes each form of a key's signature (both values of s, EIP-2098): its nonces alone stop replays. */
  twin?: true;
};

const account = (name: string) => privateKeyToAccount(localKey(name).key);
export const PEOPLE = { alice: account('alice'), bob: account('bob'), stranger: account('stranger') };
const { alice, bob } = PEOPLE;
const AUTHORITY = privateKeyToAccount(ROLES.authority.key);
const EXECUTOR = ROLES.executors[0]?.address as Address;
/** Anybody: whoever submits a signature has no say. */
const RELAYER = localKey('relayer').address;

const NOW = BigInt(Math.floor(Date.now() / 1_000));
const deadline = NOW + 30n * 86_400n;
const amount = 1_000_000n;

const PERMIT2_REFUSES = ['InvalidSigner', 'InvalidSignature', 'InvalidSignatureLength'];

/** USDC and Permit2 keep one set of numbers for all routers, so the same payer pays another order at each. */
const instanceOf = ({ local, chain }: Place) => (chain.routers === local.chain.routers ? 1n : 2n);

const verifier = ({ chain }: Place, router: keyof EvmChain['routers']) => ({
  chainId: chain.facts.chainId,
  contract: chain.routers[router],
});
const token = ({ chain }: Place) => ({ chainId: chain.facts.chainId, contract: chain.usdc });
const permit2 = ({ chain }: Place) => ({ chainId: chain.facts.chainId, contract: chain.permit2 });

function orderOf(place: Place, router: OrderRouter): RouterOrderTerms {
  const { chain } = place;
  const fee = router === 'business' ? 10_000n : 7_000n;
  return {
    orderId: orderIdHash(`order ${instanceOf(place)}`),
    payee: bob.address,
    token: chain.usdc,
    amount,
    fee,
    deadline,
  };
}

function escrowTerms(place: Place): EscrowTerms {
  const { chain } = place;
  return {
    sender: alice.address,
    token: chain.usdc,
    handleKey: handleKey('telegram:id:123'),
    amount,
    deadline,
    senderNonce: instanceOf(place),
    revocable: true,
  };
}

const PLAN = { planIdHash: planIdHash('plan 1'), amount, period: 3_600 };
const planOf = ({ chain }: Place) => ({ creator: bob.address, token: chain.usdc, ...PLAN });
const keyOfPlan = (place: Place) => planKeyOf(place.chain, planOf(place));

const approve = ({ local, chain }: Place, owner: PrivateKeyAccount, spender: keyof EvmChain['routers'] | 'permit2') =>
  local.approve(owner, spender === 'permit2' ? chain.permit2 : chain.routers[spender], 2n ** 200n);

async function openEscrow(place: Place) {
  await approve(place, alice, 'escrow');
  const to = place.chain.routers.escrow;
  await place.local.must({ from: alice.address, to, data: encodeOpen(escrowTerms(place), { way: 'direct' }) });
}

async function createPlan(place: Place) {
  await approve(place, alice, 'subscription');
  const to = place.chain.routers.subscription;
  await place.local.must({ from: bob.address, to, data: encodeCreatePlan(planOf(place)) });
}

const subscription = (place: Place) => ({
  planKey: keyOfPlan(place),
  subscriber: alice.address,
  amount: PLAN.amount,
  period: PLAN.period,
});

async function subscribe(place: Place) {
  await createPlan(place);
  const data = encodeSubscribe(subscription(place), { way: 'direct' });
  await place.local.must({ from: alice.address, to: place.chain.routers.subscription, data });
}

/** EIP-2612: three numbers, so other lengths cannot even be sent. */
async function permitMessage(
  place: Place,
  router: keyof EvmChain['routers'],
  data: (permit: ReturnType<typeof permitOf>) => Hex,
): Promise<Message> {
  const { chain } = place;
  const nonce = await permitNonce(chain, alice.address);
  const terms = { value: amount, deadline };
  const typed = permitData({
    ...terms,
    chainId: chain.facts.chainId,
    token: chain.usdc,
    tokenDomain: chain.facts.usdcDomain ?? { name: '', version: '' },
    owner: alice.address,
    spender: chain.routers[router],
    nonce,
    deadline: Number(deadline),
  });
  const call = (signature: Hex) => {
    if (signature.length !== 132 || signature.endsWith('00')) return null;
    return { from: alice.address, to: chain.routers[router], data: data(permitOf(terms, signature)) };
  };
  return { data: typed, signer: alice, call };
}

function authorizationMessage(
  place: Place,
  router: keyof EvmChain['routers'],
  nonce: Hex,
  data: (means: Extract<OrderMeans & EscrowPaymentMethod, { way: 'eip3009' }>) => Hex,
): Message {
  const { chain } = place;
  const window = { validAfter: 0n, validBefore: deadline };
  const terms = { ...window, from: alice.address, to: chain.routers[router], value: amount, nonce };
  return {
    data: authorizationData(token(place), chain.facts.usdcDomain ?? { name: '', version: '' }, terms),
    signer: alice,
    call: (signature) => ({
      from: RELAYER,
      to: chain.routers[router],
      data: data({ way: 'eip3009', authorization: { ...window, signature } }),
    }),
  };
}

function witnessMessage(
  place: Place,
  router: keyof EvmChain['routers'],
  witness: Struct,
  data: (means: Extract<OrderMeans & EscrowPaymentMethod, { way: 'permit2' }>) => Hex,
): Message {
  const { chain } = place;
  const use = { nonce: instanceOf(place), deadline };
  const terms = { ...use, token: chain.usdc, amount, spender: chain.routers[router] };
  return {
    data: permit2WitnessData(permit2(place), terms, witness),
    signer: alice,
    call: (signature) => ({
      from: RELAYER,
      to: chain.routers[router],
      data: data({ way: 'permit2', permit: { ...use, signature } }),
    }),
  };
}

const botMessages: MessageCase[] = [
  {
    name: 'SetLimits',
    type: 'SetLimits',
    prepare: async () => {},
    async message(place) {
      const { chain } = place;
      const terms = {
        chainId: chain.facts.chainId,
        router: chain.routers.bot,
        sender: alice.address,
        token: chain.usdc,
        perTip: 5n,
        perDay: 6n,
        maxFee: 1n,
        nonce: await routerNonce(chain, alice.address),
        deadline: Number(deadline),
      };
      const call = (signature: Hex) => ({
        from: RELAYER,
        to: chain.routers.bot,
        data: encodeSetLimits(terms, signature),
      });
      return { data: setLimitsData(terms), signer: alice, call };
    },
    refused: ['InvalidSignature'],
    replayed: 'InvalidNonce',
  },
  {
    name: 'UnpauseSender',
    type: 'UnpauseSender',
    prepare: ({ local, chain }) =>
      local.must({ from: EXECUTOR, to: chain.routers.bot, data: encodePauseSender(alice.address) }),
    async message({ chain }) {
      const terms = {
        chainId: chain.facts.chainId,
        router: chain.routers.bot,
        sender: alice.address,
        nonce: await routerNonce(chain, alice.address),
        deadline: Number(deadline),
      };
      const call = (signature: Hex) => ({
        from: RELAYER,
        to: chain.routers.bot,
        data: encodeUnpause(terms, signature),
      });
      return { data: unpauseData(terms), signer: alice, call };
    },
    refused: ['InvalidSignature'],
    replayed: 'InvalidNonce',
  },
];

const orderMessages = (router: OrderRouter): MessageCase[] => [
  {
    name: `Order at the ${router} router`,
    type: 'Order',
    prepare: (place) => approve(place, alice, router),
    async message(place) {
      const terms = orderOf(place, router);
      return {
        data: orderData(router, verifier(place, router), terms, alice.address),
        signer: alice,
        call: (orderSignature) => ({
          from: RELAYER,
          to: place.chain.routers[router],
          data: encodePayment(terms, alice.address, { way: 'allowance', orderSignature }),
        }),
      };
    },
    refused: ['InvalidSignature'],
    replayed: 'AlreadySettled',
  },
  {
    name: `RefundTo at the ${router} router`,
    type: 'RefundTo',
    async prepare(place) {
      await approve(place, alice, router);
      await approve(place, bob, router);
      const data = encodePayment(orderOf(place, router), alice.address, { way: 'direct' });
      await place.local.must({ from: alice.address, to: place.chain.routers[router], data });
    },
    async message(place) {
      const { chain } = place;
      const order = orderOf(place, router);
      const nonce = await refundNonce(chain, router, bob.address);
      const terms = { to: alice.address, amount: 400_000n, nonce, deadline };
      return {
        data: refundToData(router, verifier(place, router), { key: orderKey(chain, router, order), ...terms }),
        signer: bob,
        call: (signature) => ({
          from: RELAYER,
          to: chain.routers[router],
          data: encodeRefundBySig(order, terms, signature),
        }),
      };
    },
    refused: ['InvalidSignature'],
    replayed: 'InvalidNonce',
  },
  {
    name: `ReceiveWithAuthorization of an order at the ${router} router`,
    type: 'ReceiveWithAuthorization',
    prepare: async () => {},
    async message(place) {
      const terms = orderOf(place, router);
      return authorizationMessage(place, router, orderHash(terms, alice.address), (means) =>
        encodePayment(terms, alice.address, means),
      );
    },
    refused: ['TokenRefused'],
    replayed: 'AlreadySettled',
  },
  {
    name: `PermitWitnessTransferFrom of an order at the ${router} router`,
    type: 'PermitWitnessTransferFrom',
    prepare: (place) => approve(place, alice, 'permit2'),
    async message(place) {
      const terms = orderOf(place, router);
      return witnessMessage(place, router, orderStruct(terms, alice.address), (means) =>
        encodePayment(terms, alice.address, means),
      );
    },
    refused: PERMIT2_REFUSES,
    replayed: 'AlreadySettled',
    twin: true,
  },
  {
    name: `Permit for an order at the ${router} router`,
    type: 'Permit',
    prepare: async () => {},
    message: (place) =>
      permitMessage(place, router, (permit) => {
        const means: OrderMeans = { way: 'eip2612', permit, orderSignature: '0x' };
        return encodePayment(orderOf(place, router), alice.address, means);
      }),
    refused: ['TransferFailed'],
    replayed: 'AlreadySettled',
  },
];

const escrowMessages: MessageCase[] = [
  {
    name: 'Claim',
    type: 'Claim',
    prepare: openEscrow,
    async message(place) {
      const escrow = escrowTerms(place);
      const terms = { recipient: bob.address, notAfter: (await place.local.now()) + 500n };
      const tabId = escrowOnChainId(place.chain, alice.address, escrow.senderNonce);
      return {
        data: claimData(verifier(place, 'escrow'), { ...terms, tabId, handleKey: escrow.handleKey }),
        signer: AUTHORITY,
        call: (signature) => ({
          from: EXECUTOR,
          to: place.chain.routers.escrow,
          data: encodeClaim(escrow, terms, signature),
        }),
      };
    },
    refused: ['InvalidSignature'],
    replayed: 'TabNotOpen',
  },
  {
    name: 'Refund',
    type: 'Refund',
    prepare: openEscrow,
    async message(place) {
      const escrow = escrowTerms(place);
      const tabId = escrowOnChainId(place.chain, alice.address, escrow.senderNonce);
      return {
        data: escrowRefundData(verifier(place, 'escrow'), { tabId, deadline }),
        signer: alice,
        call: (signature) => ({
          from: RELAYER,
          to: place.chain.routers.escrow,
          data: encodeEscrowRefundBySig(escrow, deadline, signature),
        }),
      };
    },
    refused: ['InvalidSignature'],
    replayed: 'TabNotOpen',
  },
  {
    name: 'ReceiveWithAuthorization of a tab',
    type: 'ReceiveWithAuthorization',
    prepare: async () => {},
    async message(place) {
      return authorizationMessage(place, 'escrow', escrowHash(escrowTerms(place)), (means) =>
        encodeOpen(escrowTerms(place), means),
      );
    },
    refused: ['TokenRefused'],
    replayed: 'TabExists',
  },
  {
    name: 'PermitWitnessTransferFrom of a tab',
    type: 'PermitWitnessTransferFrom',
    prepare: (place) => approve(place, alice, 'permit2'),
    async message(place) {
      return witnessMessage(place, 'escrow', escrowStruct(escrowTerms(place)), (means) =>
        encodeOpen(escrowTerms(place), means),
      );
    },
    refused: PERMIT2_REFUSES,
    replayed: 'TabExists',
    twin: true,
  },
  {
    name: 'Permit for a tab',
    type: 'Permit',
    prepare: async () => {},
    message: (place) =>
      permitMessage(place, 'escrow', (permit) => encodeOpen(escrowTerms(place), { way: 'eip2612', permit })),
    refused: ['TransferFailed'],
    replayed: 'TabExists',
  },
];

const subscriptionMessages: MessageCase[] = [
  {
    name: 'Subscribe',
    type: 'Subscribe',
    prepare: createPlan,
    async message(place) {
      const use = { nonce: await subscriptionNonce(place.chain, alice.address), deadline };
      return {
        data: subscribeData(verifier(place, 'subscription'), { ...subscription(place), ...use }),
        signer: alice,
        call: (signature) => ({
          from: RELAYER,
          to: place.chain.routers.subscription,
          data: encodeSubscribe(subscription(place), { way: 'signature', ...use, signature }),
        }),
      };
    },
    refused: ['InvalidSignature'],
    replayed: 'InvalidNonce',
  },
  ...([alice, bob] as const).map((signer): MessageCase => {
    const name = `SetSubscription by the ${signer === alice ? 'subscriber' : 'creator'}`;
    return {
      name,
      type: 'SetSubscription',
      prepare: subscribe,
      async message(place) {
        const use = { nonce: await subscriptionNonce(place.chain, signer.address), deadline };
        const terms = { planKey: keyOfPlan(place), subscriber: alice.address, ...use };
        return {
          data: cancelData(verifier(place, 'subscription'), terms),
          signer,
          call: (signature) => ({
            from: RELAYER,
            to: place.chain.routers.subscription,
            data: encodeCancelBySig(terms, signer.address, signature),
          }),
        };
      },
      refused: ['InvalidSignature'],
      replayed: 'InvalidNonce',
    };
  }),
  {
    name: 'SetPlan',
    type: 'SetPlan',
    prepare: createPlan,
    async message(place) {
      const nonce = await subscriptionNonce(place.chain, bob.address);
      const terms = { planKey: keyOfPlan(place), state: 'inactive' as const, nonce, deadline };
      return {
        data: setPlanData(verifier(place, 'subscription'), terms),
        signer: bob,
        call: (signature) => ({
          from: RELAYER,
          to: place.chain.routers.subscription,
          data: encodeSetPlanBySig(terms, signature),
        }),
      };
    },
    refused: ['InvalidSignature'],
    replayed: 'InvalidNonce',
  },
  {
    name: 'PermitSingle for a subscription',
    type: 'PermitSingle',
    async prepare(place) {
      await approve(place, alice, 'permit2');
      await createPlan(place);
    },
    async message(place) {
      const { chain } = place;
      const permit = { amount: 3_000_000n, expiration: Number(deadline), nonce: 0, deadline };
      const terms = { ...permit, token: chain.usdc, spender: chain.routers.subscription };
      return {
        data: permit2AllowanceData(permit2(place), terms),
        signer: alice,
        call: (signature) => ({
          from: alice.address,
          to: chain.routers.subscription,
          data: encodeSubscribe(subscription(place), { way: 'permit2', permit: { ...permit, signature } }),
        }),
      };
    },
    // The permit is tried; without it there is no allowance.
    refused: ['AllowanceExpired'],
    replayed: 'AlreadySubscribed',
    twin: true,
  },
  {
    name: 'Permit for a subscription',
    type: 'Permit',
    async prepare(place) {
      const to = place.chain.routers.subscription;
      await place.local.must({ from: bob.address, to, data: encodeCreatePlan(planOf(place)) });
    },
    message: (place) =>
      permitMessage(place, 'subscription', (permit) =>
        encodeSubscribe(subscription(place), { way: 'eip2612', permit }),
      ),
    refused: ['TransferFailed'],
    replayed: 'AlreadySubscribed',
  },
];

export const MESSAGES: MessageCase[] = [
  ...botMessages,
  ...orderMessages('payment'),
  ...orderMessages('business'),
  ...escrowMessages,
  ...subscriptionMessages,
];

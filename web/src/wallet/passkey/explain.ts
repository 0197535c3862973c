// What a passkey is about to sign, in words for the person who presses. Only what is explained here is signed: each message is written again from what
// was read of it, and has to come out the same, for a contract of this deployment and for this very account.
import { CHAINS } from '../../../../src/domain/chains.ts';
import { formatUnits } from '../../../../src/domain/money.ts';
import { escrowRefundData } from '../../../../src/domain/typedData/escrow.ts';
import { ORDER_ROUTERS, type OrderRouter, orderData, refundToData } from '../../../../src/domain/typedData/orders.ts';
import { cancelData, setPlanData, subscribeData } from '../../../../src/domain/typedData/subscriptions.ts';
import { authorizationData, transferData } from '../../../../src/domain/typedData/tokens.ts';
import { businessWalletData, recipientData } from '../../../../src/domain/typedData/workspaces.ts';
import {
  type Bytes,
  permitData,
  setLimitsData,
  spendingRightData,
  type TypedData,
  unpauseData,
  walletAdditionData,
  walletChangeData,
} from '../../../../src/domain/typedData.ts';
import { isSameAddress } from '../../../../src/domain/walletFamily.ts';
import type { ContractsView } from '../../../../src/http/api/configAnswers.ts';
import { capitalised, exactTime, padAmount } from '../../app/format.ts';
import { WalletError } from '../requests.ts';

/** `facts` are what a person compares: recipient, network, until when. */
export type Explained = { title: string; text: string; facts: { name: string; value: string }[] };

type Router = keyof ContractsView['routers'];
type Message = Record<string, string>;
type Known = { chain: ContractsView; chains: readonly ContractsView[]; address: string };

const NOT_EXPLAINED =
  'Your passkey signs only what this page can explain, and this isn’t such a message. Nothing was signed.';

/** @throws WalletError for anything else than a message of ours, from this account, for a contract of this deployment */
export function explain(data: TypedData, address: string, chains: readonly ContractsView[]): Explained {
  const chain = chains.find(({ chain_id }) => chain_id === Number(data.domain?.['chainId']));
  const explainer = Object.hasOwn(EXPLAINERS, data.primaryType) ? EXPLAINERS[data.primaryType] : undefined;
  if (!chain || !explainer) throw refused();
  try {
    for (const value of Object.values(data.message)) if (typeof value === 'object') throw refused();
    const found = explainer(data.message as Message, { chain, chains, address }, data);
    if (found && isSame(found.again, data)) return found.words;
  } catch (error) {
    throw error instanceof WalletError ? error : refused(error);
  }
  throw refused();
}

function refused(cause?: unknown): WalletError {
  return new WalletError('failed', NOT_EXPLAINED, { cause, reason: NOT_EXPLAINED });
}

type Explainer = (message: Message, known: Known, data: TypedData) => { again: TypedData; words: Explained } | null;

/** What each router takes an allowance for. */
const PURPOSE: Record<Router, string> = {
  bot: 'for the tips you type in a chat. Valid until used up or changed.',
  escrow: 'for money that you keep for someone.',
  payment: 'for the payment or the refund that you confirm with it.',
  business: 'for the payment or the refund that you confirm with it.',
  subscription: 'for your subscriptions, each period. Valid until used up or changed.',
};

const EXPLAINERS: Record<string, Explainer> = {
  Permit(message, { chain, address }, { domain }) {
    const router = routerAt(chain, message['spender']);
    if (!router || !isUsdc(chain, domain) || !isSameAddress(text(message, 'owner'), address)) return null;
    const again = permitData({
      chainId: chain.chain_id,
      token: text(domain, 'verifyingContract'),
      tokenDomain: { name: text(domain, 'name'), version: text(domain, 'version') },
      owner: text(message, 'owner'),
      spender: text(message, 'spender'),
      value: number(message, 'value'),
      nonce: number(message, 'nonce'),
      deadline: seconds(message, 'deadline'),
    });
    const sum =
      number(message, 'value') >= LIMITLESS
        ? 'any amount of USDC'
        : `up to ${usdc(chain, number(message, 'value'))} in total`;
    const words = `Lets Ampersat’s contract on ${labelOf(chain)} take ${sum} from your wallet, ${PURPOSE[router]}`;
    return { again, words: { title: 'Allowance', text: words, facts: [] } };
  },

  SetLimits(message, { chain, address }, { domain }) {
    const token = text(message, 'token');
    const asset = assetAt(chain, token);
    if (!asset || !isAt(chain, 'bot', domain) || !isSameAddress(text(message, 'sender'), address)) return null;
    const [perTip, perDay] = [number(message, 'perTip'), number(message, 'perDay')];
    const again = setLimitsData({
      chainId: chain.chain_id,
      router: text(domain, 'verifyingContract'),
      sender: text(message, 'sender'),
      token,
      perTip,
      perDay,
      maxFee: number(message, 'maxFee'),
      nonce: number(message, 'nonce'),
      deadline: seconds(message, 'deadline'),
    });
    const write = (units: bigint) => `${padAmount(formatUnits(units, asset.decimals))} ${asset.name}`;
    const words = `Limits tips on ${labelOf(chain)} to ${write(perTip)} each and ${write(perDay)} in 24 hours, fees included. Valid until you sign new limits.`;
    return { again, words: { title: 'Limits', text: words, facts: [] } };
  },

  UnpauseSender(message, { chain, address }, { domain }) {
    if (!isAt(chain, 'bot', domain) || !isSameAddress(text(message, 'sender'), address)) return null;
    const again = unpauseData({
      chainId: chain.chain_id,
      router: text(domain, 'verifyingContract'),
      sender: text(message, 'sender'),
      nonce: number(message, 'nonce'),
      deadline: seconds(message, 'deadline'),
    });
    const words = `Allows tips from your wallet on ${labelOf(chain)} again, within your limits. Valid until you pause again.`;
    return { again, words: { title: 'Resume spending', text: words, facts: [] } };
  },

  SpendingRight(message, { chain }) {
    const [platform, username] = [text(message, 'platform'), text(message, 'username')];
    const [commandCap, dayCap] = [cap(message, 'commandCap'), cap(message, 'dayCap')];
    const again = spendingRightData({
      chainId: chain.chain_id,
      platform,
      platformUserId: text(message, 'platformUserId'),
      username,
      handle: text(message, 'handle'),
      commandCap,
      dayCap,
      nonce: seconds(message, 'nonce'),
      deadline: seconds(message, 'deadline'),
    });
    const who = `${username ? `@${username}` : 'the account'} on ${capitalised(platform)} (ID ${text(message, 'platformUserId')})`;
    const words = `Lets ${who} spend for @${text(message, 'handle')}: up to $${padAmount(commandCap)} per command and $${padAmount(dayCap)} in 24 hours. Valid until you pause or disconnect.`;
    return { again, words: { title: 'Right to spend', text: words, facts: [] } };
  },

  Order(message, { chain, address }, { domain }) {
    const router = orderRouterAt(chain, domain);
    if (!router || !isSameAddress(text(message, 'payer'), address)) return null;
    const terms = {
      orderId: bytes(message, 'orderId'),
      payee: bytes(message, 'payee'),
      token: bytes(message, 'token'),
      amount: number(message, 'amount'),
      fee: number(message, 'fee'),
      deadline: number(message, 'deadline'),
    };
    if (!isSameAddress(terms.token, chain.usdc)) return null;
    const again = orderData(router, verifier(chain, domain), terms, bytes(message, 'payer'));
    const amount = usdc(chain, terms.amount);
    const facts = [...on(chain), { name: 'To', value: terms.payee }, until(terms.deadline)];
    return {
      again,
      words: { title: `Pay ${amount}`, text: `Pays ${amount} for one order, once. Its fee is in it.`, facts },
    };
  },

  RefundTo(message, { chain }, { domain }) {
    const router = orderRouterAt(chain, domain);
    if (!router) return null;
    const terms = {
      key: bytes(message, 'key'),
      to: bytes(message, 'to'),
      amount: number(message, 'amount'),
      nonce: number(message, 'nonce'),
      deadline: number(message, 'deadline'),
    };
    const again = refundToData(router, verifier(chain, domain), terms);
    const amount = usdc(chain, terms.amount);
    const facts = [...on(chain), { name: 'To', value: terms.to }, until(terms.deadline)];
    return {
      again,
      words: { title: `Refund ${amount}`, text: `Gives ${amount} back to the payer of one order, once.`, facts },
    };
  },

  Refund(message, { chain }, { domain }) {
    if (!isAt(chain, 'escrow', domain)) return null;
    const terms = { tabId: bytes(message, 'tabId'), deadline: number(message, 'deadline') };
    const again = escrowRefundData(verifier(chain, domain), terms);
    const words = `Takes back money that you keep for someone on ${labelOf(chain)}. It returns to your wallet.`;
    return { again, words: { title: 'Take it back', text: words, facts: [until(terms.deadline)] } };
  },

  ReceiveWithAuthorization(message, { chain, address }, { domain }) {
    const router = routerAt(chain, message['to']);
    if (!router || !isUsdc(chain, domain) || !isSameAddress(text(message, 'from'), address)) return null;
    const terms = authorizationTerms(message);
    const again = authorizationData(verifier(chain, domain), tokenName(domain), terms);
    const amount = usdc(chain, terms.value);
    const isKept = router === 'escrow';
    const words = isKept
      ? `Keeps ${amount} for the recipient that this page names, in Ampersat’s contract.`
      : `Pays ${amount} through Ampersat’s contract for the one order that this page shows, once. The contract pays no other.`;
    return {
      again,
      words: {
        title: `${isKept ? 'Keep' : 'Pay'} ${amount}`,
        text: words,
        facts: [...on(chain), until(terms.validBefore)],
      },
    };
  },

  TransferWithAuthorization(message, { chain, address }, { domain }) {
    if (!isUsdc(chain, domain) || !isSameAddress(text(message, 'from'), address)) return null;
    const terms = authorizationTerms(message);
    const again = transferData(verifier(chain, domain), tokenName(domain), terms);
    const amount = usdc(chain, terms.value);
    const facts = [...on(chain), { name: 'To', value: terms.to }, until(terms.validBefore)];
    return {
      again,
      words: { title: `Send ${amount}`, text: `Sends ${amount} to the address below. You can’t undo it.`, facts },
    };
  },

  Subscribe(message, { chain, address }, { domain }) {
    if (!isAt(chain, 'subscription', domain) || !isSameAddress(text(message, 'subscriber'), address)) return null;
    const terms = {
      planKey: bytes(message, 'planKey'),
      subscriber: bytes(message, 'subscriber'),
      amount: number(message, 'amount'),
      period: seconds(message, 'period'),
      nonce: number(message, 'nonce'),
      deadline: number(message, 'deadline'),
    };
    const again = subscribeData(verifier(chain, domain), terms);
    const amount = usdc(chain, terms.amount);
    const words = `Pays ${amount} now and again every ${periodWords(terms.period)}, for the plan that this page shows, until you cancel.`;
    return { again, words: { title: `Subscribe for ${amount}`, text: words, facts: [...on(chain)] } };
  },

  SetSubscription(message, { chain }, { domain }) {
    if (!isAt(chain, 'subscription', domain)) return null;
    const terms = {
      planKey: bytes(message, 'planKey'),
      subscriber: bytes(message, 'subscriber'),
      nonce: number(message, 'nonce'),
      deadline: number(message, 'deadline'),
    };
    const again = cancelData(verifier(chain, domain), terms);
    const facts = [...on(chain), { name: 'Subscriber', value: terms.subscriber }];
    return { again, words: { title: 'Cancel a subscription', text: 'Nothing more is charged for it.', facts } };
  },

  SetPlan(message, { chain }, { domain }) {
    if (!isAt(chain, 'subscription', domain)) return null;
    const state = message['state'] === '1' ? ('active' as const) : ('inactive' as const);
    const terms = {
      planKey: bytes(message, 'planKey'),
      state,
      nonce: number(message, 'nonce'),
      deadline: number(message, 'deadline'),
    };
    const again = setPlanData(verifier(chain, domain), terms);
    const words =
      state === 'active'
        ? 'Opens your plan: people can subscribe to it.'
        : 'Closes your plan: no one can subscribe to it, and nothing more is charged.';
    return {
      again,
      words: { title: state === 'active' ? 'Open a plan' : 'Close a plan', text: words, facts: [...on(chain)] },
    };
  },

  PayoutWalletChange(message, { chain }) {
    const [handle, oldWallet, newWallet] = ['handle', 'oldWallet', 'newWallet'].map((name) => text(message, name));
    const again = walletChangeData({
      chainId: chain.chain_id,
      handle: handle ?? '',
      oldWallet: oldWallet ?? '',
      newWallet: newWallet ?? '',
      nonce: seconds(message, 'nonce'),
      deadline: seconds(message, 'deadline'),
    });
    const facts = [
      { name: 'From', value: oldWallet ?? '' },
      { name: 'To', value: newWallet ?? '' },
    ];
    return {
      again,
      words: { title: 'Change of wallet', text: `From now on payments to @${handle} go to another wallet.`, facts },
    };
  },

  PayoutWalletAddition(message, { chain }) {
    const handle = text(message, 'handle');
    const again = walletAdditionData({
      chainId: chain.chain_id,
      handle,
      currentWallet: text(message, 'currentWallet'),
      newWallet: text(message, 'newWallet'),
      nonce: seconds(message, 'nonce'),
      deadline: seconds(message, 'deadline'),
    });
    const facts = [{ name: 'Wallet', value: text(message, 'newWallet') }];
    return {
      again,
      words: { title: 'Another wallet', text: `Adds a wallet to @${handle} that is paid on its own networks.`, facts },
    };
  },

  RecipientAllowance(message, { chain }, data) {
    const allowed = (data.message as Record<string, unknown>)['allowed'] === true;
    const [workspace, recipient] = [text(message, 'workspace'), text(message, 'recipient')];
    const again = recipientData({
      chainId: chain.chain_id,
      workspace,
      recipient,
      allowed,
      nonce: seconds(message, 'nonce'),
      deadline: seconds(message, 'deadline'),
    });
    const words = allowed
      ? `Lets API keys of @${workspace} create orders and links that pay @${recipient}.`
      : `Stops API keys of @${workspace} from creating orders and links that pay @${recipient}.`;
    return { again, words: { title: 'Recipients', text: words, facts: [] } };
  },

  BusinessWallet(message, { chain }) {
    const again = businessWalletData({
      chainId: chain.chain_id,
      workspace: text(message, 'workspace'),
      wallet: text(message, 'wallet'),
      payoutAddress: text(message, 'payoutAddress'),
      nonce: seconds(message, 'nonce'),
      deadline: seconds(message, 'deadline'),
    });
    const facts = [{ name: 'Paid to', value: text(message, 'payoutAddress') }];
    return {
      again,
      words: {
        title: 'Business',
        text: `Makes @${text(message, 'workspace')} a business, paid at this address.`,
        facts,
      },
    };
  },
};

/** More than there is: an allowance that never ends. */
const LIMITLESS = 2n ** 160n - 1n;

function text(of: Record<string, unknown>, name: string): string {
  const value = of[name];
  if (typeof value !== 'string') throw refused();
  return value;
}

const bytes = (message: Message, name: string): Bytes => text(message, name) as Bytes;

function number(message: Message, name: string): bigint {
  const value = text(message, name);
  if (!/^\d{1,78}$/.test(value)) throw refused();
  return BigInt(value);
}

const seconds = (message: Message, name: string): number => Number(number(message, name));

function cap(message: Message, name: string): string {
  return text(message, name).replace(/ USD$/, '');
}

const tokenName = (domain: TypedData['domain']) => ({ name: text(domain, 'name'), version: text(domain, 'version') });

function verifier(chain: ContractsView, domain: TypedData['domain']) {
  return { chainId: chain.chain_id, contract: text(domain, 'verifyingContract') };
}

function authorizationTerms(message: Message) {
  return {
    from: bytes(message, 'from'),
    to: bytes(message, 'to'),
    value: number(message, 'value'),
    validAfter: number(message, 'validAfter'),
    validBefore: number(message, 'validBefore'),
    nonce: bytes(message, 'nonce'),
  };
}

function routerAt(chain: ContractsView, address: string | undefined): Router | null {
  const found = Object.entries(chain.routers).find(([, own]) => isSameAddress(own, address ?? ''));
  return found ? (found[0] as Router) : null;
}

function isAt(chain: ContractsView, router: Router, domain: TypedData['domain']): boolean {
  return isSameAddress(chain.routers[router], text(domain, 'verifyingContract'));
}

function isUsdc(chain: ContractsView, domain: TypedData['domain']): boolean {
  return isSameAddress(chain.usdc, text(domain, 'verifyingContract'));
}

function orderRouterAt(chain: ContractsView, domain: TypedData['domain']): OrderRouter | null {
  const router = routerAt(chain, text(domain, 'verifyingContract'));
  return router !== null && router in ORDER_ROUTERS ? (router as OrderRouter) : null;
}

function assetAt(chain: ContractsView, token: string): { name: string; decimals: number } | null {
  const { usdcDecimals, native, nativeDecimals } = CHAINS[chain.name];
  if (isSameAddress(token, chain.usdc)) return { name: 'USDC', decimals: usdcDecimals };
  return isSameAddress(token, chain.wrapped_native) ? { name: `W${native}`, decimals: nativeDecimals } : null;
}

const labelOf = ({ name }: ContractsView) => CHAINS[name].label;

function usdc({ name }: ContractsView, units: bigint): string {
  return `${padAmount(formatUnits(units, CHAINS[name].usdcDecimals))} USDC`;
}

const on = (chain: ContractsView) => [{ name: 'Network', value: labelOf(chain) }];

function until(deadline: bigint): { name: string; value: string } {
  return { name: 'Valid until', value: exactTime(Number(deadline) * 1_000) };
}

const DAY_SECONDS = 86_400;

function periodWords(period: number): string {
  if (period % DAY_SECONDS !== 0) return `${period} seconds`;
  const days = period / DAY_SECONDS;
  return days === 1 ? 'day' : `${days} days`;
}

/** Members in any order; numbers of the domain as they are or as text. */
function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value === 'number') return JSON.stringify(String(value));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
}

// What IBotRouter promises: message keys that are used once, limits that no 24 hours exceed, campaigns that never pay more than they say.
import { keepEscrow, type ModelEscrow, openingReasons } from './escrow.ts';
import {
  deliver,
  EXECUTOR,
  FEE_TO,
  holding,
  type Model,
  nonceOf,
  type Party,
  pull,
  type Reasons,
  takeNonce,
  unless,
} from './ledger.ts';
import type { By } from './subscriptions.ts';

export type BotToken = 'usdc' | 'wrapped';
type Limits = { perTip: bigint; perDay: bigint; maxFee: bigint };
type Campaign = {
  sponsor: Party;
  token: BotToken;
  total: bigint;
  spent: bigint;
  mostPerGrant: bigint;
  maxFee: bigint;
  expiry: bigint;
  closed: boolean;
};
export type BotBooks = {
  limits: Map<string, Limits>;
  draws: { purse: string; at: bigint; units: bigint }[];
  pausedSenders: Set<Party>;
  processed: Set<number>;
  campaigns: Map<string, Campaign>;
  granted: Set<string>;
};

const HERE = 'router:bot';
const HOUR = 3_600n;
const NONE: Limits = { perTip: 0n, perDay: 0n, maxFee: 0n };
export const limitsOf = (m: Model, sender: Party, token: BotToken) => m.bot.limits.get(`${sender} ${token}`) ?? NONE;

export type Tip = {
  key: number;
  sender: Party;
  recipient: Party;
  token: BotToken;
  amount: bigint;
  fee: bigint;
  validUntil: bigint;
};

/** What an executor's work needs at any time. */
export function workReasons(m: Model, caller: Party): Reasons {
  return holding({ NotExecutor: caller !== EXECUTOR, Paused: m.paused.has('bot') });
}

export function tip(m: Model, t: Tip): Reasons {
  const reasons = [...begun(m, t.key, t.validUntil), ...drawn(m, t.sender, t.token, t.amount, t.fee)];
  return unless(
    reasons,
    () =>
      paid(m, t.token, t.sender, t.recipient, t.amount) &&
      (t.fee === 0n || pull(m, t.token, HERE, t.sender, FEE_TO, t.fee)),
    'TransferFailed',
  );
}

/** A tip that becomes a tab, whose sender's nonce is the message key. */
export function tipToTab(m: Model, key: number, escrow: ModelEscrow, validUntil: bigint): Reasons {
  const reasons = [
    ...begun(m, key, validUntil),
    ...drawn(m, escrow.sender, escrow.token, escrow.amount, 0n),
    ...openingReasons(m, escrow),
  ];
  keepEscrow(m, escrow);
  return unless(
    reasons,
    () => pull(m, escrow.token, HERE, escrow.sender, 'router:escrow', escrow.amount),
    'TransferFailed',
  );
}

function begun(m: Model, key: number, validUntil: bigint): Reasons {
  const reasons = holding({ Expired: m.now > validUntil, AlreadyProcessed: m.bot.processed.has(key) });
  m.bot.processed.add(key);
  return reasons;
}

function drawn(m: Model, sender: Party, token: BotToken, amount: bigint, fee: bigint): Reasons {
  const { perTip, perDay, maxFee } = limitsOf(m, sender, token);
  const units = amount + fee;
  const since = (hours: bigint) => spent(m, sender, token, hours);
  const reasons = holding({
    ZeroAmount: amount === 0n,
    SenderPaused: m.bot.pausedSenders.has(sender),
    LimitPerTip: units > perTip,
    LimitFee: fee > maxFee,
    LimitPerDay: since(24n) + units > perDay,
    // What is older than 24 hours may still count, what is older than 30 hours may not.
    'LimitPerDay?': since(30n) + units > perDay,
  });
  m.bot.draws.push({ purse: `${sender} ${token}`, at: m.now, units });
  return reasons;
}

/** The sum of the draws in the last hours, edges included. */
export function spent(m: Model, sender: Party, token: BotToken, hours: bigint): bigint {
  const recent = m.bot.draws.filter(({ purse, at }) => purse === `${sender} ${token}` && at >= m.now - hours * HOUR);
  return recent.reduce((sum, { units }) => sum + units, 0n);
}

/** USDC as it is, the wrapped asset as the native one. */
function paid(m: Model, token: BotToken, from: Party, to: Party, amount: bigint): boolean {
  if (token === 'usdc') return pull(m, token, HERE, from, to, amount);
  if (!pull(m, token, HERE, from, HERE, amount)) return false;
  deliver(m, HERE, to, amount);
  return true;
}

export function setLimits(m: Model, sender: Party, token: BotToken, limits: Limits, by: By): Reasons {
  const reasons = ownOrSigned(m, sender, by);
  m.bot.limits.set(`${sender} ${token}`, clipped(limits));
  return reasons;
}

/** None is above what a day allows. */
const clipped = ({ perTip, perDay, maxFee }: Limits): Limits => {
  const least = (a: bigint) => (a < perDay ? a : perDay);
  return { perTip: least(perTip), perDay, maxFee: least(maxFee) };
};

export function lowerLimits(m: Model, sender: Party, token: BotToken, limits: Limits, caller: Party): Reasons {
  const now = limitsOf(m, sender, token);
  const raised = limits.perTip > now.perTip || limits.perDay > now.perDay || limits.maxFee > now.maxFee;
  m.bot.limits.set(`${sender} ${token}`, clipped(limits));
  return holding({ NotExecutor: caller !== EXECUTOR, LimitRaised: raised });
}

export function pauseSender(m: Model, sender: Party, caller: Party): Reasons {
  if (caller === sender) takeNonce(m, 'bot', sender);
  m.bot.pausedSenders.add(sender);
  return holding({ NotExecutor: caller !== sender && caller !== EXECUTOR });
}

export function unpauseSender(m: Model, sender: Party, by: By): Reasons {
  const reasons = ownOrSigned(m, sender, by);
  m.bot.pausedSenders.delete(sender);
  return reasons;
}

function ownOrSigned(m: Model, sender: Party, by: By): Reasons {
  const nonce = nonceOf(m, 'bot', sender);
  takeNonce(m, 'bot', sender);
  if (by.way === 'call') return [];
  return holding({
    Expired: m.now > by.deadline,
    InvalidNonce: by.nonce !== nonce,
    InvalidSignature: by.signer !== sender,
  });
}

export function openCampaign(m: Model, id: string, campaign: Omit<Campaign, 'spent' | 'closed'>): Reasons {
  const reasons = holding({
    Paused: m.paused.has('bot'),
    ZeroAmount: campaign.total === 0n || campaign.mostPerGrant === 0n,
    Expired: campaign.expiry <= m.now,
    CampaignExists: m.bot.campaigns.has(id),
  });
  m.bot.campaigns.set(id, { ...campaign, spent: 0n, closed: false });
  return reasons;
}

export function closeCampaign(m: Model, id: string, caller: Party): Reasons {
  const campaign = m.bot.campaigns.get(id);
  if (!campaign) return ['UnknownCampaign'];
  const reasons = holding({
    NotSponsorNorExecutor: caller !== campaign.sponsor && caller !== EXECUTOR,
    CampaignIsClosed: campaign.closed,
  });
  campaign.closed = true;
  return reasons;
}

export type Grant = { recipientKey: number; recipient: Party; amount: bigint; fee: bigint; validUntil: bigint };

/** Everything of a grant but its fee. */
export function grant(m: Model, id: string, g: Grant): Reasons {
  const campaign = m.bot.campaigns.get(id);
  if (!campaign) return ['UnknownCampaign'];
  const { sponsor, token } = campaign;
  campaign.spent += g.amount + g.fee;
  const reasons = holding({
    CampaignIsClosed: campaign.closed,
    Expired: m.now > campaign.expiry || m.now > g.validUntil,
    ZeroAmount: g.amount === 0n,
    GrantTooLarge: g.amount > campaign.mostPerGrant,
    LimitFee: g.fee > campaign.maxFee,
    CampaignExhausted: campaign.spent > campaign.total,
    AlreadyGranted: m.bot.granted.has(`${id} ${g.recipientKey}`),
    SenderPaused: m.bot.pausedSenders.has(sponsor),
  });
  m.bot.granted.add(`${id} ${g.recipientKey}`);
  return unless(reasons, () => paid(m, token, sponsor, g.recipient, g.amount), 'TransferFailed');
}

export function grantFees(m: Model, id: string, fees: bigint): Reasons {
  const campaign = m.bot.campaigns.get(id);
  if (!campaign || fees === 0n) return [];
  return unless([], () => pull(m, campaign.token, HERE, campaign.sponsor, FEE_TO, fees), 'TransferFailed');
}

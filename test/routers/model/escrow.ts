// What IEscrowRouter promises: a tab pays out once, in full, to one party.
import {
  deliver,
  EXECUTOR,
  holding,
  type Model,
  move,
  type Party,
  pull,
  type Reasons,
  takeNonce,
  unless,
} from './ledger.ts';

export type ModelTab = {
  sender: Party;
  token: 'usdc' | 'wrapped';
  handle: string;
  amount: bigint;
  deadline: bigint;
  senderNonce: bigint;
  revocable: boolean;
};
type Kept = { status: 'open' | 'claimed' | 'refunded'; tab: ModelTab; openedAt: bigint };
export type EscrowBooks = {
  tabs: Map<string, Kept>;
  authority: Party;
  pending: { next: Party; effectiveAt: bigint } | null;
  /** When the present authority took over. */
  changedAt: bigint;
  claimPause: { from: bigint; until: bigint };
};
export type TabWay = 'direct' | 'eip2612' | 'eip3009' | 'permit2';

const HERE = 'router:escrow';
const HOUR = 3_600n;
const DAY = 86_400n;
export const tabName = ({ sender, senderNonce }: ModelTab) => `${sender} ${senderNonce}`;

/** What holds against a new tab, however it is paid. */
export function openingReasons(m: Model, tab: ModelTab): Reasons {
  return holding({
    Paused: m.paused.has('escrow'),
    ZeroAmount: tab.amount === 0n,
    InvalidDeadline: tab.deadline < m.now + HOUR || tab.deadline > m.now + 90n * DAY,
    TabExists: m.escrow.tabs.has(tabName(tab)),
  });
}

export function keepTab(m: Model, tab: ModelTab): void {
  m.escrow.tabs.set(tabName(tab), { status: 'open', tab, openedAt: m.now });
}

export function open(m: Model, tab: ModelTab, way: TabWay, signer: Party): Reasons {
  const { sender, token, amount } = tab;
  const signed = signer === sender;
  const reasons = openingReasons(m, tab);
  if (way === 'eip2612' && signed && token === 'usdc') {
    m.allowances.set(`usdc ${sender} ${HERE}`, amount);
    takeNonce(m, 'usdc', sender);
  }
  keepTab(m, tab);
  if (way === 'direct' || way === 'eip2612')
    return unless(reasons, () => pull(m, token, HERE, sender, HERE, amount), 'TransferFailed');
  if (way === 'permit2') {
    if (!signed) reasons.push('InvalidSigner');
    return unless(reasons, () => pull(m, token, 'permit2', sender, HERE, amount), 'TokenRefused');
  }
  // Only USDC knows such authorizations.
  if (token !== 'usdc') return [...reasons, 'UnsupportedToken'];
  const authorization = `${sender} tab ${tabName(tab)}`;
  if (!signed || m.authorizations.has(authorization)) reasons.push('TokenRefused');
  m.authorizations.add(authorization);
  return unless(reasons, () => move(m, 'usdc', sender, HERE, amount), 'TokenRefused');
}

export function claim(
  m: Model,
  tab: ModelTab,
  { recipient, caller, signer, notAfter }: { recipient: Party; caller: Party; signer: Party; notAfter: bigint },
): Reasons {
  const reasons = holding({
    NotExecutor: caller !== EXECUTOR,
    ClaimsArePaused: m.now < m.escrow.claimPause.until,
    Expired: m.now > notAfter,
    AttestationTooLong: notAfter > m.now + 600n,
    TabNotOpen: m.escrow.tabs.get(tabName(tab))?.status !== 'open',
    InvalidSignature: signer !== m.escrow.authority,
  });
  return unless(reasons, () => close(m, tab, 'claimed', recipient), 'TransferFailed');
}

export function refundTab(m: Model, tab: ModelTab, caller: Party): Reasons {
  const kept = m.escrow.tabs.get(tabName(tab));
  const early = caller === tab.sender && (tab.revocable || underAnother(m, kept));
  const reasons = holding({ TabNotOpen: kept?.status !== 'open', NotRefundable: !early && m.now < tab.deadline });
  return unless(reasons, () => close(m, tab, 'refunded', tab.sender), 'TransferFailed');
}

export function refundTabBySig(m: Model, tab: ModelTab, signer: Party, deadline: bigint): Reasons {
  const kept = m.escrow.tabs.get(tabName(tab));
  const reasons = holding({
    Expired: m.now > deadline,
    TabNotOpen: kept?.status !== 'open',
    NotRefundable: !tab.revocable && !underAnother(m, kept) && m.now < tab.deadline,
    InvalidSignature: signer !== tab.sender,
  });
  return unless(reasons, () => close(m, tab, 'refunded', tab.sender), 'TransferFailed');
}

export function announceAuthority(m: Model, next: Party | null, caller: Party): Reasons {
  const { authority, pending } = m.escrow;
  const reasons = holding({
    NotOwner: caller !== 'owner',
    RolesNotDistinct: next !== null && (next === authority || next === pending?.next),
  });
  m.escrow.pending = next === null ? null : { next, effectiveAt: m.now + 7n * DAY };
  return reasons;
}

export function applyAuthority(m: Model): Reasons {
  const { pending } = m.escrow;
  if (!pending) return ['NothingAnnounced'];
  m.escrow.authority = pending.next;
  m.escrow.pending = null;
  m.escrow.changedAt = m.now;
  return holding({ TooEarly: m.now < pending.effectiveAt });
}

export function pauseClaims(m: Model, duration: bigint, caller: Party): Reasons {
  const { from, until } = m.escrow.claimPause;
  const reasons = holding({
    NotGuardian: caller !== 'guardian',
    InvalidDeadline: duration === 0n || duration > 72n * HOUR,
    PauseTooSoon: m.now < until + (until - from),
  });
  m.escrow.claimPause = { from: m.now, until: m.now + duration };
  return reasons;
}

export function unpauseClaims(m: Model, caller: Party): Reasons {
  if (m.now < m.escrow.claimPause.until) m.escrow.claimPause.until = m.now;
  return holding({ NotOwner: caller !== 'owner' });
}

/** Sum of the open tabs: it may never exceed what the router holds. */
export function openTotalOf(m: Model, token: ModelTab['token']): bigint {
  const open = [...m.escrow.tabs.values()].filter((kept) => kept.status === 'open' && kept.tab.token === token);
  return open.reduce((sum, { tab }) => sum + tab.amount, 0n);
}

/** Announced from now on, or taken over since the tab was opened. */
function underAnother(m: Model, kept: Kept | undefined): boolean {
  return m.escrow.pending !== null || (kept !== undefined && kept.openedAt <= m.escrow.changedAt);
}

function close(m: Model, tab: ModelTab, status: 'claimed' | 'refunded', to: Party): boolean {
  m.escrow.tabs.set(tabName(tab), { ...(m.escrow.tabs.get(tabName(tab)) as Kept), status });
  if (tab.token === 'usdc') return move(m, 'usdc', HERE, to, tab.amount);
  deliver(m, HERE, to, tab.amount);
  return true;
}

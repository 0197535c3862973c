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

export type ModelEscrow = {
  sender: Party;
  token: 'usdc' | 'wrapped';
  handle: string;
  amount: bigint;
  deadline: bigint;
  senderNonce: bigint;
  revocable: boolean;
};
type Kept = { status: 'open' | 'claimed' | 'refunded'; escrow: ModelEscrow; openedAt: bigint };
export type EscrowBooks = {
  escrows: Map<string, Kept>;
  authority: Party;
  pending: { next: Party; effectiveAt: bigint } | null;
  /** When the present authority took over. */
  changedAt: bigint;
  claimPause: { from: bigint; until: bigint };
};
export type EscrowWay = 'direct' | 'eip2612' | 'eip3009' | 'permit2';

const HERE = 'router:escrow';
const HOUR = 3_600n;
const DAY = 86_400n;
export const escrowName = ({ sender, senderNonce }: ModelEscrow) => `${sender} ${senderNonce}`;

/** What holds against a new tab, however it is paid. */
export function openingReasons(m: Model, escrow: ModelEscrow): Reasons {
  return holding({
    Paused: m.paused.has('escrow'),
    ZeroAmount: escrow.amount === 0n,
    InvalidDeadline: escrow.deadline < m.now + HOUR || escrow.deadline > m.now + 90n * DAY,
    TabExists: m.escrow.escrows.has(escrowName(escrow)),
  });
}

export function keepEscrow(m: Model, escrow: ModelEscrow): void {
  m.escrow.escrows.set(escrowName(escrow), { status: 'open', escrow, openedAt: m.now });
}

export function open(m: Model, escrow: ModelEscrow, way: EscrowWay, signer: Party): Reasons {
  const { sender, token, amount } = escrow;
  const signed = signer === sender;
  const reasons = openingReasons(m, escrow);
  if (way === 'eip2612' && signed && token === 'usdc') {
    m.allowances.set(`usdc ${sender} ${HERE}`, amount);
    takeNonce(m, 'usdc', sender);
  }
  keepEscrow(m, escrow);
  if (way === 'direct' || way === 'eip2612')
    return unless(reasons, () => pull(m, token, HERE, sender, HERE, amount), 'TransferFailed');
  if (way === 'permit2') {
    if (!signed) reasons.push('InvalidSigner');
    return unless(reasons, () => pull(m, token, 'permit2', sender, HERE, amount), 'TokenRefused');
  }
  // Only USDC knows such authorizations.
  if (token !== 'usdc') return [...reasons, 'UnsupportedToken'];
  const authorization = `${sender} tab ${escrowName(escrow)}`;
  if (!signed || m.authorizations.has(authorization)) reasons.push('TokenRefused');
  m.authorizations.add(authorization);
  return unless(reasons, () => move(m, 'usdc', sender, HERE, amount), 'TokenRefused');
}

export function claim(
  m: Model,
  escrow: ModelEscrow,
  { recipient, caller, signer, notAfter }: { recipient: Party; caller: Party; signer: Party; notAfter: bigint },
): Reasons {
  const reasons = holding({
    NotExecutor: caller !== EXECUTOR,
    ClaimsArePaused: m.now < m.escrow.claimPause.until,
    Expired: m.now > notAfter,
    AttestationTooLong: notAfter > m.now + 600n,
    TabNotOpen: m.escrow.escrows.get(escrowName(escrow))?.status !== 'open',
    InvalidSignature: signer !== m.escrow.authority,
  });
  return unless(reasons, () => close(m, escrow, 'claimed', recipient), 'TransferFailed');
}

export function refundEscrow(m: Model, escrow: ModelEscrow, caller: Party): Reasons {
  const kept = m.escrow.escrows.get(escrowName(escrow));
  const early = caller === escrow.sender && (escrow.revocable || underAnother(m, kept));
  const reasons = holding({ TabNotOpen: kept?.status !== 'open', NotRefundable: !early && m.now < escrow.deadline });
  return unless(reasons, () => close(m, escrow, 'refunded', escrow.sender), 'TransferFailed');
}

export function refundEscrowBySig(m: Model, escrow: ModelEscrow, signer: Party, deadline: bigint): Reasons {
  const kept = m.escrow.escrows.get(escrowName(escrow));
  const reasons = holding({
    Expired: m.now > deadline,
    TabNotOpen: kept?.status !== 'open',
    NotRefundable: !escrow.revocable && !underAnother(m, kept) && m.now < escrow.deadline,
    InvalidSignature: signer !== escrow.sender,
  });
  return unless(reasons, () => close(m, escrow, 'refunded', escrow.sender), 'TransferFailed');
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
export function openTotalOf(m: Model, token: ModelEscrow['token']): bigint {
  const open = [...m.escrow.escrows.values()].filter((kept) => kept.status === 'open' && kept.escrow.token === token);
  return open.reduce((sum, { escrow }) => sum + escrow.amount, 0n);
}

/** Announced from now on, or taken over since the tab was opened. */
function underAnother(m: Model, kept: Kept | undefined): boolean {
  return m.escrow.pending !== null || (kept !== undefined && kept.openedAt <= m.escrow.changedAt);
}

function close(m: Model, escrow: ModelEscrow, status: 'claimed' | 'refunded', to: Party): boolean {
  m.escrow.escrows.set(escrowName(escrow), { ...(m.escrow.escrows.get(escrowName(escrow)) as Kept), status });
  if (escrow.token === 'usdc') return move(m, 'usdc', HERE, to, escrow.amount);
  deliver(m, HERE, to, escrow.amount);
  return true;
}

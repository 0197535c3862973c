// Answers about escrows. Amounts are canonical decimal strings, times ISO 8601 in UTC.
import { z } from 'zod';
import { transactionToSign, typedData, walletCall } from './signingAnswers.ts';
import { callView } from './spendingAnswers.ts';

const progress = z.enum(['queued', 'sent', 'mined', 'final', 'failed']);

export const escrowView = z.strictObject({
  object: z.literal('escrow'),
  id: z.string(),
  status: z.enum(['pending_create', 'open', 'claimed', 'refunded']),
  /** The recipient as the sender named it: `alice`, `x:name`, `telegram:id:123`; null where only the chain knows. */
  handleSlug: z.string().nullable(),
  recipient_label: z.string(),
  sender_label: z.string(),
  /** What it is to the caller. */
  role: z.enum(['sender', 'recipient', 'other']),
  origin: z.enum(['page', 'tip', 'chain']),
  amount: z.string(),
  currency: z.string(),
  chain: z.string(),
  chain_label: z.string(),
  note: z.string().nullable(),
  /** Unix seconds. */
  deadline: z.number().int(),
  /** The sender may take it back at any time while it is unclaimed. */
  revocable: z.boolean(),
  refundable: z.enum(['now', 'by_sender', 'after_deadline', 'no']),
  onChainId: z.string(),
  tx_hash: z.string().nullable(),
  txHash: z.string().nullable(),
  close_tx_hash: z.string().nullable(),
  explorer_url: z.string().nullable(),
  paid_to: z.string().nullable(),
  /** For the recipient: the wallet that a claim would pay now. */
  pays_to: z.string().nullable(),
  claim: z
    .strictObject({
      id: z.string(),
      status: progress,
      tx_hash: z.string().nullable(),
      failure: z.string().nullable(),
      /** The claim waits until then. */
      held_until: z.iso.datetime().nullable(),
    })
    .nullable(),
  refund: z
    .strictObject({ status: progress, tx_hash: z.string().nullable(), failure: z.string().nullable() })
    .nullable(),
  created_at: z.iso.datetime(),
  opened_at: z.iso.datetime().nullable(),
  closed_at: z.iso.datetime().nullable(),
});
export type EscrowView = z.infer<typeof escrowView>;

export const oneEscrow = z.strictObject({ escrow: escrowView });
export type OneEscrow = z.infer<typeof oneEscrow>;

export const escrowList = z.strictObject({
  object: z.literal('list'),
  escrows: z.array(escrowView),
  /** Escrows for the caller that are opened in a block that is not final yet. Null for those that the caller opened. */
  confirming: z.number().int().nullable(),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});
export type EscrowList = z.infer<typeof escrowList>;

/** What the wallet sends to the router, or to the program on Solana, to open the escrow. */
const onChainArgs = z.strictObject({
  router: z.string(),
  stable: z.string(),
  handleSlug: z.string(),
  handleKey: z.string(),
  /** Smallest units of `stable`. */
  amount: z.string(),
  /** Unix seconds. */
  deadline: z.number().int(),
  senderNonce: z.string(),
  revocable: z.boolean(),
  /** Of EIP-155; null for Solana. */
  chainId: z.number().int().nullable(),
});
export type OnChainArgs = z.infer<typeof onChainArgs>;

export const stagedEscrow = z.strictObject({ escrow: escrowView, onChainArgs });
export type StagedEscrow = z.infer<typeof stagedEscrow>;

/** `txHash` is null while nothing was sent yet. */
const claimedEscrow = z.strictObject({
  escrow: escrowView,
  txHash: z.string().nullable(),
  tx_hash: z.string().nullable(),
});
/** `request` is the transaction of a wallet that an executor sends: /api/spending/requests has its progress. */
const openedEscrow = z.strictObject({ escrow: escrowView, request: callView });
/** Of a claim, and of an opening that a wallet has signed; of a confirmation and of a refund only the escrow. */
export const escrowAction = z.union([oneEscrow, claimedEscrow, openedEscrow]);
export type OpenedEscrow = z.infer<typeof openedEscrow>;
export type EscrowResult = z.infer<typeof escrowAction>;

/** What was claimed at once, how many of them are under way now, and how many more can be claimed once their opening is final. */
export const claimedEscrows = z.strictObject({
  escrows: z.array(escrowView),
  claims: z.number().int(),
  confirming: z.number().int(),
});
export type ClaimedEscrows = z.infer<typeof claimedEscrows>;

/** What the sender signs to take an escrow back before its deadline; on EVM chains also the call with which its wallet can send that itself. */
export const preparedRefund = z.union([
  z.strictObject({
    typed_data: typedData,
    /** Unix seconds. */
    deadline: z.number().int(),
    transaction: walletCall,
  }),
  transactionToSign,
]);
export type PreparedRefund = z.infer<typeof preparedRefund>;

// Every kind of transaction that the workers send.
import { claimKind } from '../src/services/escrow/claimKind.ts';
import { refundKind } from '../src/services/escrow/refundKind.ts';
import { orderKind } from '../src/services/orders/payments/orderKind.ts';
import { treasuryKind } from '../src/services/orders/treasury/moves.ts';
import type { OutgoingKinds } from '../src/services/outgoing/kinds.ts';
import { rentKind } from '../src/services/outgoing/rent.ts';
import { campaignCloseKind, grantsKind } from '../src/services/plans/campaigns/grantsKind.ts';
import { chargeKind } from '../src/services/plans/chargeKind.ts';
import { haltKind } from '../src/services/plans/haltKind.ts';
import { trialKind } from '../src/services/plans/trialKind.ts';
import { bridgeDepositKind } from '../src/services/smart/legKind.ts';
import { pauseKind } from '../src/services/spending/pauses.ts';
import { sponsoredKind } from '../src/services/spending/sponsoredCalls.ts';
import { tipsKind } from '../src/services/tips/tipsKind.ts';

export const KINDS: OutgoingKinds = {
  tips: tipsKind,
  escrow_open: tipsKind,
  pause: pauseKind,
  claim: claimKind,
  order: orderKind,
  treasury: treasuryKind,
  sponsored: sponsoredKind,
  escrow_refund: refundKind,
  charge: chargeKind,
  halt: haltKind,
  trial: trialKind,
  grants: grantsKind,
  campaign_close: campaignCloseKind,
  bridge_deposit: bridgeDepositKind,
  rent: rentKind,
};

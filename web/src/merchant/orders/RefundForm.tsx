// A refund, full or partial: sent from the merchant's own wallet, through the router, so that it is on the record.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { findChain } from '../../../../src/domain/chains.ts';
import { compareAmounts, isAmount, padAmount, shortHex, typedAmount } from '../../app/format.ts';
import { Field, SelectField } from '../../ui/Field.tsx';
import { confirmRefund, fetchOrder, type OrderDetail, prepareRefund, refreshOrder } from './ordersApi.ts';
import { EXCHANGE_WORDS } from './orderWords.ts';
import { WalletStep } from './WalletStep.tsx';

export function RefundForm({
  order,
  most,
  payers,
  onClose,
}: {
  order: OrderDetail;
  /** What can still be refunded. */
  most: string;
  /** Who paid; empty while that is unknown. */
  payers: string[];
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [amount, setAmount] = useState(most);
  const [to, setTo] = useState(payers[0]);
  const [before] = useState(order.amount_refunded);
  const error = problemOf(amount, most, order.currency);
  const money = `${padAmount(amount)} ${order.currency}`;
  return (
    <div className="flex flex-col gap-4">
      <Field
        label="Refund amount"
        name="amount"
        inputMode="decimal"
        maxLength={24}
        after={order.currency}
        value={amount}
        error={error}
        hint={`Up to ${padAmount(most)} ${order.currency}.`}
        onChange={(event) => setAmount(typedAmount(event.target.value))}
      />
      {payers.length > 1 && (
        <SelectField label="Recipient" value={to} onChange={(event) => setTo(event.target.value)}>
          {payers.map((payer) => (
            <option key={payer} value={payer}>
              {shortHex(payer)}
            </option>
          ))}
        </SelectField>
      )}
      <WalletStep
        kind="filled"
        payee={order.recipient_address}
        disabled={error !== null}
        chainLabel={order.chain_label}
        button={error ? 'Refund' : `Refund ${money}`}
        allows={
          <>
            Sends {error ? 'the refund' : money} from {shortHex(order.recipient_address)} to{' '}
            {to ? shortHex(to) : 'the payer'} on {order.chain_label}. This can’t be undone. {whoPays(order)}
            {Number(order.fee) > 0 && ' The payment’s fee isn’t returned.'}
            {order.paid_by_transfer && ` ${EXCHANGE_WORDS}`}
          </>
        }
        prepare={() => prepareRefund(order.id, { amount, ...(payers.length > 1 && to && { to }) })}
        check={async (txHash) => {
          await confirmRefund(order.id, txHash);
          const now = await fetchOrder(order.id);
          return compareAmounts(now.order.amount_refunded, before) > 0;
        }}
        onDone={() => {
          onClose();
          void refreshOrder(client, order.id);
        }}
        onCancel={onClose}
      />
    </div>
  );
}

function whoPays({ chain, currency }: OrderDetail): string {
  if (findChain(chain)?.family === 'solana') return 'Your wallet signs it; Ampersat pays the network fee.';
  const first = currency === 'USDC' ? 'You’ll approve this amount, then confirm the transfer. ' : '';
  return `${first}You pay the network fee.`;
}

function problemOf(amount: string, most: string, currency: string): string | null {
  if (!isAmount(amount)) return 'Enter an amount like 25 or 2.50.';
  return compareAmounts(amount, most) > 0 ? `You can refund up to ${padAmount(most)} ${currency}.` : null;
}

// Sending back what was paid, or a part of it: out of the merchant's own wallet, through the router, so that it is on the record.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { compareAmounts, isAmount, padAmount, shortHex } from '../format.ts';
import type { OwnAccount } from '../session/RequireAccount.tsx';
import { Field, SelectField } from '../ui/Field.tsx';
import { isSameAddress } from '../wallet/requests.ts';
import { confirmRefund, fetchOrder, type OrderDetail, prepareRefund, refreshOrder } from './ordersApi.ts';
import { WalletStep } from './WalletStep.tsx';

export function RefundForm({
  order,
  account,
  most,
  payers,
  onClose,
}: {
  order: OrderDetail;
  account: OwnAccount;
  /** What is left to go back. */
  most: string;
  /** Who paid; empty where nobody knows yet. */
  payers: string[];
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [amount, setAmount] = useState(most);
  const [to, setTo] = useState(payers[0]);
  const [before] = useState(order.amount_refunded);
  const error = problemOf(amount, most, order.currency);
  const money = `${padAmount(amount)} ${order.currency}`;
  const isOther = !isSameAddress(order.recipient_address, account.address);
  return (
    <div className="flex flex-col gap-4">
      <Field
        label="How much goes back"
        name="amount"
        inputMode="decimal"
        maxLength={24}
        after={order.currency}
        value={amount}
        error={error}
        hint={`At most ${padAmount(most)} ${order.currency}.`}
        onChange={(event) => setAmount(event.target.value.replace(',', '.').trim())}
      />
      {payers.length > 1 && (
        <SelectField label="To whom" value={to} onChange={(event) => setTo(event.target.value)}>
          {payers.map((payer) => (
            <option key={payer} value={payer}>
              {shortHex(payer)}
            </option>
          ))}
        </SelectField>
      )}
      <WalletStep
        kind="filled"
        disabled={error !== null}
        chainLabel={order.chain_label}
        button={error ? 'Refund' : `Refund ${money}`}
        allows={
          <>
            {error ? 'It' : money} {to ? `goes to the payer, ${shortHex(to)},` : 'goes to the payer'} from your wallet{' '}
            {shortHex(order.recipient_address)} on {order.chain_label}, and cannot be undone.{' '}
            {order.currency === 'USDC'
              ? 'Your wallet first allows exactly this amount, then sends it; it pays the network’s fee.'
              : 'Your wallet sends it and pays the network’s fee.'}
            {Number(order.fee) > 0 && ' The fee of the payment does not come back.'}
            {isOther &&
              ' It is the wallet that was paid, not the one that you are signed in with: choose it in your wallet.'}
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

function problemOf(amount: string, most: string, currency: string): string | null {
  if (!isAmount(amount)) return 'Plain digits, like 25 or 2.50.';
  return compareAmounts(amount, most) > 0 ? `At most ${padAmount(most)} ${currency} can go back.` : null;
}

// The balance of an order's deposit address: the merchant's wallet collects it, or returns it to its sender.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { findChain } from '../../../../src/domain/chains.ts';
import { compareAmounts, isAmount, padAmount, shortHex, typedAmount } from '../../app/format.ts';
import { Field, SelectField } from '../../ui/Field.tsx';
import { fetchOrder, type OrderDetail, prepareDeposit, refreshOrder, type Unmatched } from './ordersApi.ts';
import { EXCHANGE_WORDS } from './orderWords.ts';
import { WalletStep } from './WalletStep.tsx';

export function DepositForm({
  order,
  one,
  action,
  onClose,
}: {
  order: OrderDetail;
  one: Unmatched;
  action: 'accept' | 'send_back';
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [to, setTo] = useState(one.senders[0]);
  const [amount, setAmount] = useState(one.amount);
  const { currency } = one;
  const isSigned = findChain(order.chain)?.family === 'solana';
  const feeWords = isSigned ? 'Your wallet signs it; Ampersat pays the network fee.' : 'You pay the network fee.';
  const step = {
    chainLabel: order.chain_label,
    /** The service sees it by itself once it is final: then nothing of this is left, or less. */
    check: async () => {
      const { unmatched } = await fetchOrder(order.id);
      const left = unmatched.find(({ key }) => key === one.key);
      return left === undefined || compareAmounts(left.amount, one.amount) < 0;
    },
    onDone: () => {
      onClose();
      void refreshOrder(client, order.id);
    },
    onCancel: onClose,
  };
  if (action === 'accept')
    return (
      <WalletStep
        {...step}
        payee={order.recipient_address}
        button={`Keep ${padAmount(one.amount)} ${currency}`}
        allows={`Moves the balance of the order’s deposit address on ${order.chain_label} to your wallet ${shortHex(order.recipient_address)}${
          Number(order.fee) > 0 ? ', minus the usual fee' : ''
        }. The order’s status doesn’t change. ${feeWords}`}
        prepare={() => prepareDeposit(order.id, { action, currency })}
      />
    );
  const error = !isAmount(amount) || compareAmounts(amount, one.amount) > 0;
  const money = `${padAmount(amount)} ${currency}`;
  return (
    <div className="flex flex-col gap-4">
      {one.senders.length > 1 && (
        <SelectField label="Recipient" value={to} onChange={(event) => setTo(event.target.value)}>
          {one.senders.map((sender) => (
            <option key={sender} value={sender}>
              {shortHex(sender)}
            </option>
          ))}
        </SelectField>
      )}
      <Field
        label="Amount"
        name="amount"
        inputMode="decimal"
        maxLength={24}
        after={currency}
        value={amount}
        error={error ? `Enter up to ${padAmount(one.amount)} ${currency}.` : null}
        onChange={(event) => setAmount(typedAmount(event.target.value))}
      />
      <WalletStep
        {...step}
        payee={order.recipient_address}
        button={error ? 'Return' : `Return ${money}`}
        disabled={error}
        allows={`Sent from the order’s deposit address on ${order.chain_label} to ${shortHex(to ?? '')}. Ampersat charges no fee. This can’t be undone. ${EXCHANGE_WORDS} ${feeWords}`}
        prepare={() => prepareDeposit(order.id, { action, currency, amount, ...(to && { to }) })}
      />
    </div>
  );
}

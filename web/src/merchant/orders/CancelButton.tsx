// Cancels an order that is not paid yet.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmButton } from '../../person/settings/ConfirmButton.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { cancelOrder, type OrderDetail, refreshOrder } from './ordersApi.ts';

export function CancelButton({ order }: { order: OrderDetail }) {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelOrder(order.id),
    onSettled: () => refreshOrder(client, order.id),
  });
  return (
    <div className="flex flex-col items-start gap-3">
      <ConfirmButton
        question="Cancel this order? Buyers won’t be able to pay it."
        yes="Cancel order"
        busy={cancel.isPending}
        onYes={() => cancel.mutate()}
      >
        Cancel order…
      </ConfirmButton>
      {cancel.isError && <ErrorNote>{cancel.error.message}</ErrorNote>}
    </div>
  );
}

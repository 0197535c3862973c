// Takes an order back while nobody has paid it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmButton } from '../settings/ConfirmButton.tsx';
import { ErrorNote } from '../ui/notices.tsx';
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
        question="Nobody can pay it then. Cancel it?"
        yes="Cancel the order"
        busy={cancel.isPending}
        onYes={() => cancel.mutate()}
      >
        Cancel the order
      </ConfirmButton>
      {cancel.isError && <ErrorNote>{cancel.error.message}</ErrorNote>}
    </div>
  );
}

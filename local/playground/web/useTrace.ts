// The trace of one message, polled until it is final.
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { fetchActivity, fetchBalances, fetchTrace, type MessageRef } from './localApi.ts';
import { isFinal, isWaitingForAnswer } from './traceWords.ts';

const EACH_MS = 300;
const WHILE_ASKING_MS = 1_000;
const BALANCES_EACH_MS = 5_000;

/** The selected message. `sentAt` is in Unix milliseconds. */
export type Selected = { ref: MessageRef; who: string; text: string; sentAt: number };

export function useTrace(selected: Selected | null) {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ['trace', selected?.ref],
    queryFn: selected ? () => fetchTrace(selected.ref) : skipToken,
    refetchInterval: ({ state: { data } }) => {
      if (!selected || (data && isFinal(data, selected.sentAt))) return false;
      return isWaitingForAnswer(data) ? WHILE_ASKING_MS : EACH_MS;
    },
  });
  const mined = query.data?.transactions.map((transaction) => transaction.block).join() ?? '';
  useEffect(() => {
    if (mined) void client.invalidateQueries({ queryKey: ['balances'] });
    if (mined) void client.invalidateQueries({ queryKey: ['activity'] });
  }, [mined, client]);
  return query;
}

export function useBalances() {
  return useQuery({ queryKey: ['balances'], queryFn: fetchBalances, refetchInterval: BALANCES_EACH_MS });
}

export function useActivity() {
  return useQuery({ queryKey: ['activity'], queryFn: fetchActivity, refetchInterval: BALANCES_EACH_MS });
}

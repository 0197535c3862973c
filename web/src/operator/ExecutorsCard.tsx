// The keys that send: what they hold, where they stand, and putting one back that is out of use.
import { ApiError } from '../app/apiError.ts';
import { shortAmount } from '../app/format.ts';
import { ConfirmButton } from '../person/settings/ConfirmButton.tsx';
import { Card } from '../ui/Card.tsx';
import { Hex } from '../ui/Hex.tsx';
import { EmptyNote, ErrorNote } from '../ui/notices.tsx';
import { Pill } from '../ui/Pill.tsx';
import { sentence } from './figures.ts';
import { type Executor, usePutBack } from './operationsApi.ts';

export function ExecutorsCard({ executors }: { executors: Executor[] }) {
  return (
    <Card title="Executor keys">
      {executors.length === 0 && (
        <EmptyNote title="No keys used yet">Workers open each key when they first reach its network.</EmptyNote>
      )}
      <ul className="flex flex-col">
        {executors.map((key) => (
          <Row key={`${key.chain} ${key.address}`} executor={key} />
        ))}
      </ul>
    </Card>
  );
}

function Row({ executor }: { executor: Executor }) {
  const { chain, address, balance, ledger_nonce, chain_nonce } = executor;
  const putBack = usePutBack();
  const isActive = executor.paused_reason === null && executor.power_problem === null;
  const isForeign = putBack.error instanceof ApiError && putBack.error.message.includes('another process');
  return (
    <li className="flex flex-col gap-2 border-line py-4 not-first:border-t first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="flex flex-wrap items-center gap-2">
          <Hex value={address} what="the address" href={executor.explorer_url} />
          <span className="text-sm text-muted">{executor.chain_label}</span>
        </span>
        <Pill tone={isActive ? 'good' : 'bad'}>
          {isActive ? 'Active' : executor.paused_reason === null ? 'No role' : 'Paused'}
        </Pill>
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-1 text-sm sm:grid-cols-4">
        <Fact label="Balance" title={balance ?? undefined}>
          {balance === null ? 'unknown' : `${shortAmount(balance, executor.symbol)} ${executor.symbol}`}
        </Fact>
        <Fact label="Enough for">
          {executor.batches_left === null ? 'unknown' : `${executor.batches_left.toLocaleString()} batches`}
        </Fact>
        {ledger_nonce !== null && (
          <Fact label="Next nonce">
            {chain_nonce === null || chain_nonce === ledger_nonce
              ? ledger_nonce
              : `${ledger_nonce} (chain ${chain_nonce})`}
          </Fact>
        )}
        <Fact label="Unmined">{executor.open_slots}</Fact>
      </dl>
      {executor.power_problem !== null && (
        <p className="text-sm break-words text-brick">{sentence(executor.power_problem)}</p>
      )}
      {executor.paused_reason !== null && (
        <div className="flex flex-col gap-2">
          <p className="text-sm break-words text-brick">{executor.paused_reason}</p>
          <div className="flex flex-wrap gap-2">
            <ConfirmButton
              label={`Resume ${address} on ${executor.chain_label}`}
              question="It signs payments again."
              yes="Resume"
              busy={putBack.isPending}
              onYes={() => putBack.mutate({ chain, address, force: false })}
            >
              Resume
            </ConfirmButton>
            {isForeign && (
              <ConfirmButton
                question="The ledger then follows the chain. Have you stopped the other process?"
                yes="Yes, force it"
                busy={putBack.isPending}
                onYes={() => putBack.mutate({ chain, address, force: true })}
              >
                Force it
              </ConfirmButton>
            )}
          </div>
          {putBack.error && <ErrorNote>{putBack.error.message}</ErrorNote>}
        </div>
      )}
    </li>
  );
}

function Fact({ label, title, children }: { label: string; title?: string | undefined; children: string | number }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted">{label}</dt>
      <dd title={title} className="amount">
        {children}
      </dd>
    </div>
  );
}

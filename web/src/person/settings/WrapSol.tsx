// SOL as a token and back: what the wallet has of both, and one signature that changes one into the other.
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { WrapBalances } from '../../../../src/http/api/wrappingAnswers.ts';
import { isAmount, typedAmount } from '../../app/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { SignStep } from '../spending/SignStep.tsx';
import { runWrap, type SignedWrap, useWrapBalances, WRAP_KEY, type WrapJob } from './wrapRun.ts';

export function WrapSol() {
  const { data } = useWrapBalances();
  const [kind, setKind] = useState<WrapJob['kind'] | null>(null);
  if (!data) return null;
  return (
    <section aria-label="Wrapped SOL" className="flex flex-col gap-3 border-t border-line pt-4">
      <p className="text-sm">Tips in SOL are sent as wrapped SOL: SOL as a token, one for one.</p>
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-sm sm:max-w-80">
        <dt className="text-muted">SOL</dt>
        <dd className="text-right font-medium amount">{data.sol}</dd>
        <dt className="text-muted">Wrapped SOL</dt>
        <dd className="text-right font-medium amount">{data.wrapped ?? '0.00'}</dd>
      </dl>
      {kind === null ? (
        <div className="flex flex-wrap gap-x-4 gap-y-2">
          <Button onClick={() => setKind('wrap')}>Wrap SOL</Button>
          {data.wrapped !== null && <Button onClick={() => setKind('unwrap')}>Unwrap</Button>}
        </div>
      ) : (
        <WrapForm kind={kind} balances={data} onClose={() => setKind(null)} />
      )}
    </section>
  );
}

function WrapForm({ kind, balances, onClose }: { kind: WrapJob['kind']; balances: WrapBalances; onClose: () => void }) {
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const kept = useRef<SignedWrap | null>(null);
  const isAll = kind === 'unwrap' && typed === '';
  const isGood = isAll || (isAmount(typed) && /^\d*(\.\d{1,9})?$/.test(typed));
  const amount = isAll ? 'max' : typed.replace(/^\./, '0.');
  const done = () => {
    void client.invalidateQueries({ queryKey: WRAP_KEY });
    onClose();
  };
  return (
    <div className="flex flex-col gap-4">
      <Field
        label={kind === 'wrap' ? 'SOL to wrap' : 'Wrapped SOL to unwrap'}
        name="wrap_amount"
        after="SOL"
        inputMode="decimal"
        maxLength={20}
        className="max-w-80"
        placeholder={kind === 'unwrap' ? (balances.wrapped ?? '') : ''}
        value={typed}
        error={isGood || typed === '' ? null : 'Enter a number with up to 9 decimals, such as 0.5.'}
        hint={hintOf(kind, balances)}
        onChange={(event) => setTyped(typedAmount(event.target.value))}
      />
      <SignStep
        signer={{ family: 'solana', address: balances.wallet }}
        chainLabel="Solana"
        job={{
          kind: 'own',
          run: (signer, onStage) => runWrap(signer, onStage, { kind, amount }, kept),
        }}
        allows="Your wallet signs one transaction. Ampersat sends it and pays the network fee."
        button={kind === 'wrap' ? 'Wrap' : isAll ? 'Unwrap everything' : 'Unwrap'}
        disabled={!isGood}
        onDone={done}
        onCancel={onClose}
      />
    </div>
  );
}

function hintOf(kind: WrapJob['kind'], { wrapped, account_rent: rent }: WrapBalances): string {
  if (kind === 'unwrap')
    return `Leave it empty to unwrap everything. That closes the account and returns its rent of ${rent} SOL.`;
  if (wrapped !== null) return 'You can unwrap it at any time.';
  return `Your wallet pays ${rent} SOL of rent for the account, and gets it back when everything is unwrapped.`;
}

// A payment that is open: what it pays, the press that confirms it, and how far it is. Pressed again it is the same payment.
import { useMutation } from '@tanstack/react-query';
import { Check, Clock, X } from 'lucide-react';
import type { SendView } from '../../../../src/http/api/sendAnswers.ts';
import { clockTime, padAmount } from '../../app/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Fact, Facts } from '../../ui/Facts.tsx';
import { Hex } from '../../ui/Hex.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { WalletAction } from '../../wallet/WalletAction.tsx';
import { actOnSend } from './moneyApi.ts';
import { runSend } from './sendRun.ts';

const TITLES: Record<SendView['step'], string> = {
  signing: 'Confirm your payment',
  sending: 'On its way',
  confirming: 'Arriving',
  stopped: 'Not sent',
  completed: 'Sent',
  failed: 'Not sent',
  cancelled: 'Cancelled',
};

export function OpenSend({
  send,
  warning,
  onChange,
  onLeave,
}: {
  send: SendView;
  warning: 'contract' | null;
  onChange: (send: SendView) => void;
  /** With the send where it changed by that. */
  onLeave: (send?: SendView) => void;
}) {
  const cancel = useMutation({ mutationFn: () => actOnSend(send.id, { action: 'cancel' }), onSuccess: onLeave });
  const { step } = send;
  const isOver = step === 'completed' || step === 'failed' || step === 'cancelled';
  return (
    <Card title={TITLES[step]}>
      <Summary send={send} />
      {warning === 'contract' && step === 'signing' && (
        <p role="status" className="rounded-lg bg-amber-soft px-4 py-2 text-sm text-amber">
          This address is a contract. Send only if its owner gave it to you for USDC on {send.chain_label}: what a
          contract can’t send on is lost.
        </p>
      )}
      <State send={send} />
      {send.can_pay && (
        <WalletAction
          allows={step === 'signing' ? wordsOf(send) : undefined}
          button={step === 'signing' ? `Send ${padAmount(send.total)} USDC` : 'Try again'}
          kind="filled"
          address={send.from_address}
          why="your account’s wallet"
          run={(wallet, note) => runSend(send, wallet, note)}
          onDone={() => onChange({ ...send, status: 'processing', step: 'sending', can_pay: false, can_cancel: false })}
          onError={() => onChange(send)}
        />
      )}
      {send.can_cancel && (
        <Button kind="plain" className="self-start" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          Change or cancel
        </Button>
      )}
      {cancel.error && <ErrorNote>{cancel.error.message}</ErrorNote>}
      {isOver && (
        <Button kind="outlined" className="self-start" onClick={() => onLeave()}>
          Send another payment
        </Button>
      )}
    </Card>
  );
}

function Summary({ send }: { send: SendView }) {
  return (
    <Facts>
      {send.to !== send.to_address && <Fact name="To">@{send.to.replace(/@ampersat$/, '')}</Fact>}
      <Fact name={send.to === send.to_address ? 'To' : 'Address'}>
        <span className="font-mono text-sm break-all">{send.to_address}</span>
      </Fact>
      <Fact name="Network">
        {send.chain_label}
        {!send.livemode && ' (test)'}
      </Fact>
      <Fact name="They get">{padAmount(send.amount)} USDC</Fact>
      <Fact name="Fee">{send.gasless ? `${padAmount(send.fee)} USDC` : 'Network fee, paid by your wallet'}</Fact>
      <Fact name="In total">
        <span className="amount">{padAmount(send.total)} USDC</span>
      </Fact>
      {send.tx_hash && (
        <Fact name="Transaction">
          <Hex value={send.tx_hash} what="the transaction" href={send.explorer_url} />
        </Fact>
      )}
    </Facts>
  );
}

function wordsOf({ gasless, expires_at }: SendView): string {
  const until = clockTime(Date.parse(expires_at));
  return gasless
    ? `You confirm once; Ampersat sends it and pays the network fee. It can’t be undone. Valid until ${until}.`
    : `Your wallet sends it and pays the network fee: first it may approve the amount, then it pays. It can’t be undone. Valid until ${until}.`;
}

function State({ send }: { send: SendView }) {
  const until = clockTime(Date.parse(send.expires_at));
  switch (send.step) {
    case 'signing':
      return null;
    case 'sending':
      return (
        <Line icon="clock">
          {send.gasless
            ? 'Waiting for the network. You can close this page.'
            : `Waiting for your wallet’s transaction. It is never paid twice; without one it ends at ${until}.`}
        </Line>
      );
    case 'confirming':
      return <Line icon="clock">It is on {send.chain_label}, and nearly final. You can close this page.</Line>;
    case 'stopped':
      return (
        <ErrorNote>
          {send.failure} Trying again can’t pay twice. It ends at {until}, unless the network pays it first.
        </ErrorNote>
      );
    case 'completed':
      return <Line icon="check">{padAmount(send.amount)} USDC arrived.</Line>;
    case 'failed':
      return <ErrorNote>{send.failure}</ErrorNote>;
    case 'cancelled':
      return <Line icon="x">Nothing was sent.</Line>;
  }
}

const ICONS = { clock: Clock, check: Check, x: X };

function Line({ icon, children }: { icon: keyof typeof ICONS; children: React.ReactNode }) {
  const Icon = ICONS[icon];
  return (
    <p role="status" className="flex items-center gap-2 text-sm">
      <Icon aria-hidden="true" className="size-4 shrink-0 text-accent" />
      <span className="min-w-0">{children}</span>
    </p>
  );
}

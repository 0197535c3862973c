// Receive: each address of the reader's, its QR code, the networks that it is for, and what to send there.
import { CHAINS, type ChainName } from '../../../../src/domain/chains.ts';
import type { WalletFamily } from '../../../../src/domain/walletFamily.ts';
import { isAmount, padAmount } from '../../app/format.ts';
import { useSearch } from '../../app/router.tsx';
import { Shell } from '../../app/shell/Shell.tsx';
import { ModeBar } from '../../merchant/business/BusinessShell.tsx';
import { useMode } from '../../merchant/business/workspaceApi.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CopyField } from '../../ui/CopyField.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { QrCode } from '../../ui/QrCode.tsx';
import { type ChainHoldings, useBalances, useOwnChains } from './moneyApi.ts';

export function ReceivePage() {
  return (
    <Shell title="Receive" why="Sign in to see your address." aside={<ButtonLink href="/send">Send</ButtonLink>}>
      {() => (
        <>
          <ModeBar />
          <Addresses />
        </>
      )}
    </Shell>
  );
}

function Addresses() {
  const { error, refetch } = useBalances();
  const chains = useOwnChains();
  const amount = useSearch().get('amount') ?? '';
  if (error && !chains) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  if (!chains) return <Skeleton className="h-96" />;
  const families = (['evm', 'solana'] as const).filter((family) => chains.some((chain) => chain.family === family));
  return (
    <>
      {isAmount(amount) && <p className="text-muted">Send {padAmount(amount)} USDC to the address below.</p>}
      {families.map((family) => (
        <Address key={family} family={family} chains={chains.filter((chain) => chain.family === family)} />
      ))}
      {families.length === 0 && (
        <EmptyNote title="No network here">
          <p>No network of this mode is served for your wallet.</p>
        </EmptyNote>
      )}
    </>
  );
}

function Address({ family, chains }: { family: WalletFamily; chains: ChainHoldings[] }) {
  const isTest = useMode() === 'test';
  const [first] = chains;
  if (!first) return null;
  const labels = new Intl.ListFormat('en', { type: 'conjunction' }).format(chains.map(({ label }) => label));
  const natives = [...new Set(chains.map(({ chain }) => CHAINS[chain as ChainName].native))].join(', ');
  return (
    <Card title={family === 'solana' ? 'Solana' : labels}>
      <div className="grid items-start gap-6 sm:grid-cols-[12rem_minmax(0,1fr)]">
        <QrCode value={first.address} label={`Your address on ${labels} as a QR code`} />
        <div className="flex min-w-0 flex-col gap-4">
          <CopyField
            label={isTest ? 'Your address (test networks)' : 'Your address'}
            value={first.address}
            kind="filled"
          />
          <ul className="flex list-disc flex-col gap-2 pl-5 text-sm">
            {family === 'evm' && chains.length > 1 && (
              <li>
                It is the same address on {labels}. Choose the network when you send: money stays on the network on
                which it was sent.
              </li>
            )}
            {family === 'solana' && (
              <li>This address is for Solana only. Your address on other networks is another one.</li>
            )}
            <li>
              Send USDC{natives && `, or ${natives} for network fees`}, on{' '}
              {chains.length > 1 ? 'one of these networks' : labels}.
            </li>
            <li>
              {isTest
                ? 'These are test networks with play money. Don’t send real money here.'
                : 'Don’t send other tokens or NFTs, and don’t use other networks: Ampersat can’t show or send them.'}
            </li>
          </ul>
        </div>
      </div>
    </Card>
  );
}

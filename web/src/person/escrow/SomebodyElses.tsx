// A tab for another recipient than the signed-in user, as far as Ampersat knows: what to do if it is theirs after all.
import type { EscrowView } from '../../../../src/http/api/escrowAnswers.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';

export function SomebodyElses({ escrow, handle }: { escrow: EscrowView; handle: string }) {
  const isHandle = escrow.handleSlug !== null && !escrow.handleSlug.includes(':');
  return (
    <Card title={`This is for ${escrow.recipient_label}`}>
      {isHandle ? (
        <p className="text-sm">
          You’re signed in as @{handle}. If you are {escrow.recipient_label}, sign in with that wallet. No one else can
          claim it.
        </p>
      ) : (
        <>
          <p className="text-sm">
            Is that you? Connect that account to @{handle} to claim it here. No one else can claim it.
          </p>
          <ButtonLink kind="filled" className="min-h-12! text-base!" href="/connect">
            How to connect
          </ButtonLink>
        </>
      )}
    </Card>
  );
}

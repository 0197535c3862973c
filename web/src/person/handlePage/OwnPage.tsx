// One's own page, `/@alice`: switched on and off, shaped, seen as visitors see it, and what they wrote.

import { Printer } from 'lucide-react';
import type { OwnHandlePage } from '../../../../src/http/api/handlePageAnswers.ts';
import { Shell } from '../../app/shell/Shell.tsx';
import { Allowed } from '../../app/team/Allowed.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CopyField } from '../../ui/CopyField.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { MessagesCard } from './MessagesCard.tsx';
import { useChangePage, useOwnPage } from './ownPageApi.ts';
import { ShapeForm } from './ShapeForm.tsx';

export function OwnPage() {
  return (
    <Shell title="Your page" why="A page of your own on which anyone can pay you.">
      {() => <Cards />}
    </Shell>
  );
}

function Cards() {
  const { data, error, refetch } = useOwnPage();
  if (error && !data) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  if (!data)
    return (
      <output aria-label="Loading" className="flex flex-col gap-6">
        <Skeleton className="h-48" />
        <Skeleton className="h-96" />
      </output>
    );
  return (
    <Allowed door="handle_page">
      <SwitchCard page={data.page} />
      <ShapeForm page={data.page} />
      <MessagesCard />
    </Allowed>
  );
}

function SwitchCard({ page }: { page: OwnHandlePage }) {
  const change = useChangePage();
  const { enabled, url, handle } = page;
  return (
    <Card title="Address" aside={<Pill tone={enabled ? 'good' : 'quiet'}>{enabled ? 'On' : 'Off'}</Pill>}>
      <p className="text-sm text-muted">
        {enabled
          ? 'Anyone with this link can pay you. In chats it shows a picture with your handle and your line.'
          : `Once it’s on, anyone can pay you at this address. Until then it looks as if @${handle} didn’t exist.`}
      </p>
      <CopyField value={url} label="Your page’s link" />
      <div className="flex flex-wrap gap-2">
        <Button
          kind={enabled ? 'outlined' : 'filled'}
          className="min-h-12!"
          disabled={change.isPending}
          onClick={() => change.mutate({ enabled: !enabled })}
        >
          {change.isPending ? 'One moment…' : enabled ? 'Switch off' : 'Switch on'}
        </Button>
        {enabled && (
          <>
            <ButtonLink className="min-h-12!" href={`/@${handle}`}>
              Open your page
            </ButtonLink>
            <ButtonLink className="min-h-12!" href={`/@${handle}/poster`}>
              <Printer aria-hidden="true" className="size-4" />
              Poster with a QR code
            </ButtonLink>
          </>
        )}
      </div>
      {change.isError && <ErrorNote>{change.error.message}</ErrorNote>}
    </Card>
  );
}

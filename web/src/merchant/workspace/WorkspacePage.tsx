// The workspace: whether it is a person's or a business's, where its payments go, and whom its keys may name.

import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { useWorkspace } from '../business/workspaceApi.ts';
import { TeamCard } from '../team/TeamCard.tsx';
import { BrandingCard } from './BrandingCard.tsx';
import { KindCard } from './KindCard.tsx';
import { PayoutCard } from './PayoutCard.tsx';
import { RecipientsCard } from './RecipientsCard.tsx';

export function WorkspacePage() {
  return <BusinessShell title="Workspace">{() => <OneWorkspace />}</BusinessShell>;
}

function OneWorkspace() {
  const { data, error, refetch } = useWorkspace();
  if (!data)
    return error ? (
      <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>
    ) : (
      <output aria-label="Loading the workspace" className="flex flex-col gap-6">
        <Skeleton className="h-56" />
        <Skeleton className="h-40" />
      </output>
    );
  return (
    <>
      {error && <ErrorNote retry={() => void refetch()}>{error.message} This may be out of date.</ErrorNote>}
      <KindCard workspace={data} />
      {data.kind === 'business' && <PayoutCard workspace={data} />}
      <BrandingCard />
      <TeamCard />
      <RecipientsCard workspace={data} />
    </>
  );
}

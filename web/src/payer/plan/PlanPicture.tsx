// What a plan is known by: its creator's own picture, or the letters of its name.
import { Avatar } from '../../ui/Avatar.tsx';
import type { HostedPlan } from './planApi.ts';

export function PlanPicture({ plan }: Pick<HostedPlan, 'plan'>) {
  return plan.image_url ? (
    <Picture url={plan.image_url} />
  ) : (
    <Avatar name={plan.creatorHandle ?? plan.name} size="large" />
  );
}

/** It may be anywhere, so it is fetched without telling from where. */
function Picture({ url }: { url: string }) {
  return (
    <img
      src={url}
      alt=""
      width={96}
      height={96}
      referrerPolicy="no-referrer"
      className="size-24 rounded-2xl border border-line object-cover"
      onError={(event) => event.currentTarget.remove()}
    />
  );
}

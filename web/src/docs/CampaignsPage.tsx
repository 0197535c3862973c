// /docs/campaigns: the guide of docs/campaigns.md.
import { guide } from '../../../docs/campaigns.md?guide';
import { GuidePage } from './GuidePage.tsx';

export function CampaignsPage() {
  return <GuidePage guide={guide} />;
}

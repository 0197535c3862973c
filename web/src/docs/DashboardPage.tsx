// /docs/dashboard: the guide of docs/dashboard.md.
import { guide } from '../../../docs/dashboard.md?guide';
import { GuidePage } from './GuidePage.tsx';

export function DashboardPage() {
  return <GuidePage guide={guide} />;
}

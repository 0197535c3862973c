// /docs/quickstart: the guide of docs/quickstart.md.
import { guide } from '../../../docs/quickstart.md?guide';
import { GuidePage } from './GuidePage.tsx';

export function QuickstartPage() {
  return <GuidePage guide={guide} />;
}

// /docs/going-live: the guide of docs/going-live.md.
import { guide } from '../../../docs/going-live.md?guide';
import { GuidePage } from './GuidePage.tsx';

export function GoingLivePage() {
  return <GuidePage guide={guide} />;
}

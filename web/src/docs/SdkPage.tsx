// /docs/sdk: the guide of sdk/README.md.
import { guide } from '../../../sdk/README.md?guide';
import { GuidePage } from './GuidePage.tsx';

export function SdkPage() {
  return <GuidePage guide={guide} />;
}

// /docs/cli: the guide of docs/cli.md.
import { guide } from '../../../docs/cli.md?guide';
import { GuidePage } from './GuidePage.tsx';

export function CliPage() {
  return <GuidePage guide={guide} />;
}

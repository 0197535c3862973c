// What stands behind the figures of failures: tips that were not paid, replies that a platform refused.
import { useSearch } from '../app/router.tsx';
import { EmptyNote } from '../ui/notices.tsx';
import { PagedList } from '../ui/PagedList.tsx';
import { CaseRow } from './CaseRow.tsx';
import { useFailed } from './casesApi.ts';
import { PLATFORM_WORDS } from './caseWords.ts';
import { FailureTabs } from './FailureTabs.tsx';
import { OperatorFrame } from './OperatorFrame.tsx';

const LISTS = {
  tips: { title: 'Failed tips', empty: 'No tip has failed' },
  replies: { title: 'Failed replies', empty: 'No reply has failed' },
} as const;

export function FailedPage() {
  const what = useSearch().get('what') === 'replies' ? 'replies' : 'tips';
  const list = useFailed(what);
  const { title, empty } = LISTS[what];
  return (
    <OperatorFrame title={title} error={list.error}>
      <FailureTabs shown={what} />
      <PagedList
        list={list}
        name={title}
        row={({ id, at, platform, what: said, reason, case_id }) => (
          <CaseRow
            key={id}
            id={case_id}
            at={at}
            what={said}
            note={`${reason} · ${PLATFORM_WORDS[platform] ?? platform}`}
          />
        )}
        empty={<EmptyNote title={empty}>Failures appear here with their reason.</EmptyNote>}
      />
    </OperatorFrame>
  );
}

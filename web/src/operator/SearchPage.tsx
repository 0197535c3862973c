// What a search found, newest first; each line leads to its timeline.
import { useSearch } from '../app/router.tsx';
import { EmptyNote } from '../ui/notices.tsx';
import { PagedList } from '../ui/PagedList.tsx';
import { CaseRow } from './CaseRow.tsx';
import { useCases } from './casesApi.ts';
import { PLATFORM_WORDS, statusTone, statusWords } from './caseWords.ts';
import { OperatorFrame } from './OperatorFrame.tsx';

export function SearchPage() {
  const q = useSearch().get('q')?.trim() ?? '';
  const list = useCases(q);
  return (
    <OperatorFrame title={q ? `Results for ${q}` : 'Search'} error={list.error}>
      {q ? (
        <PagedList
          list={list}
          name="Results"
          row={({ id, at, platform, who, what, status }) => (
            <CaseRow
              key={id}
              id={id}
              at={at}
              what={what}
              note={[who, platform && (PLATFORM_WORDS[platform] ?? platform)].filter(Boolean).join(' · ')}
              status={{ tone: statusTone(status), words: statusWords(status) }}
            />
          )}
          empty={
            <EmptyNote title="No results">
              Try the person’s ID on the platform, the message ID, or the transaction hash.
            </EmptyNote>
          }
        />
      ) : (
        <EmptyNote title="Enter something to search for">
          A person (@name, a handle or a platform ID), a message ID or link, a tip, order, tab, payment or request ID,
          or a transaction hash.
        </EmptyNote>
      )}
    </OperatorFrame>
  );
}

// Whose page it is: for visitors, on the poster, and in the owner's preview.
import type { PublicHandlePage } from '../../../../src/http/api/handlePageAnswers.ts';
import { Avatar } from '../../ui/Avatar.tsx';

export function PageHead({
  page: { handle, kind, line, picture, branding },
  businessWord,
  heading: Heading = 'h1',
}: {
  page: Pick<PublicHandlePage, 'handle' | 'kind' | 'line' | 'picture' | 'branding'>;
  /** What a business is called in the reader's language. */
  businessWord: string;
  /** A preview is no heading of the page that it stands on. */
  heading?: 'h1' | 'p';
}) {
  return (
    <div className="flex flex-col items-center gap-3 text-center">
      {picture ? (
        <img src={picture} alt="" width={80} height={80} className="size-20 rounded-full bg-soft object-cover" />
      ) : (
        <Avatar name={handle} size="huge" />
      )}
      <Heading className="flex flex-col gap-1 text-xl font-semibold tracking-tight break-words">
        {branding?.name && <bdi>{branding.name}</bdi>}
        <span className={`break-all ${branding?.name ? 'text-base text-muted' : ''}`}>@{handle}</span>
      </Heading>
      {kind === 'business' && <p className="-mt-2 text-sm text-muted">{businessWord}</p>}
      {line && (
        <p dir="auto" className="max-w-90 break-words text-muted">
          {line}
        </p>
      )}
    </div>
  );
}

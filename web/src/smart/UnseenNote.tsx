// The wallet sent it, and the service has not seen it.
import { Button } from '../ui/Button.tsx';
import { type DroppedWords, MayBeDropped } from '../ui/MayBeDropped.tsx';
import type { Unseen } from './useUnseen.ts';

export function UnseenNote({
  unseen: { since, isLooking, look, forget },
  words,
  isOver = false,
}: {
  unseen: Unseen;
  words: DroppedWords & { notSeen: string; checkStatus: string };
  /** Nothing can be paid again. */
  isOver?: boolean;
}) {
  return (
    <div data-unseen="" className="flex flex-col gap-3">
      <p role="status" className="text-sm text-amber">
        {words.notSeen}
      </p>
      <Button className="self-start max-sm:w-full" disabled={isLooking} onClick={look}>
        {words.checkStatus}
      </Button>
      <MayBeDropped since={since} words={words} onAgain={isOver ? null : forget} />
    </div>
  );
}

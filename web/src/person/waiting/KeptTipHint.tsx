// On the page of limits: what was typed before connecting is kept meanwhile, and the way back to it.
import { useEffect, useRef } from 'react';
import { ButtonLink } from '../../ui/Button.tsx';
import { platformName } from './TipCard.tsx';
import { useKeptTips } from './tipsApi.ts';

const REFRESH_MS = 10_000;

/** @param rightsAt where the right is signed, when that is further down */
export function KeptTipHint({ rightsAt }: { rightsAt?: string | undefined }) {
  const { data: tips = [] } = useKeptTips(REFRESH_MS);
  const blocked = tips.find(({ refusal }) => refusal === 'sender_receive_only');
  const line = useRef<HTMLDivElement>(null);
  const wasBlocked = useRef(false);
  // The signature stands lower on the page than the way back.
  useEffect(() => {
    if (wasBlocked.current && !blocked) line.current?.scrollIntoView({ block: 'center' });
    wasBlocked.current = blocked !== undefined;
  }, [blocked]);
  if (tips.length === 0) return null;
  return (
    <div
      ref={line}
      role="status"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-2xl bg-soft px-4 py-3 sm:px-6"
    >
      <p className="min-w-0">
        {blocked
          ? `What you typed in ${platformName(blocked.platform)} before connecting is saved. Set a spending limit for that chat, then send it.`
          : 'What you typed before connecting is waiting for you to confirm it.'}
      </p>
      {!blocked && (
        <ButtonLink kind="filled" href="/tabs">
          Review and send
        </ButtonLink>
      )}
      {blocked && rightsAt && (
        <a href={rightsAt} className="text-sm font-medium text-accent underline underline-offset-4">
          View chats
        </a>
      )}
    </div>
  );
}

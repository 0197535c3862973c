// The face of a shop on its buyers' pages: its logo and name beside the handle that is paid, its colour, and the way to its help.
import type { CSSProperties } from 'react';
import { type Branding, supportHref, supportLabel } from '../../../../src/domain/branding.ts';
import { Avatar } from '../../ui/Avatar.tsx';

/** Colours go in as custom properties, by the style API: never as part of a style sheet or of markup. */
export function brandLook(branding: Branding | null): { className: string; style?: CSSProperties } {
  if (!branding?.accent) return { className: '' };
  const { light, dark } = branding.accent;
  return { className: 'branded', style: { '--brand-light': light, '--brand-dark': dark } as CSSProperties };
}

/** In a box of its own size, so that nothing moves when it comes; without one, the initial of the name. */
export function BrandLogo({ branding, handle }: { branding: Branding | null; handle: string }) {
  if (!branding?.logo_url) return <Avatar name={branding?.name ?? handle} size="large" />;
  return (
    <span className="inline-flex size-12 shrink-0 items-center justify-center overflow-hidden rounded-xl border border-line bg-[#ffffff] p-1 short:size-10">
      <img src={branding.logo_url} alt="" width={512} height={512} className="size-full object-contain" />
    </span>
  );
}

/** The name that the shop gave itself, and under it the handle that is paid, which is verified. */
export function BrandName({
  before,
  name,
  recipient,
  handle,
  after,
}: {
  /** `Pay` */
  before?: string;
  name: string;
  /** `Recipient` */
  recipient: string;
  handle: string;
  /** `business` */
  after?: string | null;
}) {
  return (
    <span className="flex min-w-0 flex-col">
      <span className="text-base text-muted">
        {before && `${before} `}
        <bdi className="font-semibold text-ink wrap-anywhere">{name}</bdi>
      </span>{' '}
      <span className="text-sm text-muted">
        {recipient} <b className="font-semibold text-ink wrap-anywhere">@{handle}</b>
        {after && <> · {after}</>}
      </span>
    </span>
  );
}

export function SupportLink({ support }: { support: string }) {
  return (
    <a
      href={supportHref(support)}
      target={support.startsWith('https://') ? '_blank' : undefined}
      rel="noreferrer"
      className="underline underline-offset-4 wrap-anywhere hover:text-accent"
    >
      {supportLabel(support)}
    </a>
  );
}

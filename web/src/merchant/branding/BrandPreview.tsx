// The checkout as buyers will see it, on a light and on a dark device.
import type { CSSProperties } from 'react';
import { type Accent, type Scheme, tintOf } from '../../../../src/domain/accent.ts';
import { BrandLogo, BrandName } from '../../payer/branding/Brand.tsx';
import { words } from '../../payer/checkout/words/en.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Figure } from '../../ui/Facts.tsx';

type Shown = { name: string | null; logo: string | null; accent: Accent | null; support: string | null };

export function BrandPreview({ shown, handle, kind }: { shown: Shown; handle: string; kind: string }) {
  return (
    <div className="grid gap-4 sm:max-lg:grid-cols-2">
      {(['light', 'dark'] as const).map((scheme) => (
        <OneScheme key={scheme} scheme={scheme} shown={shown} handle={handle} kind={kind} />
      ))}
    </div>
  );
}

function OneScheme({ scheme, shown, handle, kind }: { scheme: Scheme; shown: Shown; handle: string; kind: string }) {
  const { name, logo, accent, support } = shown;
  const branding = { name, logo_url: logo, accent, support };
  const hasFace = name !== null || logo !== null;
  const after = kind === 'business' ? words.business : null;
  const colour = accent?.[scheme];
  const style = colour ? ({ '--accent': colour, '--soft': tintOf(scheme, colour) } as CSSProperties) : undefined;
  return (
    <figure
      aria-label={`Preview, ${scheme}`}
      className={`look-${scheme} flex min-w-0 flex-col gap-4 rounded-2xl border border-line bg-paper p-4 text-ink`}
      style={style}
    >
      <div className="flex flex-col items-center gap-2 text-center">
        {hasFace ? (
          <span className="flex max-w-full items-center gap-3 text-left">
            <BrandLogo branding={branding} handle={handle} />
            <BrandName
              before={words.payTo}
              name={name ?? `@${handle}`}
              recipient={words.recipient}
              handle={handle}
              after={after}
            />
          </span>
        ) : (
          <>
            <Avatar name={handle} size="large" />
            <span className="text-muted">
              {words.payTo} <b className="font-semibold text-ink">@{handle}</b>
              {after && <> · {after}</>}
            </span>
          </>
        )}
        <Figure amount="12.50" currency="USDC" />
      </div>
      <span className="flex min-h-12 items-center justify-center rounded-lg bg-accent px-4 text-center font-bold text-on-accent">
        {words.payAmount('12.50 USDC')}
      </span>
      <span className="text-center text-sm text-accent">{words.fromAWallet}</span>
      {support && (
        <span className="text-center text-sm text-muted wrap-anywhere">
          {words.questions} {support}
        </span>
      )}
      <figcaption className="text-center text-sm text-muted">{scheme === 'light' ? 'Light' : 'Dark'}</figcaption>
    </figure>
  );
}

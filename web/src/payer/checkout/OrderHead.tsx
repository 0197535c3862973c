// What is to be paid, to whom, and where: the figure first.
import { Avatar } from '../../ui/Avatar.tsx';
import { Figure } from '../../ui/Facts.tsx';
import { BrandLogo, BrandName } from '../branding/Brand.tsx';
import type { Branding, Merchant } from './checkoutApi.ts';
import { useWords } from './language.ts';
import type { Words } from './words/en.ts';

export function OrderHead({
  verb,
  merchant,
  branding,
  amount,
  currency,
  description,
  face = true,
}: {
  /** What the money does: `Pay`. */
  verb: string;
  merchant: Merchant;
  branding: Branding | null;
  /** Null where the buyer chooses it. */
  amount: string | null;
  currency: string;
  description: string | null;
  face?: boolean;
}) {
  const words = useWords();
  const hasFace = Boolean(branding?.name || branding?.logo_url);
  return (
    <div className="flex flex-col items-center gap-2 text-center short:gap-1">
      {face && !hasFace && (
        <span className="contents short:hidden">
          <Avatar name={merchant.handle} size="large" />
        </span>
      )}
      <h1 className="flex flex-col items-center gap-2 short:gap-0">
        {hasFace ? (
          <span className="flex max-w-full items-center gap-3 pb-1 text-left short:pb-0">
            {face && <BrandLogo branding={branding} handle={merchant.handle} />}
            <BrandName
              before={verb}
              name={branding?.name ?? `@${merchant.handle}`}
              recipient={words.recipient}
              handle={merchant.handle}
              after={merchant.kind === 'business' ? words.business : null}
            />
          </span>
        ) : (
          <span className="text-base text-muted">
            {verb} <b className="font-semibold text-ink">@{merchant.handle}</b>
            {merchant.kind === 'business' && <> · {words.business}</>}
          </span>
        )}
        {amount !== null && <Figure amount={amount} currency={currency} />}
      </h1>
      {description && <p className="max-w-80 break-words">{description}</p>}
    </div>
  );
}

/** What the buyer pays on top: nothing for USDC; a native coin is sent by the wallet itself, which pays the network. */
export function feeWord(words: Words, { currency, chain_label }: { currency: string; chain_label: string }): string {
  return currency === 'USDC' ? words.noFeeOn(chain_label) : words.networkFeeOnly(chain_label);
}

// What is to be paid, to whom, and where: the figure first.
import { Avatar } from '../../ui/Avatar.tsx';
import { Figure } from '../../ui/Facts.tsx';
import type { Merchant } from './checkoutApi.ts';
import { useWords } from './language.ts';
import type { Words } from './words/en.ts';

export function OrderHead({
  verb,
  merchant,
  amount,
  currency,
  description,
  face = true,
}: {
  /** What the money does: `Pay`. */
  verb: string;
  merchant: Merchant;
  /** Null where the buyer chooses it. */
  amount: string | null;
  currency: string;
  description: string | null;
  face?: boolean;
}) {
  const words = useWords();
  return (
    <div className="flex flex-col items-center gap-2 text-center short:gap-1">
      {face && (
        <span className="contents short:hidden">
          <Avatar name={merchant.handle} size="large" />
        </span>
      )}
      <h1 className="flex flex-col items-center gap-2 short:gap-0">
        <span className="text-base text-muted">
          {verb} <b className="font-semibold text-ink">@{merchant.handle}</b>
          {merchant.kind === 'business' && <> · {words.business}</>}
        </span>
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

// The amount, typed or one of those that the owner suggests, and what the payer may write with it. The press begins an order.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { PublicHandlePage } from '../../../../src/http/api/handlePageAnswers.ts';
import { ApiError } from '../../app/apiError.ts';
import { padAmount, typedAmount } from '../../app/format.ts';
import { navigate } from '../../app/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { Fact, Facts } from '../../ui/Facts.tsx';
import { Field } from '../../ui/Field.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { AWAY_ID, type Away, AwayButtonNote } from '../checkout/Away.tsx';
import { amountProblem } from '../checkout/amountProblem.ts';
import { keepBegun, keepDraft, readDraft } from '../checkout/begun.ts';
import { useWords } from '../checkout/language.ts';
import { feeWord } from '../checkout/OrderHead.tsx';
import { problemWords } from '../checkout/problems.ts';
import { beginPayment } from './handlePageApi.ts';
import { forgetWords, keepWords, readWords, WordsFields, type Written } from './WordsFields.tsx';

export function PayForm({
  page,
  away,
  disabled,
  onMissing,
}: {
  page: PublicHandlePage;
  away: Away;
  disabled: boolean;
  /** The page was switched off meanwhile. */
  onMissing: () => void;
}) {
  const words = useWords();
  const client = useQueryClient();
  const key = `@${page.handle}`;
  const { currency } = page;
  const [typed, setTyped] = useState(() => readDraft(key));
  const [written, setWritten] = useState(() => readWords(key));
  const [problem, setProblem] = useState<string | null>(null);
  const open = { ...page, min_amount: null, max_amount: null };
  const begin = useMutation({
    mutationFn: () => beginPayment(page.handle, { amount: typed, ...paymentWords(written, page.show_messages) }),
    onSuccess: ({ order }) => {
      keepBegun(key, order.id);
      forgetWords(key);
      void client.invalidateQueries({ queryKey: ['checkout', order.id] });
      // The way back leads here, where what was begun is known and no second order is made.
      navigate(`/o/${order.id}`);
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'resource_missing') onMissing();
    },
  });
  const choose = (amount: string) => {
    setTyped(amount);
    keepDraft(key, amount);
    setProblem(null);
    begin.reset();
  };
  const write = (change: Partial<Written>) => {
    const next = { ...written, ...change };
    setWritten(next);
    keepWords(key, next);
    begin.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = amountProblem(words, typed, open);
    setProblem(found);
    if (found === null) begin.mutate();
    else (event.currentTarget as HTMLFormElement).querySelector<HTMLInputElement>('input[name=amount]')?.focus();
  };
  const isReady = amountProblem(words, typed, open) === null;
  const shown = isReady ? words.payAmount(`${padAmount(typed)} ${currency}`) : words.pay;
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-6">
      <div className="flex flex-col gap-3">
        {page.suggested_amounts.length > 0 && (
          <fieldset className="grid grid-cols-2 gap-2 min-[24rem]:grid-cols-4">
            <legend className="sr-only">{words.handlePage.suggested}</legend>
            {page.suggested_amounts.map((amount) => (
              <Button
                key={amount}
                aria-pressed={typed !== '' && padAmount(typed) === padAmount(amount)}
                className="amount min-h-12! min-w-0 px-2! aria-pressed:border-accent aria-pressed:bg-soft aria-pressed:font-semibold aria-pressed:text-accent"
                onClick={() => choose(amount)}
              >
                {padAmount(amount)}
              </Button>
            ))}
          </fieldset>
        )}
        <Field
          label={words.amount}
          name="amount"
          inputMode="decimal"
          after={currency}
          placeholder="0.00"
          className="[&_input]:text-xl [&_input]:font-semibold"
          maxLength={30}
          value={typed}
          error={problem}
          onChange={(event) => choose(typedAmount(event.target.value))}
        />
        <WordsFields handle={page.handle} canShow={page.show_messages} written={written} onWrite={write} />
      </div>
      <Facts>
        <Fact name={words.network}>{page.chain_label}</Fact>
        <Fact name={words.fee}>{feeWord(words, page)}</Fact>
      </Facts>
      <Button
        type="submit"
        kind={typed === '' ? 'outlined' : 'filled'}
        className="min-h-14! py-2 text-base!"
        disabled={disabled || away !== null || begin.isPending || begin.isSuccess}
        aria-describedby={away ? AWAY_ID : undefined}
      >
        {begin.isPending || begin.isSuccess ? words.moment : typed === '' ? words.amountFirst : shown}
      </Button>
      <AwayButtonNote away={away} />
      {begin.isError && <ErrorNote>{problemWords(begin.error)}</ErrorNote>}
      <p className="text-center text-sm text-muted">{words.nextStep}</p>
    </form>
  );
}

/** Without a note there is nothing to agree to, nor where the page shows none. */
function paymentWords({ name, note, mayShow }: Written, canShow: boolean) {
  const [shownName, shownNote] = [name.trim(), note.trim()];
  return {
    ...(shownName && { name: shownName }),
    ...(shownNote && { note: shownNote }),
    ...(shownNote && canShow && mayShow && { may_show: true }),
  };
}

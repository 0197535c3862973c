// The page of a handle, `/@alice`: an amount and a press begin an order, whose checkout has every way to pay.
import { useEffect } from 'react';
import type { PublicHandlePage } from '../../../../src/http/api/handlePageAnswers.ts';
import { padAmount } from '../../app/format.ts';
import { usePath } from '../../app/router.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { EmptyNote, ErrorNote } from '../../ui/notices.tsx';
import { ShareButton } from '../../ui/ShareButton.tsx';
import { type Away, AwayBanner, useAway } from '../checkout/Away.tsx';
import { CheckoutFrame } from '../checkout/CheckoutFrame.tsx';
import { isAway } from '../checkout/checkoutApi.ts';
import { useBegun } from '../checkout/LinkPage.tsx';
import { useWords } from '../checkout/language.ts';
import { Loading } from '../checkout/Missing.tsx';
import { problemWords } from '../checkout/problems.ts';
import { handleAt } from './handlePageApi.ts';
import { Messages } from './Messages.tsx';
import { NoPage } from './NoPage.tsx';
import { PageHead } from './PageHead.tsx';
import { PayForm } from './PayForm.tsx';
import { usePage } from './usePage.ts';

export function HandlePage() {
  const words = useWords();
  const handle = handleAt(usePath());
  const { page, error, isMissing, refetch } = usePage(handle);
  const away = useAway(isAway(error));
  const title = page ? words.handlePage.titleOf(page.handle) : words.pay;
  useEffect(() => {
    document.title = `${title} · Ampersat`;
  }, [title]);
  return (
    <CheckoutFrame livemode={page?.livemode ?? true} branding={page?.branding ?? null}>
      {page ? (
        <>
          <AwayBanner away={away} />
          <PageView key={page.handle} page={page} away={away} refetch={refetch} />
        </>
      ) : isMissing ? (
        <NoPage />
      ) : error ? (
        <>
          <h1 className="sr-only">{words.pay}</h1>
          <ErrorNote retry={refetch} retryWord={words.tryAgain}>
            {problemWords(error)}
          </ErrorNote>
        </>
      ) : (
        <Loading />
      )}
    </CheckoutFrame>
  );
}

function PageView({ page, away, refetch }: { page: PublicHandlePage; away: Away; refetch: () => void }) {
  const words = useWords();
  const begun = useBegun(`@${page.handle}`);
  return (
    <>
      <PageHead page={page} businessWord={words.business} />
      {begun.order ? (
        <section
          aria-label={words.startedBefore}
          className="flex flex-col gap-3 rounded-2xl border border-line bg-soft p-4"
        >
          <p className="text-sm">
            {words.handlePage.youStarted(`${padAmount(begun.order.order.amount)} ${begun.order.order.currency}`)}
          </p>
          <ButtonLink kind="filled" className="min-h-14! py-2 text-base!" href={`/o/${begun.order.order.id}`}>
            {words.continueOrder}
          </ButtonLink>
          <Button kind="plain" className="self-center" onClick={begun.forget}>
            {words.startOver}
          </Button>
        </section>
      ) : page.payable ? (
        <PayForm page={page} away={away} disabled={begun.isLooking} onMissing={refetch} />
      ) : (
        <EmptyNote title={words.handlePage.notPayable(page.handle, page.chain_label)}>{null}</EmptyNote>
      )}
      <Messages messages={page.messages} />
      <div className="flex justify-center">
        <ShareButton
          path={`/@${page.handle}`}
          title={`${words.handlePage.titleOf(page.handle)} · Ampersat`}
          text={words.handlePage.share(page.handle)}
          words={words}
        />
      </div>
    </>
  );
}

// What the page of a handle asks of the service. None of it needs a session.
import { readHandlePagePath } from '../../../../src/domain/handlePage.ts';
import type { PublicHandlePage } from '../../../../src/http/api/handlePageAnswers.ts';
import { callApi } from '../../app/api.ts';

/** The handle that a path names, or null where it can be none. */
export const handleAt = (path: string) => readHandlePagePath(path)?.slug ?? null;

export const pageAtHandle = (handle: string) => `/checkout/handles/${handle}`;

export const fetchPage = (handle: string, signal?: AbortSignal) =>
  callApi<{ page: PublicHandlePage }>('GET', pageAtHandle(handle), undefined, signal);

export type PagePayment = { amount: string; name?: string; note?: string; may_show?: boolean };

export const beginPayment = (handle: string, payment: PagePayment) =>
  callApi<{ order: { id: string } }>('POST', pageAtHandle(handle), payment);

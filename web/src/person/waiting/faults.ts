// Which errors are shown where they happened: an expired session is shown above the page already.
import { ApiError } from '../../app/apiError.ts';

export function isWorthTelling(error: Error | null): error is Error {
  return error !== null && !(error instanceof ApiError && error.code === 'session_required');
}

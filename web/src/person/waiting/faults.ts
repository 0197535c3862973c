// Which errors are told where they happened: a session that is over is told above the page already.
import { ApiError } from '../../app/api.ts';

export function isWorthTelling(error: Error | null): error is Error {
  return error !== null && !(error instanceof ApiError && error.code === 'session_required');
}

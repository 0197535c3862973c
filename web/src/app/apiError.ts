// What a call of the pages fails with.
import type { ErrorCode } from '../../../src/domain/errors.ts';

/** `code` is the service's, or `unreachable` when none came from it, or `unreadable` when it was no answer of ours. */
export class ApiError extends Error {
  readonly code: ErrorCode | 'unreachable' | 'unreadable';

  constructor(code: ApiError['code'], message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ApiError';
    this.code = code;
  }
}

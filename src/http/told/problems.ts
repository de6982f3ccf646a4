import { ERRORS, type ErrorCode, ShingledError } from '../../errors.ts';
import { shownText } from '../bodies/content-type.ts';
import type { ProblemJson } from '../schemas/operation.schema.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Failures of ours: what went wrong inside is nobody's business, and goes to the log. */
const SILENT: readonly ErrorCode[] = ['internal', 'index-unreadable'];

/** The body of an error answer (RFC 9457). */
export function problemOf(error: ShingledError, requestId: string): ProblemJson {
  const { code, status, title, field, limit } = error;
  const silent = SILENT.includes(code) || ERRORS[code].status === 500;
  return {
    type: `urn:shingled:error:${code}`,
    title,
    status,
    code,
    detail: silent ? 'What happened is in the log, under this requestId.' : error.message,
    requestId,
    ...(field === undefined ? {} : { field }),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** What frameworks throw, as errors of ours, by their codes. */
const OURS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported-media-type', 'The Content-Type is not of the form type/subtype'],
  FST_ERR_CTP_EMPTY_TYPE: ['unsupported-media-type', 'The Content-Type is empty'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['body-too-large', 'The body is too large.'],
  FST_ERR_BAD_URL: ['malformed-request', 'The path is not percent-encoded UTF-8.'],
  FST_ERR_MAX_PARAM_LENGTH: ['uri-too-long', 'A part of the path is too long.'],
};

/**
 * Any error that reaches the edge, as one of ours; what nobody foresaw is `internal`.
 *
 * @param contentType of the request
 */
export function toShingledError(error: unknown, contentType = ''): ShingledError {
  if (error instanceof ShingledError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const [ours, detail] = OURS[code] ?? ['internal', 'An unexpected error.'];
  if (ours !== 'unsupported-media-type') return new ShingledError(ours, detail, { cause: error });
  const came = `${detail}: "${shownText(contentType)}".`;
  return new ShingledError(ours, came, { field: 'content-type', cause: error });
}

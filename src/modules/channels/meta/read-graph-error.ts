import { SECOND_MS } from '../../../core/limits/units.ts'
import type { ProviderError, ProviderErrorClass } from '../inbound.ts'
import {
  readFields,
  readId,
  readProviderJson,
  readText,
  type Fields,
} from '../provider/read-values.ts'

/**
 * A function that classifies the codes of a product of Meta; `fields` is the whole error. The class of unknown codes
 * is `other`.
 */
export type ClassifyCode = (
  code: number,
  fields: Fields,
) => Pick<ProviderError, 'class' | 'retryAfterMs' | 'stopsMarketing'>

const MESSAGE_CHARS = 500

/**
 * Parses an error object of Meta, in a response (`error`) or in a failed status (`errors[]`). Returns null when it
 * has no code. Spec: Flows › Effects.
 */
export function readErrorFields(value: unknown, classify: ClassifyCode): ProviderError | null {
  const fields = readFields(value)
  const code = Number(readId(fields.code) ?? Number.NaN)
  if (!Number.isSafeInteger(code)) {
    return null
  }
  const said = readText(fields.message) ?? readText(fields.title) ?? ''
  const details = readText(readFields(fields.error_data).details)
  return {
    code: String(code),
    message: cut([...new Set([said, details ?? ''])].filter((part) => part !== '').join(': ')),
    ...classify(code, fields),
  }
}

/** Parses the error in a response body of Meta's Graph API. Returns null when the body is not one of Meta's. */
export function readGraphError(body: string, classify: ClassifyCode): ProviderError | null {
  return readErrorFields(readFields(readProviderJson(body)).error, classify)
}

/** Returns the error of a refusal by Meta's Graph API, whatever its body. `retryAfter` is the header's value. */
export function readRefusal(
  { status, body, retryAfter }: { status: number; body: string; retryAfter?: string | undefined },
  classify: ClassifyCode,
): ProviderError {
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : null
  const byStatus = classOfStatus(status)
  const error = readGraphError(body, classify) ?? {
    code: `http_${status}`,
    class: byStatus,
    message: '',
  }
  return {
    ...error,
    // The class of a known code is more exact than that of the HTTP status.
    class: error.class === 'other' || status === 401 ? byStatus : error.class,
    ...(seconds === null ? {} : { retryAfterMs: seconds * SECOND_MS }),
  }
}

function classOfStatus(httpStatus: number): ProviderErrorClass {
  if (httpStatus === 401) {
    return 'auth'
  }
  if (httpStatus === 429) {
    return 'rate'
  }
  return httpStatus >= 500 || httpStatus === 408 ? 'transient' : 'other'
}

function cut(message: string): string {
  return message.slice(0, MESSAGE_CHARS).toWellFormed()
}

/** Converts a table of codes by class to a lookup by code. */
export function classesByCode(
  codes: Partial<Record<ProviderErrorClass, readonly number[]>>,
): ReadonlyMap<number, ProviderErrorClass> {
  return new Map(
    (Object.entries(codes) as [ProviderErrorClass, readonly number[]][]).flatMap(
      ([errorClass, some]) => some.map((code) => [code, errorClass] as const),
    ),
  )
}

/** Providers of call reports: verification and parsing. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { VOICE_LIMITS } from '../../../core/limits/messaging.ts'
import type { RawWebhook } from '../channel-adapter.ts'
import type { CallReport } from './call-report.ts'

/** The functions that verify and parse the call reports of one provider. Spec: Provider forms › Voice. */
export type ReportProvider = {
  mayBeGenuine(headers: IncomingHttpHeaders): boolean
  /** Verifies a report in constant time, and its age where the provider dates it. */
  isSigned(raw: RawWebhook, secret: string, now: Date): boolean
  /** Parses a report. `toRead`: the transcript must be loaded from the provider. */
  read(
    report: unknown,
  ): { call: CallReport } | { toRead: Record<string, string> } | { ignored: string }
}

/** Returns whether a signed time differs from the present by no more than the tolerance, in the past or the future. */
export function isFresh(atMs: number, now: Date): boolean {
  return Math.abs(now.getTime() - atMs) <= VOICE_LIMITS.signatureAgeMs
}

/** Returns whether two texts are equal, in constant time. */
export function isSameText(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(expected))
}

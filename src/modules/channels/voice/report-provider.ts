/** Who reports calls: how it proves that it is the one, and what it writes. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { VOICE_LIMITS } from '../../../core/limits/messaging.ts'
import type { RawWebhook } from '../channel-adapter.ts'
import type { CallReport } from './call-report.ts'

/** Spec: Provider forms › Voice. */
export type ReportProvider = {
  mayBeGenuine(headers: IncomingHttpHeaders): boolean
  /** In constant time, and no older than the limits allow where the provider dates what it posts. */
  isSigned(raw: RawWebhook, secret: string, now: Date): boolean
  /** `toRead`: what was said is to be read at the provider. */
  read(
    report: unknown,
  ): { call: CallReport } | { toRead: Record<string, string> } | { ignored: string }
}

export function isFresh(atMs: number, now: Date): boolean {
  return Math.abs(now.getTime() - atMs) <= VOICE_LIMITS.signatureAgeMs
}

/** In a time that tells nothing of where they differ. */
export function isSameText(given: string, wanted: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(wanted))
}

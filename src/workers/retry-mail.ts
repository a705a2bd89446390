import { MAIL_LIMITS } from '../core/limits/accounts.ts'
import { MailFailed } from '../infra/mail/mailer.ts'

/** Returns when a failed e-mail is retried; null when it is given up. `attempt` counts from 1. */
export function mailAgainAt(error: unknown, attempt: number, now: Date): Date | null {
  if (error instanceof MailFailed && error.isFinal) return null
  const delayMs = MAIL_LIMITS.retryDelaysMs[attempt - 1]
  return delayMs === undefined ? null : new Date(now.getTime() + delayMs)
}

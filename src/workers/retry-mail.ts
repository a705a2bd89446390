import { MAIL_LIMITS } from '../core/limits/accounts.ts'
import { MailFailed } from '../infra/mail/mailer.ts'

/** Returns when a failed e-mail is retried; null when it is given up. `attempt` counts from 1. */
export function mailAgainAt(error: unknown, attempt: number, now: Date): Date | null {
  return error instanceof MailFailed && error.isFinal ? null : retryAt(attempt, now)
}

/** Returns the time of the attempt after a given one; null when that was the last one. `attempt` counts from 1. */
export function retryAt(attempt: number, now: Date): Date | null {
  const delayMs = MAIL_LIMITS.retryDelaysMs[attempt - 1]
  return delayMs === undefined ? null : new Date(now.getTime() + delayMs)
}

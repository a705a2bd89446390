import { MESSAGING_LIMITS } from '../../core/limits/messaging.ts'

/**
 * Returns the provider's time of an event, or the time of arrival when the former is missing, in the future or
 * implausibly early. Spec: reading F18.
 */
export function readProviderTime(reported: Date | null, now: Date): Date {
  const isBelieved =
    reported !== null && reported <= now && reported.getTime() >= MESSAGING_LIMITS.earliestMs
  return isBelieved ? reported : now
}

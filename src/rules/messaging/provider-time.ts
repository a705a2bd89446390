import { MESSAGING_LIMITS } from '../../core/limits/messaging.ts'

/**
 * The time of what a provider told, as far as it can be believed: one that it did not give, that lies
 * ahead of us or before any provider is the time of arrival. Spec: reading F18.
 */
export function readProviderTime(told: Date | null, now: Date): Date {
  const isBelieved = told !== null && told <= now && told.getTime() >= MESSAGING_LIMITS.earliestMs
  return isBelieved ? told : now
}

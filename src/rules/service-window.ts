import { MESSAGING_LIMITS } from '../limits.ts'

/** When the service window closes that a customer's message, received at this time, opens anew. */
export function serviceWindowEndsAt(customerMessageAt: Date): Date {
  return new Date(customerMessageAt.getTime() + MESSAGING_LIMITS.serviceWindowMs)
}

/**
 * Decides whether a message that is not a template may be sent now: for 24 hours after the
 * customer's last message. Spec: Channel capabilities › Messaging rule.
 */
export function isServiceWindowOpen(lastCustomerMessageAt: Date | null, now: Date): boolean {
  if (lastCustomerMessageAt === null) return false
  return now.getTime() < serviceWindowEndsAt(lastCustomerMessageAt).getTime()
}

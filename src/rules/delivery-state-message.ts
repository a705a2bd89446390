import type { AttemptError, DeliveryKind, DeliveryState } from '../vocabulary.ts'

export type StateOfDelivery = {
  state: DeliveryState
  kind: DeliveryKind
  attempts: number
  lastError: AttemptError | null
  dueAt: string | null
  isEndpointOn: boolean
  isEndpointDeleted: boolean
  isInPlan: boolean
}

/** Why a delivery is in its state, and what a person can do. Spec: States › Delivery. */
export function stateMessage(delivery: StateOfDelivery): string {
  switch (delivery.state) {
    case 'pending':
      return delivery.attempts === 0
        ? 'It waits for its first attempt.'
        : `Attempt ${delivery.attempts} failed. The next one is due at ${delivery.dueAt}.`
    case 'delivered':
      return 'The endpoint took it.'
    case 'dead_lettered':
      return `${whyDead(delivery)} ${whatNow(delivery)}`
    case 'held':
      return `${whyHeld(delivery)} It expires 7 days after it was made.`
    case 'superseded':
      return 'A resend of this event was delivered meanwhile, so nothing more is sent.'
    case 'cancelled':
      return 'The endpoint was deleted while it waited.'
    case 'expired':
      return `It waited for 7 days without being delivered. ${whatNow(delivery)}`
  }
}

function whyDead({ kind, lastError, attempts }: StateOfDelivery): string {
  if (kind === 'test') return 'The test failed. Tests are never retried.'
  if (lastError === 'gone') return 'The endpoint answered 410 Gone, so it is not tried again.'
  return `All attempts failed (${attempts}).`
}

function whatNow({ kind, isEndpointOn, isEndpointDeleted, isInPlan }: StateOfDelivery): string {
  if (kind === 'test') return 'Put right what its attempt tells, then send another test.'
  if (isEndpointDeleted) return 'Its endpoint is deleted.'
  if (!isInPlan) return 'Return to the Business plan to resend it.'
  return isEndpointOn
    ? 'Put right what its attempts tell, then resend it.'
    : 'Put right what its attempts tell, switch the endpoint on, then resend it.'
}

function whyHeld({ isEndpointOn, isInPlan }: StateOfDelivery): string {
  if (!isInPlan) return 'Held: the plan has no webhooks. Return to the Business plan, then send it.'
  if (!isEndpointOn) return 'Held: the endpoint is off. Switch it on, then send what was held.'
  return 'Held while the endpoint was off or the plan had no webhooks. Send what was held.'
}

import type { WhatNow } from '../../core/facts/delivery-log.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { RETENTION } from '../../core/limits/retention.ts'
import { DAY_MS } from '../../core/limits/units.ts'
import type { AttemptError, DeliveryKind, DeliveryState } from '../../core/vocabulary/deliveries.ts'

/** The facts that explain a delivery's state. */
export type DeliveryStateInputs = {
  state: DeliveryState
  kind: DeliveryKind
  attempts: number
  lastError: AttemptError | null
  lastResend: { state: DeliveryState } | null
  dueAt: string | null
  isEndpointOn: boolean
  isEndpointDeleted: boolean
  isInPlan: boolean
}

const HELD_DAYS = RETENTION.waitingEventMs / DAY_MS

/** Returns the reason for a delivery's state and what a member can do. Spec: States › Delivery. */
export function stateMessage(delivery: DeliveryStateInputs): Fact {
  const { attempts } = delivery
  switch (delivery.state) {
    case 'pending':
      return attempts === 0 || delivery.dueAt === null
        ? fact('delivery_waits')
        : fact('delivery_waits_again', { attempts, dueAt: delivery.dueAt })
    case 'dead_lettered':
      return fact('delivery_dead', { why: whyDead(delivery), attempts, now: whatNow(delivery) })
    case 'held':
      return fact('delivery_held', { why: whyHeld(delivery), attempts, days: HELD_DAYS })
    case 'expired':
      return fact('delivery_expired', { days: HELD_DAYS, now: whatNow(delivery) })
    case 'delivered':
    case 'superseded':
    case 'cancelled':
      return fact(`delivery_${delivery.state}`)
  }
}

function whyDead({ kind, lastError }: DeliveryStateInputs) {
  if (kind === 'test') return 'test'
  return lastError === 'gone' ? 'gone' : 'all_failed'
}

function whatNow(delivery: DeliveryStateInputs): WhatNow {
  const { kind, attempts, lastResend, isEndpointOn, isEndpointDeleted, isInPlan } = delivery
  if (kind === 'test') return 'send_another_test'
  if (lastResend?.state === 'delivered') return 'resend_delivered'
  if (lastResend?.state === 'pending' || lastResend?.state === 'held') return 'resend_waits'
  if (isEndpointDeleted) return 'endpoint_deleted'
  if (!isInPlan) return 'back_to_plan'
  if (attempts === 0) return isEndpointOn ? 'resend_untried' : 'switch_on_untried'
  return isEndpointOn ? 'resend' : 'switch_on'
}

function whyHeld({ isEndpointOn, isInPlan }: DeliveryStateInputs) {
  if (!isInPlan) return 'plan'
  return isEndpointOn ? 'was_off' : 'off'
}

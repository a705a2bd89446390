import type { Clock } from '../time.ts'
import { isByHand, personAt, type Entry, type SendStatus, type SimulatedMessage } from './book.ts'
import type { Numbers } from './business-number.ts'
import type { Ledger } from './ledger.ts'
import type { Timers } from '../timers.ts'
import { statusWebhook } from './webhook-values.ts'
import type { WebhookSwitches } from './webhook-queue.ts'

/** Advances the statuses of sent messages. */
export type StatusProgress = {
  /** Advances a message from its current status: sent, delivered and, if phones read automatically, read. */
  advance: (wamid: string) => void
  /** Opens the chat as the customer, which reads all delivered messages. */
  readChat: (phoneNumberId: string, customer: string) => void
}

/**
 * Advances sent messages by one status every `stepMs`; a status and its webhook are one journal line. `onRead`
 * receives each read message once.
 */
export function createStatusProgress(options: {
  ledger: Ledger
  numbers: Numbers
  clock: Clock
  timers: Timers
  switches: WebhookSwitches
  stepMs: number
  /** The phones that read automatically: all, those without manual answers, or none. */
  readsAlone: 'all' | 'not_by_hand' | 'none'
  onRead: (message: SimulatedMessage) => void
}): StatusProgress {
  const { ledger, numbers, clock, timers, switches, stepMs, readsAlone, onRead } = options

  /** Returns the remaining statuses of a message, in order. */
  function stepsOf({
    status,
    failsWith,
    customer,
  }: SimulatedMessage): Exclude<SendStatus, 'accepted'>[] {
    if (status === 'accepted' && failsWith !== null) {
      return ['failed']
    }
    const isReadAlone =
      readsAlone === 'all' || (readsAlone === 'not_by_hand' && !isByHand(ledger.book, customer))
    const all = ['sent', 'delivered', ...(isReadAlone ? (['read'] as const) : [])] as const
    const done = ['accepted', 'sent', 'delivered', 'read', 'failed'].indexOf(status)
    return status === 'failed' ? [] : all.slice(done)
  }

  function applyStatuses(
    message: SimulatedMessage,
    steps: Exclude<SendStatus, 'accepted'>[],
  ): void {
    const number = numbers.get(message.phoneNumberId)
    if (number === undefined || steps.length === 0) {
      return
    }
    const person = personAt(ledger.book, message.customer)
    const at = clock.now().getTime()
    const webhooks = steps.map((status): Entry => {
      return { kind: 'webhook', webhook: statusWebhook(number, person, message, status, at) }
    })
    ledger.commit([
      ...steps.map((status): Entry => ({ kind: 'status', wamid: message.wamid, status, at })),
      ...(switches.shuffleStatuses ? webhooks.toReversed() : webhooks),
    ])
    if (steps.includes('read')) {
      onRead(message)
    }
  }

  function advance(wamid: string): void {
    const message = ledger.book.messages.get(wamid)
    const isOver = message?.direction !== 'to_customer' || stepsOf(message).length === 0
    if (isOver || !numbers.has(message.phoneNumberId)) {
      return
    }
    timers.after(stepMs, () => {
      const steps = stepsOf(message)
      // To send statuses in the wrong order, all of them must be known first.
      applyStatuses(message, switches.shuffleStatuses ? steps : steps.slice(0, 1))
      advance(wamid)
    })
  }

  return {
    advance,
    readChat(phoneNumberId, customer) {
      for (const message of ledger.book.messages.values()) {
        const isHere = message.phoneNumberId === phoneNumberId && message.customer === customer
        if (isHere && message.direction === 'to_customer' && message.status === 'delivered') {
          applyStatuses(message, ['read'])
        }
      }
    },
  }
}

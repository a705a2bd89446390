import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { signMetaWebhook } from '../sign-meta-webhook.ts'
import { SIMULATOR_LIMITS } from '../limits.ts'
import type { Activity } from '../activity.ts'
import type { PendingWebhook } from './book.ts'
import type { BusinessNumber, Numbers } from './business-number.ts'
import type { Ledger } from './ledger.ts'
import type { SimulatorLog } from '../provider.ts'
import { writeMetaJson } from '../meta-json.ts'
import { webhookBody } from './webhook-values.ts'

/** Faults of webhooks, all of which occur at Meta. */
export type WebhookSwitches = {
  /** Every POST is made twice. */
  deliverTwice: boolean
  /** The statuses of a message go out in the wrong order, the last one first. */
  shuffleStatuses: boolean
  /** All pending webhooks are sent in one POST. */
  batch: boolean
  /** Delay in ms before each POST. */
  delayMs: number
  /** The number of attempts after which a webhook is deferred until the next start. */
  attempts: number
}

/** Webhooks as Meta usually sends them, without faults. */
export const USUAL_SWITCHES: WebhookSwitches = {
  deliverTwice: false,
  shuffleStatuses: false,
  batch: false,
  delayMs: 0,
  attempts: SIMULATOR_LIMITS.attempts,
}

/** The queue of webhooks of all numbers. */
export type WebhookQueue = {
  /** Sends the pending webhooks of this number. */
  wake: (phoneNumberId: string) => void
  stop: () => Promise<void>
}

type QueueOptions = {
  ledger: Ledger
  numbers: Numbers
  /** Business accounts that have unsubscribed their app. */
  unsubscribed: ReadonlySet<string>
  switches: WebhookSwitches
  activity: Activity
  log: SimulatorLog
}

type NumberQueue = { waiting: PendingWebhook[]; isRunning: boolean }

/**
 * Posts signed webhooks to the receivers of their numbers, one after the other for each number, until the receiver
 * answers 2xx. Unanswered webhooks are in the journal and are sent at the next start, so a receiver gets every webhook
 * at least once.
 */
export function startWebhookQueue(options: QueueOptions): WebhookQueue {
  const { ledger, numbers, switches, activity, log } = options
  const queues = new Map<string, NumberQueue>()
  const stopped = new AbortController()
  const { deliver, end: closeConnections } = createDelivery(options, stopped.signal)

  function queueOf(phoneNumberId: string): NumberQueue {
    const queue = queues.get(phoneNumberId) ?? { waiting: [], isRunning: false }
    queues.set(phoneNumberId, queue)
    return queue
  }

  function wake(phoneNumberId: string): void {
    const queue = queueOf(phoneNumberId)
    const number = numbers.get(phoneNumberId)
    if (queue.isRunning || number === undefined || queue.waiting.length === 0) {
      return
    }
    queue.isRunning = true
    const end = activity.begin()
    drain(number, queue)
      .catch((error: unknown) => {
        if (!stopped.signal.aborted) {
          log(`Simulator: webhooks could not be sent: ${String(error)}`)
        }
      })
      .finally(() => {
        queue.isRunning = false
        end()
      })
  }

  async function drain(number: BusinessNumber, queue: NumberQueue): Promise<void> {
    while (queue.waiting.length > 0) {
      if (switches.delayMs > 0) {
        await pause(switches.delayMs, undefined, { signal: stopped.signal })
      }
      const taken = queue.waiting.splice(0, switches.batch ? SIMULATOR_LIMITS.changesPerBatch : 1)
      // When too many webhooks were waiting, the oldest were deleted.
      const webhooks = taken.filter(({ id }) => ledger.book.webhooks.has(id))
      if (webhooks.length > 0) {
        await deliver(numbers.get(number.phoneNumberId) ?? number, webhooks)
      }
    }
  }

  const stopListening = ledger.onCommit((entries) => {
    const added = entries.flatMap((entry) => (entry.kind === 'webhook' ? [entry.webhook] : []))
    for (const webhook of added) {
      queueOf(webhook.phoneNumberId).waiting.push(webhook)
    }
    for (const phoneNumberId of new Set(added.map((webhook) => webhook.phoneNumberId))) {
      wake(phoneNumberId)
    }
  })
  for (const webhook of ledger.book.webhooks.values()) {
    queueOf(webhook.phoneNumberId).waiting.push(webhook)
  }

  return {
    wake,
    async stop() {
      stopListening()
      stopped.abort()
      await closeConnections()
    },
  }
}

/** Returns a function that posts webhooks until they are answered or deferred, and one that closes its connections. */
function createDelivery(
  { ledger, unsubscribed, switches, log }: QueueOptions,
  signal: AbortSignal,
) {
  const { post, end } = createPost(signal)

  async function deliver(number: BusinessNumber, webhooks: PendingWebhook[]): Promise<void> {
    const body = writeMetaJson(webhookBody(webhooks))
    for (let attempt = 1; ; attempt += 1) {
      // Meta drops webhooks without a subscribed app.
      const isUnheard = unsubscribed.has(number.businessAccountId)
      const outcome = isUnheard ? null : await post(number, body)
      if (outcome === null) {
        if (switches.deliverTwice && !isUnheard) {
          await post(number, body)
        }
        ledger.commit(webhooks.map(({ id }) => ({ kind: 'webhook_answered', id })))
        return
      }
      if (attempt >= switches.attempts) {
        const to = `${number.webhookUrl} (${outcome})`
        log(`Simulator: a webhook to ${to} is deferred until the next start`)
        return
      }
      const { retryFirstMs, maxRetryMs } = SIMULATOR_LIMITS
      const waitMs = Math.min(retryFirstMs * 2 ** (attempt - 1), maxRetryMs)
      await pause(waitMs, undefined, { signal })
    }
  }

  return { deliver, end }
}

/** Returns a function that posts a body once, and one that closes its connections. */
function createPost(signal: AbortSignal) {
  const agent = new Agent({
    allowH2: false,
    connections: SIMULATOR_LIMITS.concurrentWebhooks,
    pipelining: 1,
  })
  return {
    end: () => agent.destroy(),
    /** Posts a body. Returns null on success, and the reason of a failure otherwise. @throws Error after a stop */
    async post(number: BusinessNumber, body: Buffer): Promise<string | null> {
      try {
        const answer = await request(number.webhookUrl, {
          dispatcher: agent,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'user-agent': 'facebookexternalua',
            'x-hub-signature-256': signMetaWebhook(body, number.appSecret),
          },
          body,
          headersTimeout: SIMULATOR_LIMITS.answerMs,
          bodyTimeout: SIMULATOR_LIMITS.answerMs,
          signal,
        })
        await answer.body.dump()
        const isTaken = answer.statusCode >= 200 && answer.statusCode < 300
        return isTaken ? null : `answered ${answer.statusCode}`
      } catch (error) {
        signal.throwIfAborted()
        return error instanceof Error ? error.message : 'no answer'
      }
    },
  }
}

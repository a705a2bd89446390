/** Posts a bot's updates to its webhook, one after the other, until each is answered with 2xx. */
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { Clock } from '../time.ts'
import type { Activity } from '../activity.ts'
import type { SimulatorLog } from '../provider.ts'
import { SIMULATOR_LIMITS } from '../limits.ts'
import type { TelegramBook, Update, WebhookSetting } from './book.ts'

/** Faults of webhooks, all of which occur at Telegram. */
export type TelegramSwitches = {
  /** Every update is posted twice. */
  deliverTwice: boolean
  /** The number of attempts of a post. */
  attempts: number
}

/** The state and the functions with which updates are posted. */
export type PostDeps = {
  book: TelegramBook
  switches: TelegramSwitches
  activity: Activity
  clock: Clock
  log: SimulatorLog
}

/** Creates the sender that posts updates to bots' webhooks, in order and with retries. */
export function createUpdateSender({ book, switches, activity, clock, log }: PostDeps) {
  const posting = new Set<string>()
  const failures = new Map<string, { at: number; message: string }>()
  const stopped = new AbortController()
  const agent = new Agent({ connections: SIMULATOR_LIMITS.concurrentWebhooks, pipelining: 1 })

  async function drain(botId: string): Promise<void> {
    for (let attempt = 1; attempt <= switches.attempts;) {
      const [update] = book.updatesOf(botId)
      // The webhook may have been switched off or changed meanwhile.
      const setting = book.webhookOf(botId)
      if (!update || !setting) return
      const why = await post(setting, update)
      if (why === null) {
        failures.delete(botId)
        if (switches.deliverTwice) await post(setting, update)
        book.commit([{ kind: 'confirmed', botId, before: update.updateId + 1 }])
        attempt = 1
        continue
      }
      failures.set(botId, { at: clock.now().getTime(), message: why })
      const { retryFirstMs, maxRetryMs } = SIMULATOR_LIMITS
      const waitMs = Math.min(retryFirstMs * 2 ** (attempt - 1), maxRetryMs)
      attempt += 1
      await pause(waitMs, undefined, { signal: stopped.signal })
    }
    log(`Simulator: the updates of ${botId} wait for the next update`)
  }

  /** Posts an update. Returns null on success, and the reason of a failure otherwise. @throws Error after a stop */
  async function post({ url, secret }: WebhookSetting, update: Update): Promise<string | null> {
    try {
      const answer = await request(url, {
        dispatcher: agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(secret === null ? {} : { 'x-telegram-bot-api-secret-token': secret }),
        },
        body: JSON.stringify({ update_id: update.updateId, ...update.body }),
        headersTimeout: SIMULATOR_LIMITS.answerMs,
        bodyTimeout: SIMULATOR_LIMITS.answerMs,
        signal: stopped.signal,
      })
      await answer.body.dump()
      const isTaken = answer.statusCode >= 200 && answer.statusCode < 300
      return isTaken ? null : `Wrong response from the webhook: ${answer.statusCode}`
    } catch (error) {
      stopped.signal.throwIfAborted()
      return error instanceof Error ? error.message : 'no answer'
    }
  }

  return {
    /** Posts pending updates, unless that is in progress. */
    begin(botId: string): void {
      if (posting.has(botId) || book.updatesOf(botId).length === 0) return
      posting.add(botId)
      const end = activity.begin()
      drain(botId)
        .catch((error: unknown) => {
          if (!stopped.signal.aborted) log(`Simulator: an update was not posted: ${String(error)}`)
        })
        .finally(() => {
          posting.delete(botId)
          end()
        })
    },
    lastFailure: (botId: string) => failures.get(botId) ?? null,
    async stop(): Promise<void> {
      stopped.abort()
      await agent.destroy()
    },
  }
}

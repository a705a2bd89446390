import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { signMetaWebhook } from '../sign-meta-webhook.ts'
import { createActivity } from '../activity.ts'
import { SIMULATOR_LIMITS } from '../limits.ts'
import { writeMetaJson } from '../meta-json.ts'
import type { MessagingAccount, MessagingSwitches, Product } from './messaging-account.ts'

const OBJECTS: Record<Product, string> = { messenger: 'page', instagram: 'instagram' }

type Item = Record<string, unknown>

/**
 * Posts items to the receiver of their account, signed, one after the other for each account, until the
 * receiver says 2xx.
 */
export function createWebhookSender(options: {
  product: Product
  accounts: ReadonlyMap<string, MessagingAccount>
  switches: MessagingSwitches
  now(): number
  log(line: string): void
  /** Runs when no item is pending any longer. */
  onEmpty(): void
}) {
  const { product, accounts, switches, now, log, onEmpty } = options
  const activity = createActivity()
  const stopped = new AbortController()
  const agent = new Agent({ allowH2: false, connections: 4, pipelining: 1 })
  const tails = new Map<string, Promise<void>>()
  let waiting = 0

  async function post(accountId: string, list: string, item: Item): Promise<void> {
    const entry = { id: accountId, time: now(), [list]: [item] }
    const body = { object: OBJECTS[product], entry: [entry] }
    const bytes = writeMetaJson(body)
    const sent = switches.numericIds ? withNumericIds(bytes) : bytes
    for (let copy = 0; copy < (switches.deliverTwice ? 2 : 1); copy += 1) {
      await postUntilAccepted(accountId, sent)
    }
  }

  async function postUntilAccepted(accountId: string, bytes: Buffer): Promise<void> {
    let waitMs: number = SIMULATOR_LIMITS.retryFirstMs
    for (let attempt = 0; attempt < SIMULATOR_LIMITS.attempts; attempt += 1) {
      const account = accounts.get(accountId)
      if (!account) return
      const status = await postOnce(account, bytes)
      if (status >= 200 && status < 300) return
      await pause(waitMs, undefined, { signal: stopped.signal })
      waitMs = Math.min(waitMs * 2, SIMULATOR_LIMITS.maxRetryMs)
    }
    log(`Simulator: a webhook of ${accountId} was given up: no attempt was answered with 2xx`)
  }

  async function postOnce(account: MessagingAccount, bytes: Buffer): Promise<number> {
    try {
      const { statusCode, body } = await request(account.webhookUrl, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'facebookexternalua',
          'x-hub-signature-256': signMetaWebhook(bytes, account.appSecret),
        },
        body: bytes,
        dispatcher: agent,
        signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(SIMULATOR_LIMITS.answerMs)]),
      })
      await body.dump()
      return statusCode
    } catch (error) {
      if (stopped.signal.aborted) throw error
      return 0
    }
  }

  return {
    /** Adds an item to the account's queue, which is sent in order. */
    add(accountId: string, item: Item, list: 'messaging' | 'standby' = 'messaging'): void {
      const end = activity.begin()
      waiting += 1
      const next = (tails.get(accountId) ?? Promise.resolve())
        .then(() => post(accountId, list, item))
        .catch((error: unknown) => {
          if (!stopped.signal.aborted) log(`Simulator: a webhook failed: ${String(error)}`)
        })
        .finally(() => {
          waiting -= 1
          end()
          if (waiting === 0) onEmpty()
        })
      tails.set(accountId, next)
    },
    waiting: () => waiting,
    idle: activity.idle,
    async stop(): Promise<void> {
      stopped.abort()
      await agent.destroy()
    },
  }
}

/** Writes ids as numbers, as some of Meta's webhooks do. */
function withNumericIds(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('ascii').replaceAll(/"id":"(\d+)"/g, '"id":$1'), 'ascii')
}

/**
 * The claimed messages of one process: one queue per channel, at the channel's rate. Accounts, and companies within
 * them, take turns. The database keeps the rate for all processes. Messages in memory and at providers are limited in
 * total, per account and per channel.
 */
import { SEND_LIMITS } from '../core/limits/messaging.ts'
import type { ClaimedMessage } from '../modules/messaging/queue-message.ts'
import { createWaitingSends, type Begun } from './waiting-sends.ts'

/** The queues of claimed messages, one per channel. */
export type SendQueues = {
  /** Returns whether the channel has space for one more claimed message. */
  hasRoom(channelId: string): boolean
  /** Returns the channels without such space. */
  full(): string[]
  /** Returns how many more messages may be claimed. */
  free(): number
  /** Adds claimed messages, and sends those that may begin. */
  take(messages: readonly ClaimedMessage[]): void
  /** Returns the number of messages that wait or are in progress. */
  claimed(): number
  /** Removes the queues of channels that have sent nothing for a while. */
  forget(): void
  /** Removes and returns the waiting messages. */
  empty(): ClaimedMessage[]
  /** Resolves when no message is claimed. */
  whenEmpty(): Promise<void>
}

/**
 * Creates the queues of claimed messages, one per channel, that send at the channel's rate.
 * @param deps.send sends one message; it never rejects. It returns the delay in ms when the channel's rate is
 * exhausted, else null
 * @param deps.onEnd runs after each message
 */
export function createSendQueues(deps: {
  send(message: ClaimedMessage): Promise<number | null>
  onEnd(): void
}): SendQueues {
  const waiting = createWaitingSends()
  const waitingForEmpty: (() => void)[] = []
  let underWay = 0
  let timer: NodeJS.Timeout | null = null
  const claimed = () => waiting.count() + underWay

  /** Begins the messages that may begin; runs again when the rate of a channel allows its next one. */
  function pump() {
    if (timer) clearTimeout(timer)
    timer = null
    const nowMs = performance.now()
    while (underWay < SEND_LIMITS.maxConcurrent) {
      const begun = waiting.next(nowMs)
      if (typeof begun !== 'number') {
        void begin(begun)
        continue
      }
      if (begun < Infinity) timer = setTimeout(pump, Math.ceil(begun))
      return
    }
  }

  async function begin({ message, end }: Begun) {
    underWay += 1
    const waitMs = await deps.send(message)
    end()
    underWay -= 1
    if (waitMs !== null) waiting.putBack(message, performance.now() + waitMs)
    notifyIfEmpty()
    deps.onEnd()
    pump()
  }

  function notifyIfEmpty() {
    if (claimed() > 0) return
    for (const notify of waitingForEmpty.splice(0)) notify()
  }

  return {
    hasRoom: waiting.hasRoom,
    full: () => waiting.channels().filter((channelId) => !waiting.hasRoom(channelId)),
    free: () => Math.max(0, SEND_LIMITS.claimed - waiting.count()),
    take(messages) {
      for (const message of messages) waiting.add(message)
      if (messages.length > 0) pump()
    },
    claimed,
    forget: waiting.forget,
    empty() {
      const left = waiting.empty()
      notifyIfEmpty()
      return left
    },
    whenEmpty: () =>
      claimed() === 0
        ? Promise.resolve()
        : new Promise((resolve) => void waitingForEmpty.push(resolve)),
  }
}

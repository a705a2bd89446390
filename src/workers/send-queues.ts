/**
 * What one process has in hand to send: a lane for each number, the lanes in turn by account and company, each at
 * the rate of its number, which the database keeps for all processes. Bounded in memory, at the providers, and for each account and number.
 */
import { SEND_LIMITS } from '../core/limits/messaging.ts'
import type { ClaimedMessage } from '../modules/messaging/queue-message.ts'
import { createWaitingSends, type Begun } from './waiting-sends.ts'

export type SendQueues = {
  /** Whether one more message of this channel may be taken in hand. */
  hasRoom(channelId: string): boolean
  /** Channels that have none. */
  full(): string[]
  free(): number
  take(messages: readonly ClaimedMessage[]): void
  /** Under way and waiting for it. */
  inHand(): number
  /** Forgets numbers that have sent nothing for a while. */
  forget(): void
  /** Takes what waits away. */
  empty(): ClaimedMessage[]
  /** Resolves when nothing is in hand. */
  whenEmpty(): Promise<void>
}

/**
 * @param send sends one message; it never rejects. Returns after how many milliseconds it is to be sent again where its
 * number has sent as many as it may, else null. Told of each that has ended by `onEnd`.
 */
export function createSendQueues(deps: {
  send(message: ClaimedMessage): Promise<number | null>
  onEnd(): void
}): SendQueues {
  const waiting = createWaitingSends()
  const waitingForEmpty: (() => void)[] = []
  let underWay = 0
  let timer: NodeJS.Timeout | null = null
  const inHand = () => waiting.count() + underWay

  /** Begins what may begin; comes again when the pace of a number allows its next. */
  function pump() {
    if (timer) clearTimeout(timer)
    timer = null
    const nowMs = performance.now()
    while (underWay < SEND_LIMITS.atOnce) {
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
    tellIfEmpty()
    deps.onEnd()
    pump()
  }

  function tellIfEmpty() {
    if (inHand() > 0) return
    for (const tell of waitingForEmpty.splice(0)) tell()
  }

  return {
    hasRoom: waiting.hasRoom,
    full: () => waiting.channels().filter((channelId) => !waiting.hasRoom(channelId)),
    free: () => Math.max(0, SEND_LIMITS.inHand - waiting.count()),
    take(messages) {
      for (const message of messages) waiting.add(message)
      if (messages.length > 0) pump()
    },
    inHand,
    forget: waiting.forget,
    empty() {
      const left = waiting.empty()
      tellIfEmpty()
      return left
    },
    whenEmpty: () =>
      inHand() === 0
        ? Promise.resolve()
        : new Promise((resolve) => void waitingForEmpty.push(resolve)),
  }
}

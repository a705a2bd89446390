/**
 * What one process has in hand to send: a lane for each number, the lanes in turn by account and company, each at
 * the pace of its number. Bounded in memory, at the providers, and for each account and number.
 */
import { SEND_LIMITS } from '../limits/messaging.ts'
import type { MessageInHand } from '../messaging/queue-message.ts'
import { createPace, type Pace } from './pace.ts'
import { createTurns } from './turns.ts'

type Lane = {
  company: Company
  waiting: MessageInHand[]
  underWay: number
  pace: Pace
  isCoexistence: boolean
}
type Company = {
  accountId: string
  companyId: string
  lanes: Map<string, Lane>
  waiting: number
  underWay: number
}

export type SendLanes = {
  /** Whether one more message of this channel may be taken in hand. */
  hasRoom(channelId: string): boolean
  /** Channels that have none. */
  full(): string[]
  free(): number
  take(messages: readonly MessageInHand[]): void
  /** Under way and waiting for it. */
  inHand(): number
  /** Forgets numbers that have sent nothing for a while. */
  forget(): void
  /** Takes what waits away. */
  empty(): MessageInHand[]
  /** Resolves when nothing is in hand. */
  whenEmpty(): Promise<void>
}

/** @param send sends one message; it never rejects. Told of each that has ended by `onEnd`. */
export function createSendLanes(deps: {
  send(message: MessageInHand): Promise<void>
  onEnd(): void
}): SendLanes {
  const companies = createTurns<Company>(() => false)
  const lanes = new Map<string, Lane>()
  const waitingForEmpty: (() => void)[] = []
  let waiting = 0
  let underWay = 0
  let timer: NodeJS.Timeout | null = null

  function laneOf({ accountId, companyId, channel }: MessageInHand): Lane {
    const known = lanes.get(channel.id)
    if (known?.isCoexistence === channel.isCoexistence) return known
    const pace = createPace(channel)
    const { isCoexistence } = channel
    const company = companies.of(accountId, companyId, () => ({
      accountId,
      companyId,
      lanes: new Map<string, Lane>(),
      waiting: 0,
      underWay: 0,
    }))
    const lane: Lane = known ?? { company, waiting: [], underWay: 0, pace, isCoexistence }
    Object.assign(lane, { pace, isCoexistence })
    lanes.set(channel.id, lane)
    company.lanes.set(channel.id, lane)
    return lane
  }

  /** How many messages of an account wait, or are under way. */
  const ofAccount = (accountId: string, count: 'waiting' | 'underWay'): number =>
    companies.ofAccount(accountId).reduce((sum, company) => sum + company[count], 0)

  /** Begins what may begin; comes again when the pace of a number allows its next. */
  function pump() {
    if (timer) clearTimeout(timer)
    timer = null
    const nowMs = performance.now()
    let soonestMs = Infinity
    for (;;) {
      if (underWay >= SEND_LIMITS.atOnce) return
      const begun = companies.next((company) => {
        const waitMs = beginOne(company, nowMs)
        soonestMs = Math.min(soonestMs, waitMs === 0 ? Infinity : waitMs)
        return waitMs === 0 ? company : null
      })
      if (!begun) break
    }
    if (soonestMs < Infinity) timer = setTimeout(pump, Math.ceil(soonestMs))
  }

  /** Begins one message of a company. 0 when it did, else how long none of its numbers may send. */
  function beginOne(company: Company, nowMs: number): number {
    if (company.waiting === 0) return Infinity
    if (ofAccount(company.accountId, 'underWay') >= SEND_LIMITS.atOncePerAccount) return Infinity
    let soonestMs = Infinity
    for (const [channelId, lane] of company.lanes) {
      if (lane.waiting.length === 0 || lane.underWay >= SEND_LIMITS.atOncePerChannel) continue
      const waitMs = lane.pace.waitMs(nowMs)
      if (waitMs === 0) {
        company.lanes.delete(channelId)
        company.lanes.set(channelId, lane)
        begin(company, lane, nowMs)
        return 0
      }
      soonestMs = Math.min(soonestMs, waitMs)
    }
    return soonestMs
  }

  function begin(company: Company, lane: Lane, nowMs: number) {
    const message = lane.waiting.shift()!
    lane.pace.begun(nowMs)
    waiting -= 1
    company.waiting -= 1
    for (const counted of [company, lane]) counted.underWay += 1
    underWay += 1
    void deps.send(message).finally(() => {
      for (const counted of [company, lane]) counted.underWay -= 1
      underWay -= 1
      tellIfEmpty()
      deps.onEnd()
      pump()
    })
  }

  function tellIfEmpty() {
    if (waiting + underWay > 0) return
    for (const tell of waitingForEmpty.splice(0)) tell()
  }

  function hasRoom(channelId: string): boolean {
    const lane = lanes.get(channelId)
    if (waiting >= SEND_LIMITS.inHand) return false
    if (!lane) return true
    const isShareTaken =
      ofAccount(lane.company.accountId, 'waiting') >= SEND_LIMITS.inHandPerAccount
    return !isShareTaken && lane.waiting.length < SEND_LIMITS.inHandPerChannel
  }

  return {
    hasRoom,
    full: () => [...lanes.keys()].filter((channelId) => !hasRoom(channelId)),
    free: () => Math.max(0, SEND_LIMITS.inHand - waiting),
    take(messages) {
      for (const message of messages) {
        const { waiting: line, company } = laneOf(message)
        company.waiting += 1
        // Staff goes ahead of flows; within a lane the order is that of arrival.
        const behind = line.findIndex(({ lane }) => lane > message.lane)
        line.splice(behind === -1 ? line.length : behind, 0, message)
      }
      waiting += messages.length
      if (messages.length > 0) pump()
    },
    inHand: () => waiting + underWay,
    forget() {
      const nowMs = performance.now()
      for (const [channelId, { company, ...lane }] of lanes) {
        if (lane.waiting.length + lane.underWay > 0 || !lane.pace.isAtRest(nowMs)) continue
        lanes.delete(channelId)
        company.lanes.delete(channelId)
        if (company.lanes.size === 0) companies.remove(company)
      }
    },
    empty() {
      const left = [...lanes.values()].flatMap((lane) => lane.waiting.splice(0))
      waiting = 0
      for (const { company } of lanes.values()) company.waiting = 0
      tellIfEmpty()
      return left
    },
    whenEmpty: () =>
      waiting + underWay === 0
        ? Promise.resolve()
        : new Promise((resolve) => void waitingForEmpty.push(resolve)),
  }
}

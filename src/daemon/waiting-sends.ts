/**
 * Messages that wait in memory for the turn of their number, and how many of each number, company and account are under
 * way: no number, and no account, takes all places.
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

/** A message whose turn it is. It is under way until `end`. */
export type Begun = { message: MessageInHand; end(): void }

export function createWaitingSends() {
  const companies = createTurns<Company>(() => false)
  const lanes = new Map<string, Lane>()
  let waiting = 0

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

  /** Begins one message of a company; else tells how long none of its numbers may send. */
  function beginOne(company: Company, nowMs: number): Begun | number {
    if (company.waiting === 0) return Infinity
    if (ofAccount(company.accountId, 'underWay') >= SEND_LIMITS.atOncePerAccount) return Infinity
    let soonestMs = Infinity
    for (const [channelId, lane] of company.lanes) {
      if (lane.waiting.length === 0 || lane.underWay >= SEND_LIMITS.atOncePerChannel) continue
      const waitMs = lane.pace.waitMs(nowMs)
      if (waitMs === 0) {
        company.lanes.delete(channelId)
        company.lanes.set(channelId, lane)
        waiting -= 1
        return begin(lane, nowMs)
      }
      soonestMs = Math.min(soonestMs, waitMs)
    }
    return soonestMs
  }

  return {
    count: () => waiting,
    hasRoom(channelId: string): boolean {
      if (waiting >= SEND_LIMITS.inHand) return false
      const lane = lanes.get(channelId)
      if (!lane) return true
      const ofIts = ofAccount(lane.company.accountId, 'waiting')
      return (
        ofIts < SEND_LIMITS.inHandPerAccount && lane.waiting.length < SEND_LIMITS.inHandPerChannel
      )
    },
    channels: () => [...lanes.keys()],
    add(message: MessageInHand): void {
      const { waiting: line, company } = laneOf(message)
      company.waiting += 1
      waiting += 1
      // Staff goes ahead of flows; within a lane the order is that of arrival.
      const behind = line.findIndex(({ lane }) => lane > message.lane)
      line.splice(behind === -1 ? line.length : behind, 0, message)
    },
    /** Begins the next message by turns of accounts; else tells how long none may be sent. */
    next(nowMs: number): Begun | number {
      let soonestMs = Infinity
      const begun = companies.next((company) => {
        const one = beginOne(company, nowMs)
        if (typeof one !== 'number') return one
        soonestMs = Math.min(soonestMs, one)
        return null
      })
      return begun ?? soonestMs
    },
    /** Forgets numbers that have sent nothing for a while. */
    forget(): void {
      const nowMs = performance.now()
      for (const [channelId, { company, ...lane }] of lanes) {
        if (lane.waiting.length + lane.underWay > 0 || !lane.pace.isAtRest(nowMs)) continue
        lanes.delete(channelId)
        company.lanes.delete(channelId)
        if (company.lanes.size === 0) companies.remove(company)
      }
    },
    /** Takes what waits away. */
    empty(): MessageInHand[] {
      const left = [...lanes.values()].flatMap((lane) => lane.waiting.splice(0))
      waiting = 0
      for (const { company } of lanes.values()) company.waiting = 0
      return left
    },
  }
}

/** The first message of a lane is under way from now on. */
function begin(lane: Lane, nowMs: number): Begun {
  const { company } = lane
  const message = lane.waiting.shift()!
  lane.pace.begun(nowMs)
  company.waiting -= 1
  for (const counted of [company, lane]) counted.underWay += 1
  return {
    message,
    end() {
      for (const counted of [company, lane]) counted.underWay -= 1
    },
  }
}

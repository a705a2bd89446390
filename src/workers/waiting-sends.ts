/**
 * Messages in memory that wait for their channel's turn, and the counts per channel, company and account, which keep
 * one account from taking all slots.
 */
import { SEND_LIMITS } from '../core/limits/messaging.ts'
import type { ClaimedMessage } from '../modules/messaging/queue-message.ts'
import { createTurns } from './turns.ts'

type Lane = {
  company: Company
  waiting: ClaimedMessage[]
  underWay: number
  /** The channel's rate is exhausted until this time, by `performance.now()`. */
  heldUntilMs: number
}
type Company = {
  accountId: string
  companyId: string
  lanes: Map<string, Lane>
  waiting: number
  underWay: number
}

/** A message whose turn it is, in progress until `end`. */
export type Begun = { message: ClaimedMessage; end(): void }

export function createWaitingSends() {
  const companies = createTurns<Company>(() => false)
  const lanes = new Map<string, Lane>()
  const order = createOrder()
  let waiting = 0

  function laneOf({ accountId, companyId, channel }: ClaimedMessage): Lane {
    const known = lanes.get(channel.id)
    if (known) return known
    const company = companies.of(accountId, companyId, () => newCompany(accountId, companyId))
    const lane: Lane = { company, waiting: [], underWay: 0, heldUntilMs: -Infinity }
    lanes.set(channel.id, lane)
    company.lanes.set(channel.id, lane)
    return lane
  }

  function put(message: ClaimedMessage): Lane {
    const lane = laneOf(message)
    lane.company.waiting += 1
    waiting += 1
    const behind = lane.waiting.findIndex((other) => order.isBehind(other, message))
    lane.waiting.splice(behind === -1 ? lane.waiting.length : behind, 0, message)
    return lane
  }

  /** Returns the number of an account's messages that wait or are in progress. */
  const ofAccount = (accountId: string, count: 'waiting' | 'underWay'): number =>
    companies.ofAccount(accountId).reduce((sum, company) => sum + company[count], 0)

  /** Begins one message of a company; else tells how long none of its numbers may send. */
  function beginOne(company: Company, nowMs: number): Begun | number {
    if (company.waiting === 0) return Infinity
    if (ofAccount(company.accountId, 'underWay') >= SEND_LIMITS.atOncePerAccount) return Infinity
    let soonestMs = Infinity
    for (const [channelId, lane] of company.lanes) {
      if (lane.waiting.length === 0 || lane.underWay >= SEND_LIMITS.atOncePerChannel) continue
      const waitMs = lane.heldUntilMs - nowMs
      if (waitMs <= 0) {
        company.lanes.delete(channelId)
        company.lanes.set(channelId, lane)
        waiting -= 1
        return begin(lane)
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
    add(message: ClaimedMessage): void {
      order.note(message)
      put(message)
    },
    /** Puts back what may not begin before a time; nor may anything else of its number. */
    putBack(message: ClaimedMessage, heldUntilMs: number): void {
      const lane = put(message)
      lane.heldUntilMs = Math.max(lane.heldUntilMs, heldUntilMs)
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
        if (lane.waiting.length + lane.underWay > 0 || lane.heldUntilMs > nowMs) continue
        lanes.delete(channelId)
        company.lanes.delete(channelId)
        if (company.lanes.size === 0) companies.remove(company)
      }
    },
    /** Takes what waits away. */
    empty(): ClaimedMessage[] {
      const left = [...lanes.values()].flatMap((lane) => lane.waiting.splice(0))
      waiting = 0
      for (const { company } of lanes.values()) company.waiting = 0
      return left
    },
  }
}

function newCompany(accountId: string, companyId: string): Company {
  return { accountId, companyId, lanes: new Map(), waiting: 0, underWay: 0 }
}

/** The order in which the messages of a number go out: staff's ahead of flows', within a lane as they arrived. */
function createOrder() {
  const arrivals = new WeakMap<ClaimedMessage, number>()
  let arrived = 0
  return {
    note(message: ClaimedMessage): void {
      arrived += 1
      arrivals.set(message, arrived)
    },
    isBehind: (one: ClaimedMessage, other: ClaimedMessage): boolean =>
      one.lane === other.lane ? arrivals.get(one)! > arrivals.get(other)! : one.lane > other.lane,
  }
}

/** Marks the first message of a queue as in progress. */
function begin(lane: Lane): Begun {
  const { company } = lane
  const message = lane.waiting.shift()!
  company.waiting -= 1
  for (const counted of [company, lane]) counted.underWay += 1
  return {
    message,
    end() {
      for (const counted of [company, lane]) counted.underWay -= 1
    },
  }
}

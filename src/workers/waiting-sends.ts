/**
 * Messages in memory that wait for their channel's turn, and the counts per channel, company and account, which keep
 * one account from taking all slots.
 */
import { SEND_LIMITS } from '../core/limits/messaging.ts'
import type { ClaimedMessage } from '../modules/messaging/queue-message.ts'
import { createRoundRobin } from './round-robin.ts'

type SendQueue = {
  company: Company
  waiting: ClaimedMessage[]
  underWay: number
  /** The channel's rate is exhausted until this time, by `performance.now()`. */
  heldUntilMs: number
}
type Company = {
  accountId: string
  companyId: string
  queues: Map<string, SendQueue>
  waiting: number
  underWay: number
}

/** A message whose turn it is, in progress until `end`. */
export type Begun = { message: ClaimedMessage; end(): void }

/** Creates the list, in memory, of claimed messages that wait for their channel's rate, in fair order. */
export function createWaitingSends() {
  const companies = createRoundRobin<Company>(() => false)
  const queues = new Map<string, SendQueue>()
  const order = createOrder()
  let waiting = 0

  function queueOf({ accountId, companyId, channel }: ClaimedMessage): SendQueue {
    const known = queues.get(channel.id)
    if (known) return known
    const company = companies.of(accountId, companyId, () => newCompany(accountId, companyId))
    const queue: SendQueue = { company, waiting: [], underWay: 0, heldUntilMs: -Infinity }
    queues.set(channel.id, queue)
    company.queues.set(channel.id, queue)
    return queue
  }

  function put(message: ClaimedMessage): SendQueue {
    const queue = queueOf(message)
    queue.company.waiting += 1
    waiting += 1
    const behind = queue.waiting.findIndex((other) => order.isBehind(other, message))
    queue.waiting.splice(behind === -1 ? queue.waiting.length : behind, 0, message)
    return queue
  }

  /** Returns the number of an account's messages that wait or are in progress. */
  const ofAccount = (accountId: string, count: 'waiting' | 'underWay'): number =>
    companies.ofAccount(accountId).reduce((sum, company) => sum + company[count], 0)

  /** Begins one message of a company; else returns the time until one of its channels may send. */
  function beginOne(company: Company, nowMs: number): Begun | number {
    if (company.waiting === 0) return Infinity
    if (ofAccount(company.accountId, 'underWay') >= SEND_LIMITS.maxConcurrentPerAccount)
      return Infinity
    let soonestMs = Infinity
    for (const [channelId, queue] of company.queues) {
      if (queue.waiting.length === 0 || isFull(queue)) continue
      const waitMs = queue.heldUntilMs - nowMs
      if (waitMs <= 0) {
        company.queues.delete(channelId)
        company.queues.set(channelId, queue)
        waiting -= 1
        return begin(queue)
      }
      soonestMs = Math.min(soonestMs, waitMs)
    }
    return soonestMs
  }

  return {
    count: () => waiting,
    hasRoom(channelId: string): boolean {
      if (waiting >= SEND_LIMITS.claimed) return false
      const queue = queues.get(channelId)
      if (!queue) return true
      const ofIts = ofAccount(queue.company.accountId, 'waiting')
      return (
        ofIts < SEND_LIMITS.claimedPerAccount &&
        queue.waiting.length < SEND_LIMITS.claimedPerChannel
      )
    },
    channels: () => [...queues.keys()],
    add(message: ClaimedMessage): void {
      order.note(message)
      put(message)
    },
    /** Puts a message back. Until `heldUntilMs` no message of its channel may begin. */
    putBack(message: ClaimedMessage, heldUntilMs: number): void {
      const queue = put(message)
      queue.heldUntilMs = Math.max(queue.heldUntilMs, heldUntilMs)
    },
    /** Begins the next message by round-robin over accounts; else returns the time until one may be sent. */
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
    /** Removes the queues of channels that have sent nothing for a while. */
    forget(): void {
      const nowMs = performance.now()
      for (const [channelId, { company, ...queue }] of queues) {
        if (queue.waiting.length + queue.underWay > 0 || queue.heldUntilMs > nowMs) continue
        queues.delete(channelId)
        company.queues.delete(channelId)
        if (company.queues.size === 0) companies.remove(company)
      }
    },
    /** Removes and returns the waiting messages. */
    empty(): ClaimedMessage[] {
      const left = [...queues.values()].flatMap((queue) => queue.waiting.splice(0))
      waiting = 0
      for (const { company } of queues.values()) company.waiting = 0
      return left
    },
  }
}

function newCompany(accountId: string, companyId: string): Company {
  return { accountId, companyId, queues: new Map(), waiting: 0, underWay: 0 }
}

/** Creates the order of a channel's messages: by priority (staff before flows), then by arrival. */
function createOrder() {
  const arrivals = new WeakMap<ClaimedMessage, number>()
  let arrived = 0
  return {
    note(message: ClaimedMessage): void {
      arrived += 1
      arrivals.set(message, arrived)
    },
    isBehind: (one: ClaimedMessage, other: ClaimedMessage): boolean =>
      one.priority === other.priority
        ? arrivals.get(one)! > arrivals.get(other)!
        : one.priority > other.priority,
  }
}

/** Returns whether a channel has as many messages in progress as it may have. */
const isFull = ({ underWay }: SendQueue): boolean => underWay >= SEND_LIMITS.maxConcurrentPerChannel

/** Marks the first message of a queue as in progress. */
function begin(queue: SendQueue): Begun {
  const { company } = queue
  const message = queue.waiting.shift()!
  company.waiting -= 1
  for (const counted of [company, queue]) counted.underWay += 1
  return {
    message,
    end() {
      for (const counted of [company, queue]) counted.underWay -= 1
    },
  }
}

import type { TLSSocket } from 'node:tls'
import type { Client } from 'undici'

/** The right to one socket to one origin: empty until it is opened, then kept alive between requests. */
export type SocketSlot = {
  readonly queue: OriginQueue
  connection: {
    client: Client
    socket: TLSSocket
    /** The peer's address, read once, because each read is a system call. */
    remoteAddress: string | null
    /** Prepares the socket for a response; runs before each request. */
    expectAnswer(): void
    openedAt: number
  } | null
}

type OriginQueue = { origin: string; size: number; idle: SocketSlot[]; waiters: Set<Waiter> }
/** A request that waits for a slot; with `isFresh` it takes only an unused connection. */
type Waiter = { isFresh: boolean; give(slot: SocketSlot): void }

/** The maximum number of sockets to one origin, and to all origins together. */
export type SlotCaps = { perOrigin: number; total: number }

/** Age at which a socket is closed, so that requests follow a name to its new address. */
const SOCKET_LIFE_MS = 60_000

/**
 * A pool of sockets that requests take one at a time, within a maximum per origin and in total. It lends the most
 * recently used socket first. Requests without a free socket wait in order; the longest idle socket of another origin is
 * closed for them. While a request waits for the total, no socket is idle.
 */
export class SocketSlots {
  readonly #caps: SlotCaps
  readonly #queues = new Map<string, OriginQueue>()
  /** Oldest first, over all origins. */
  readonly #idle = new Set<SocketSlot>()
  /** Queues below their own cap whose waiters wait for the total. */
  readonly #starved = new Set<OriginQueue>()
  #total = 0
  #waiting = 0

  constructor(caps: SlotCaps) {
    this.#caps = caps
  }

  get counts(): { sockets: number; idle: number; waiting: number; origins: number } {
    return {
      sockets: this.#total,
      idle: this.#idle.size,
      waiting: this.#waiting,
      origins: this.#queues.size,
    }
  }

  /**
   * Returns a slot for one request, or null when none became free within `waitMs`. With `isFresh` the slot's
   * connection is new.
   */
  async take(origin: string, waitMs: number, isFresh: boolean): Promise<SocketSlot | null> {
    const queue = this.#queue(origin)
    for (let idle = queue.idle.pop(); idle !== undefined; idle = queue.idle.pop()) {
      this.#idle.delete(idle)
      if (!isFresh && isUsable(idle)) return idle
      this.#discard(idle)
    }
    if (queue.size < this.#caps.perOrigin) {
      if (this.#total >= this.#caps.total) this.#evictOldestIdle()
      if (this.#total < this.#caps.total) return this.#create(this.#queue(origin))
    }
    return this.#wait(this.#queue(origin), waitMs, isFresh)
  }

  /** Returns a slot to the pool. `isReusable` is true when its connection may carry another request. */
  release(slot: SocketSlot, isReusable: boolean): void {
    const { queue } = slot
    const [waiter] = queue.waiters
    if (isReusable && isUsable(slot) && !waiter?.isFresh) {
      if (waiter !== undefined) return waiter.give(slot)
      if (this.#starved.size === 0) {
        queue.idle.push(slot)
        this.#idle.add(slot)
        return
      }
    }
    this.#discard(slot)
    if (waiter !== undefined && this.#total < this.#caps.total) waiter.give(this.#create(queue))
    else this.#feedStarved()
  }

  /** Discards an idle slot whose connection its peer has closed; a slot in use is discarded on its release. */
  connectionClosed(slot: SocketSlot): void {
    if (!this.#idle.delete(slot)) return
    slot.queue.idle.splice(slot.queue.idle.indexOf(slot), 1)
    this.#discard(slot)
  }

  /** Closes all idle connections. */
  closeIdle(): void {
    while (this.#idle.size > 0) this.#evictOldestIdle()
  }

  #queue(origin: string): OriginQueue {
    const queue = this.#queues.get(origin) ?? { origin, size: 0, idle: [], waiters: new Set() }
    this.#queues.set(origin, queue)
    return queue
  }

  #create(queue: OriginQueue): SocketSlot {
    queue.size++
    this.#total++
    return { queue, connection: null }
  }

  #discard(slot: SocketSlot): void {
    const { queue, connection } = slot
    slot.connection = null
    queue.size--
    this.#total--
    if (queue.size === 0 && queue.waiters.size === 0) this.#queues.delete(queue.origin)
    connection?.client.destroy().catch(() => undefined)
    // The client takes over its socket with its first request, and there may have been no request.
    connection?.socket.destroy()
  }

  #evictOldestIdle(): void {
    const [oldest] = this.#idle
    if (oldest !== undefined) this.connectionClosed(oldest)
  }

  #wait(queue: OriginQueue, waitMs: number, isFresh: boolean): Promise<SocketSlot | null> {
    if (queue.size < this.#caps.perOrigin) this.#starved.add(queue)
    this.#waiting++
    return new Promise((resolve) => {
      const leave = () => {
        clearTimeout(timer)
        this.#waiting--
        queue.waiters.delete(waiter)
        if (queue.waiters.size === 0) this.#starved.delete(queue)
      }
      const give = (slot: SocketSlot) => {
        leave()
        resolve(slot)
      }
      const waiter: Waiter = { isFresh, give }
      const timer = setTimeout(
        () => {
          leave()
          if (queue.size === 0 && queue.waiters.size === 0) this.#queues.delete(queue.origin)
          resolve(null)
        },
        Math.max(0, waitMs),
      )
      queue.waiters.add(waiter)
    })
  }

  /** Gives a free socket of the total to the queue that waits longest; queues take turns (round-robin). */
  #feedStarved(): void {
    const [queue] = this.#starved
    const [waiter] = queue?.waiters ?? []
    if (queue === undefined || waiter === undefined || this.#total >= this.#caps.total) return
    this.#starved.delete(queue)
    const slot = this.#create(queue)
    if (queue.waiters.size > 1 && queue.size < this.#caps.perOrigin) this.#starved.add(queue)
    waiter.give(slot)
  }
}

function isUsable({ connection }: SocketSlot): boolean {
  if (connection === null || connection.socket.destroyed) return false
  return performance.now() - connection.openedAt < SOCKET_LIFE_MS
}

import type { TLSSocket } from 'node:tls'
import type { Client } from 'undici'

/** The right to one socket to one origin: empty until it is opened, then kept alive between uses. */
export type Slot = {
  readonly lane: Lane
  connection: {
    client: Client
    socket: TLSSocket
    /** Asked of the socket once: it asks the system each time. */
    remoteAddress: string | null
    /** To be called before each request. */
    expectAnswer(): void
    openedAt: number
  } | null
  /** Requests made over the connection so far. */
  requests: number
}

type Lane = { origin: string; size: number; idle: Slot[]; waiters: Set<Waiter> }
/** `isFresh`: whoever waits takes none that has been used before. */
type Waiter = { isFresh: boolean; give(slot: Slot): void }

export type SlotCaps = { perHost: number; total: number }

/** A socket is let go after this time, so that a name that has moved is followed. */
const SOCKET_LIFE_MS = 60_000

/**
 * Shares sockets out: at most so many to one origin and in all, the most recently used first. Who
 * finds none free waits in line; the longest idle socket of another origin makes room. While anyone
 * waits for room, no socket is idle.
 */
export class SocketSlots {
  readonly #caps: SlotCaps
  readonly #lanes = new Map<string, Lane>()
  /** Oldest first, over all origins. */
  readonly #idle = new Set<Slot>()
  /** Lanes below their own cap whose waiters wait for the total. */
  readonly #starved = new Set<Lane>()
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
      origins: this.#lanes.size,
    }
  }

  /**
   * A slot for one request, or null when none came free within `waitMs`. With `isFresh` the slot is
   * never one that has been used before.
   */
  async take(origin: string, waitMs: number, isFresh: boolean): Promise<Slot | null> {
    const lane = this.#lane(origin)
    for (let idle = lane.idle.pop(); idle !== undefined; idle = lane.idle.pop()) {
      this.#idle.delete(idle)
      if (!isFresh && isUsable(idle)) return idle
      this.#discard(idle)
    }
    if (lane.size < this.#caps.perHost) {
      if (this.#total >= this.#caps.total) this.#evictOldestIdle()
      if (this.#total < this.#caps.total) return this.#create(this.#lane(origin))
    }
    return this.#wait(this.#lane(origin), waitMs, isFresh)
  }

  /** Gives a slot back. `isReusable`: its connection is whole and may carry another request. */
  release(slot: Slot, isReusable: boolean): void {
    const { lane } = slot
    const [waiter] = lane.waiters
    if (isReusable && isUsable(slot) && !waiter?.isFresh) {
      if (waiter !== undefined) return waiter.give(slot)
      if (this.#starved.size === 0) {
        lane.idle.push(slot)
        this.#idle.add(slot)
        return
      }
    }
    this.#discard(slot)
    if (waiter !== undefined && this.#total < this.#caps.total) waiter.give(this.#create(lane))
    else this.#feedStarved()
  }

  /** An idle connection closed by its peer is forgotten; one in use is its user's to release. */
  connectionClosed(slot: Slot): void {
    if (!this.#idle.delete(slot)) return
    slot.lane.idle.splice(slot.lane.idle.indexOf(slot), 1)
    this.#discard(slot)
  }

  /** Closes everything that is idle. */
  closeIdle(): void {
    while (this.#idle.size > 0) this.#evictOldestIdle()
  }

  #lane(origin: string): Lane {
    const lane = this.#lanes.get(origin) ?? { origin, size: 0, idle: [], waiters: new Set() }
    this.#lanes.set(origin, lane)
    return lane
  }

  #create(lane: Lane): Slot {
    lane.size++
    this.#total++
    return { lane, connection: null, requests: 0 }
  }

  #discard(slot: Slot): void {
    const { lane, connection } = slot
    slot.connection = null
    lane.size--
    this.#total--
    if (lane.size === 0 && lane.waiters.size === 0) this.#lanes.delete(lane.origin)
    connection?.client.destroy().catch(() => undefined)
    // The client takes its socket over with its first request, and there may have been none.
    connection?.socket.destroy()
  }

  #evictOldestIdle(): void {
    const [oldest] = this.#idle
    if (oldest !== undefined) this.connectionClosed(oldest)
  }

  #wait(lane: Lane, waitMs: number, isFresh: boolean): Promise<Slot | null> {
    if (lane.size < this.#caps.perHost) this.#starved.add(lane)
    this.#waiting++
    return new Promise((resolve) => {
      const leave = () => {
        clearTimeout(timer)
        this.#waiting--
        lane.waiters.delete(waiter)
        if (lane.waiters.size === 0) this.#starved.delete(lane)
      }
      const give = (slot: Slot) => {
        leave()
        resolve(slot)
      }
      const waiter: Waiter = { isFresh, give }
      const timer = setTimeout(
        () => {
          leave()
          if (lane.size === 0 && lane.waiters.size === 0) this.#lanes.delete(lane.origin)
          resolve(null)
        },
        Math.max(0, waitMs),
      )
      lane.waiters.add(waiter)
    })
  }

  /** Room in the total goes to the lanes that wait for it, one socket each in turn. */
  #feedStarved(): void {
    const [lane] = this.#starved
    const [waiter] = lane?.waiters ?? []
    if (lane === undefined || waiter === undefined || this.#total >= this.#caps.total) return
    this.#starved.delete(lane)
    const slot = this.#create(lane)
    if (lane.waiters.size > 1 && lane.size < this.#caps.perHost) this.#starved.add(lane)
    waiter.give(slot)
  }
}

function isUsable({ connection }: Slot): boolean {
  if (connection === null || connection.socket.destroyed) return false
  return performance.now() - connection.openedAt < SOCKET_LIFE_MS
}

/**
 * After-commit hooks. Code that inserts work for a worker registers its queue here, and the workers are notified once
 * the transaction has committed. Operations never notify a worker directly.
 */

/** Queues that a commit may notify: rows of one queue become due, or pages of its jobs. */
export type QueueName =
  | 'runs'
  | 'replies'
  | 'sends'
  | 'deliveries'
  | 'resends'
  | 'closes'
  | 'notices'
  | 'contacts'
  | 'files'
  | 'broadcasts'
  | 'reminders'
  | 'appointments'
  | 'polls'
  | 'names'
  | 'knowledge'

/** The endpoint of a delivery, as an attempt needs it: its URL, its secrets and its number of slots. */
export type DeliveryTarget = {
  url: string
  /** The secrets that sign, the older first, encrypted. */
  secrets: { id: string; secret: string; lastFour: string }[]
  /** The endpoint's maximum of concurrent attempts. */
  slots: number
}

/** A delivery that was inserted with a lease of this node, with those of its values that never change. */
export type EagerDelivery = {
  id: string
  accountId: string
  companyId: string
  endpointId: string
  eventId: string
  eventType: string
  apiVersion: string
  body: Buffer
  dueAt: Date
  claimId: string
  /**
   * The endpoint's data from the statement that wrote the delivery; null while the outcome of the commit is unknown.
   */
  target: DeliveryTarget | null
  /** `seen` of the reservation that was made before that statement. */
  seen: number
}

/**
 * Reserved slots, and the claim for the deliveries that use them. Null when there are none. `seen` counts the changes
 * of endpoints that this process knows of: data that is read from here on is at least as new. `since` is the lower bound
 * of the due times that are read.
 */
export type Reserved = { claimId: string; slots: number; seen: number; since: Date | null } | null

/** Sends deliveries of this process from memory after their commit, without a claim query. */
export type DeliveryDispatcher = {
  reserve(limit: number): Reserved
  /**
   * Ends a reservation and dispatches the inserted deliveries, which may be fewer than reserved. Other deliveries wait
   * for the slots of the `saturated` endpoints, or for those of their accounts.
   */
  take(
    reserved: number,
    deliveries: readonly EagerDelivery[],
    saturated: readonly SaturatedEndpoint[],
  ): void
  /** Invalidates endpoint data that was read until now. */
  endpointsChanged(): void
}

/** An endpoint of which no slot is free, or no slot of its account. */
export type SaturatedEndpoint = Pick<EagerDelivery, 'endpointId' | 'accountId'>

/** A run that was written claimed for this process. */
export type EagerRun = {
  id: string
  accountId: string
  companyId: string
  conversationId: string
  claimId: string
}

/** Advances runs of this process from memory after their commit, without a claim query. */
export type RunDispatcher = {
  /**
   * Returns a claim for a run of the account that can be advanced immediately; null when it has to wait in the table.
   */
  eagerClaimFor(accountId: string): string | null
  /** Ends the claims that `eagerClaimFor` returned for these accounts, and dispatches the inserted runs. */
  take(claimedFor: readonly string[], runs: readonly EagerRun[]): void
}

/**
 * A claim under which this process may have rows on which it does not work, because the answer to the claiming
 * statement was lost. With an `id`, only that row, on which the process has given up.
 */
export type LostClaim = { claimId: string; id?: string }

/** The receivers of after-commit notifications; empty until the service sets them. */
export type AfterCommit = {
  notify(work: ReadonlySet<QueueName>): void
  /** Releases the rows under these claims as soon as the database is available. */
  releaseClaims(claims: readonly LostClaim[]): void
  deliveryDispatcher: DeliveryDispatcher | null
  runDispatcher: RunDispatcher | null
}

/** The after-commit hooks of one transaction. */
class AfterCommitHooks {
  readonly work = new Set<QueueName>()
  readonly deliveries: EagerDelivery[] = []
  readonly saturated: SaturatedEndpoint[] = []
  readonly runs: EagerRun[] = []
  /** Claims of rows that the transaction's caller works on. */
  readonly claims: LostClaim[] = []
  /** True once the commit was sent: it may have succeeded whatever the answer. */
  isCommitting = false
  /** True once the database has confirmed the commit. */
  isCommitted = false
  changesEndpoints = false
  readonly #after: AfterCommit
  #on: object | null = null
  #deliveryDispatcher: DeliveryDispatcher | null = null
  #reservedSlots = 0
  #runDispatcher: RunDispatcher | null = null
  readonly #runsClaimedFor: string[] = []

  constructor(after: AfterCommit) {
    this.#after = after
  }

  begin(on: object): void {
    this.#on = on
    hooksOf.set(on, this)
  }

  reserve(limit: number): Reserved {
    this.#deliveryDispatcher ??= this.#after.deliveryDispatcher
    const reserved = this.#deliveryDispatcher?.reserve(limit) ?? null
    this.#reservedSlots += reserved?.slots ?? 0
    return reserved
  }

  eagerClaimForRun(accountId: string): string | null {
    this.#runDispatcher ??= this.#after.runDispatcher
    const claimId = this.#runDispatcher?.eagerClaimFor(accountId) ?? null
    if (claimId !== null) this.#runsClaimedFor.push(accountId)
    return claimId
  }

  end(): void {
    if (this.#on) hooksOf.delete(this.#on)
    const isLeft = this.isCommitting
    if (isLeft && this.changesEndpoints) this.#after.deliveryDispatcher?.endpointsChanged()
    const deliveries = this.isCommitted
      ? this.deliveries
      : this.deliveries.map((one) => ({ ...one, target: null }))
    this.#deliveryDispatcher?.take(
      this.#reservedSlots,
      isLeft ? deliveries : [],
      isLeft ? this.saturated : [],
    )
    this.#runDispatcher?.take(this.#runsClaimedFor, this.isCommitted ? this.runs : [])
    if (isLeft && !this.isCommitted) this.#releaseClaims()
    if (isLeft && this.work.size > 0) this.#after.notify(this.work)
  }

  #releaseClaims(): void {
    const lost = [...this.claims, ...this.runs.map(({ claimId }) => ({ claimId }))]
    if (lost.length > 0) this.#after.releaseClaims(lost)
  }
}

const hooksOf = new WeakMap<object, AfterCommitHooks>()

/**
 * Runs a transaction, and calls what was registered in it (its after-commit hooks) once it has committed. `work` calls
 * `begun` with the connection of its statements, and `committing` before the commit. Workers are notified even when the
 * commit's answer is lost, because they act only on what they find in the database. Claims of runs and messages are
 * released then.
 */
export async function withAfterCommit<T>(
  { afterCommit }: { afterCommit: AfterCommit },
  work: (begun: (on: object) => void, committing: () => void) => Promise<T>,
): Promise<T> {
  const hooks = new AfterCommitHooks(afterCommit)
  try {
    const result = await work(
      (on) => hooks.begin(on),
      () => (hooks.isCommitting = true),
    )
    hooks.isCommitted = true
    return result
  } finally {
    hooks.end()
  }
}

/** Registers that workers of a queue are to be notified once the transaction has committed. */
export function notifyAfterCommit(on: object, work: QueueName): void {
  hooksOf.get(on)?.work.add(work)
}

/**
 * Reserves slots for deliveries that this process will send right after the commit; returns null when there are none.
 */
export function reserveEagerSlots(on: object, limit: number): Reserved {
  return hooksOf.get(on)?.reserve(limit) ?? null
}

/**
 * Registers inserted deliveries that this process sends right after the commit, and endpoints whose slots are all in
 * use.
 */
export function dispatchDeliveriesAfterCommit(
  on: object,
  {
    deliveries,
    saturated,
  }: { deliveries: readonly EagerDelivery[]; saturated: readonly SaturatedEndpoint[] },
): void {
  const hooks = hooksOf.get(on)
  hooks?.deliveries.push(...deliveries)
  hooks?.saturated.push(...saturated)
}

/** Registers that the transaction changes where, how or whether endpoints are sent to. */
export function registerChangedEndpoints(on: object): void {
  const hooks = hooksOf.get(on)
  if (hooks) hooks.changesEndpoints = true
}

/** Returns a claim for a run that this process advances right after the commit; null when no slot is free. */
export function eagerClaimForRun(on: object, accountId: string): string | null {
  return hooksOf.get(on)?.eagerClaimForRun(accountId) ?? null
}

/** Registers claims that the transaction takes, which are released if its commit is in doubt. */
export function registerClaims(on: object, claimIds: readonly string[]): void {
  hooksOf.get(on)?.claims.push(...claimIds.map((claimId) => ({ claimId })))
}

/** Registers runs that were inserted with an eager claim, so that this process advances them after the commit. */
export function dispatchRunsAfterCommit(on: object, runs: readonly EagerRun[]): void {
  hooksOf.get(on)?.runs.push(...runs)
}

/**
 * What a transaction leaves to be done: whoever writes something that a duty has to take up notes it
 * here, and the duties are told after the commit. No verb wakes anybody.
 */

/**
 * Runs and replies to take on, messages to send, deliveries to attempt, jobs of resends and of bulk closes to step,
 * notices to mail, jobs of contacts to step, files to fetch, broadcasts to hand over, reminders to begin
 * or to end, customers to tell of appointments, providers to ask, names to ask for, sources of knowledge to read.
 */
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

/** What of a delivery's endpoint is needed to attempt it. */
export type ToSend = {
  url: string
  /** The secrets that sign, the older first, encrypted. */
  secrets: { id: string; secret: string; lastFour: string }[]
  /** Attempts that the endpoint may have under way. */
  slots: number
}

/** A delivery that was written leased to this node, with all of it that cannot change any more. */
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
  /** As the statement that wrote the delivery has read it; null where nobody knows whether that was committed. */
  toSend: ToSend | null
  /** `seen` of what was reserved for it before that statement. */
  seen: number
}

/**
 * Room for so many deliveries, and the claim under which they are to be written; null: there is none. `seen` counts the
 * changes of endpoints that this process has heard of: what is read of one from here on is not of before them.
 */
export type Reserved = { claimId: string; room: number; seen: number } | null

/** What takes deliveries on from memory. */
export type DeliveryDispatcher = {
  reserve(most: number): Reserved
  /**
   * Ends a reservation: takes on what was written, which may be less than was reserved. `waitsFor` are
   * endpoints whose places, or those of their accounts, are taken: more waits for them in its lane.
   */
  take(reserved: number, born: readonly EagerDelivery[], waitsFor: readonly Crowded[]): void
  /** What was read of endpoints until now may be of before a change. */
  endpointsChanged(): void
}

export type Crowded = Pick<EagerDelivery, 'endpointId' | 'accountId'>

/** A run that was written claimed for this process. */
export type EagerRun = {
  id: string
  accountId: string
  companyId: string
  conversationId: string
  claimId: string
}

/** What takes runs on from memory. */
export type RunDispatcher = {
  /** A claim for a run of the account that can be taken on at once; null where it waits in the table. */
  eagerClaimFor(accountId: string): string | null
  /** Ends the claims given for these accounts: takes on what was written with one. */
  take(claimedFor: readonly string[], born: readonly EagerRun[]): void
}

/**
 * A claim that may stand in rows of which this process does nothing: the answer to what wrote it was lost. With an `id`
 * it is of that row alone, on which the process has given up.
 */
export type LostClaim = { claimId: string; id?: string }

/** Who is told of commits; of nothing until the service has set it. */
export type AfterCommit = {
  wake(work: ReadonlySet<QueueName>): void
  /** What stands under these claims is given back as soon as the database can be asked. */
  lose(claims: readonly LostClaim[]): void
  handOver: DeliveryDispatcher | null
  handOverRuns: RunDispatcher | null
}

class CommitNotes {
  readonly work = new Set<QueueName>()
  readonly born: EagerDelivery[] = []
  readonly waitsFor: Crowded[] = []
  readonly bornRuns: EagerRun[] = []
  /** Claims of rows that are taken on by whoever has called the transaction. */
  readonly claims: LostClaim[] = []
  /** From here on the transaction may be committed, whatever comes back. */
  isCommitting = false
  /** The database has said so. */
  isCommitted = false
  changesEndpoints = false
  readonly #after: AfterCommit
  #on: object | null = null
  #handOver: DeliveryDispatcher | null = null
  #reserved = 0
  #handOverRuns: RunDispatcher | null = null
  readonly #runsClaimedFor: string[] = []

  constructor(after: AfterCommit) {
    this.#after = after
  }

  begin(on: object): void {
    this.#on = on
    notesOf.set(on, this)
  }

  reserve(most: number): Reserved {
    this.#handOver ??= this.#after.handOver
    const reserved = this.#handOver?.reserve(most) ?? null
    this.#reserved += reserved?.room ?? 0
    return reserved
  }

  eagerClaimForRun(accountId: string): string | null {
    this.#handOverRuns ??= this.#after.handOverRuns
    const claimId = this.#handOverRuns?.eagerClaimFor(accountId) ?? null
    if (claimId !== null) this.#runsClaimedFor.push(accountId)
    return claimId
  }

  end(): void {
    if (this.#on) notesOf.delete(this.#on)
    const isLeft = this.isCommitting
    if (isLeft && this.changesEndpoints) this.#after.handOver?.endpointsChanged()
    const born = this.isCommitted ? this.born : this.born.map((one) => ({ ...one, toSend: null }))
    this.#handOver?.take(this.#reserved, isLeft ? born : [], isLeft ? this.waitsFor : [])
    this.#handOverRuns?.take(this.#runsClaimedFor, this.isCommitted ? this.bornRuns : [])
    if (isLeft && !this.isCommitted) this.#loseClaims()
    if (isLeft && this.work.size > 0) this.#after.wake(this.work)
  }

  #loseClaims(): void {
    const lost = [...this.claims, ...this.bornRuns.map(({ claimId }) => ({ claimId }))]
    if (lost.length > 0) this.#after.lose(lost)
  }
}

const notesOf = new WeakMap<object, CommitNotes>()

/**
 * Runs a transaction with its notes. `work` calls `begun` with what its statements are made on, and
 * `committing` before the commit. When the commit's answer is lost the duties are told as well: what
 * they find in the database is what counts, and a delivery is only sent once it was found there. The claims of
 * runs and messages are then given back.
 */
export async function withAfterCommit<T>(
  { afterCommit }: { afterCommit: AfterCommit },
  work: (begun: (on: object) => void, committing: () => void) => Promise<T>,
): Promise<T> {
  const notes = new CommitNotes(afterCommit)
  try {
    const result = await work(
      (on) => notes.begin(on),
      () => (notes.isCommitting = true),
    )
    notes.isCommitted = true
    return result
  } finally {
    notes.end()
  }
}

/** Notes that there will be work once the transaction is committed. */
export function notifyAfterCommit(on: object, work: QueueName): void {
  notesOf.get(on)?.work.add(work)
}

/** Room for deliveries that are written in this transaction; null where nobody takes them on. */
export function reserveEagerSlots(on: object, most: number): Reserved {
  return notesOf.get(on)?.reserve(most) ?? null
}

/** Notes deliveries that were written leased, and for whose places others wait in their lane. */
export function dispatchDeliveriesAfterCommit(
  on: object,
  { born, waitsFor }: { born: readonly EagerDelivery[]; waitsFor: readonly Crowded[] },
): void {
  const notes = notesOf.get(on)
  notes?.born.push(...born)
  notes?.waitsFor.push(...waitsFor)
}

/** Notes that the transaction changes where, how or whether endpoints are sent to. */
export function noteChangedEndpoints(on: object): void {
  const notes = notesOf.get(on)
  if (notes) notes.changesEndpoints = true
}

/** A claim for a run that this transaction makes due; null where nobody takes it on at once. */
export function eagerClaimForRun(on: object, accountId: string): string | null {
  return notesOf.get(on)?.eagerClaimForRun(accountId) ?? null
}

/** Notes claims with which this transaction writes rows that its caller takes on. */
export function noteClaims(on: object, claimIds: readonly string[]): void {
  notesOf.get(on)?.claims.push(...claimIds.map((claimId) => ({ claimId })))
}

/** Notes runs that were written with such a claim. */
export function dispatchRunsAfterCommit(on: object, runs: readonly EagerRun[]): void {
  notesOf.get(on)?.bornRuns.push(...runs)
}

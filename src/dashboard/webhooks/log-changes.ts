import type { DeliveryView } from '../../contract/dashboard/delivery.ts'

/** A delivery as the stream told of it. Times are those of `performance.now()`. */
export type Heard = { delivery: DeliveryView; heardAt: number }

/** What was heard beside a log that was read. */
export type Changes = {
  /** Newest first. */
  added: readonly Heard[]
  changed: ReadonlyMap<string, Heard>
  /** Counted, not shown: when each was heard of, by its id. */
  newer: ReadonlyMap<string, number>
}

export const NO_CHANGES: Changes = { added: [], changed: new Map(), newer: new Map() }

/**
 * Without what was heard before the log began to be read: that it holds itself, or has moved on from. Where the
 * stream had missed something, as of a computer that slept, nothing newer would ever be heard of it.
 */
export function heardSince({ added, changed, newer }: Changes, readAt: number): Changes {
  return {
    added: added.filter(({ heardAt }) => heardAt >= readAt),
    changed: new Map([...changed].filter(([, { heardAt }]) => heardAt >= readAt)),
    newer: new Map([...newer].filter(([, heardAt]) => heardAt >= readAt)),
  }
}

/**
 * Adds to what was heard the deliveries that are shown and were sent again by it: the stream tells of the resend alone,
 * and the mark of the first one says what became of it.
 */
export function withResent(
  things: readonly Heard[],
  shown: ReadonlyMap<string, DeliveryView>,
): readonly Heard[] {
  return things.flatMap((thing) => {
    const { id, state, resendOf } = thing.delivery
    const first = resendOf === null ? undefined : shown.get(resendOf)
    // Ids are in the order of time.
    if (first === undefined || (first.lastResend !== null && first.lastResend.id > id)) return thing
    return [thing, { ...thing, delivery: { ...first, lastResend: { id, state } } }]
  })
}

import type { DeliveryView } from '../../contract/dashboard/delivery.ts'

/** A delivery that the stream has reported. Times are those of `performance.now()`. */
export type LiveDelivery = { delivery: DeliveryView; reportedAt: number }

/** The deliveries that the stream has reported since a log was read. */
export type Changes = {
  /** New deliveries, newest first. */
  added: readonly LiveDelivery[]
  changed: ReadonlyMap<string, LiveDelivery>
  /** Deliveries that are counted but not shown: the time of each report, by id. */
  newer: ReadonlyMap<string, number>
}

/** The changes of a log that was just read. */
export const NO_CHANGES: Changes = { added: [], changed: new Map(), newer: new Map() }

/**
 * Returns the live changes that are newer than the last read of the log, which includes earlier ones. If the stream had
 * missed a later change, as on a computer that slept, an older report would otherwise hide the read state forever.
 */
export function changesSince({ added, changed, newer }: Changes, readAt: number): Changes {
  return {
    added: added.filter(({ reportedAt }) => reportedAt >= readAt),
    changed: new Map([...changed].filter(([, { reportedAt }]) => reportedAt >= readAt)),
    newer: new Map([...newer].filter(([, reportedAt]) => reportedAt >= readAt)),
  }
}

/**
 * Adds the shown deliveries whose resend was reported to the list of changed ones. The stream reports only the resend,
 * but the original has a mark with the state of its latest resend.
 */
export function withResent(
  things: readonly LiveDelivery[],
  shown: ReadonlyMap<string, DeliveryView>,
): readonly LiveDelivery[] {
  return things.flatMap((thing) => {
    const { id, state, resendOf } = thing.delivery
    const first = resendOf === null ? undefined : shown.get(resendOf)
    // Ids are in chronological order.
    if (first === undefined || (first.lastResend !== null && first.lastResend.id > id)) return thing
    return [thing, { ...thing, delivery: { ...first, lastResend: { id, state } } }]
  })
}

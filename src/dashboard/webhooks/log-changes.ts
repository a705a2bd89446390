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
 * Returns the changes without those reported before the log was last read, because that read includes them. If the
 * stream had missed a later change, as on a computer that slept, an older report would otherwise hide the read state
 * forever.
 */
export function changesSince({ added, changed, newer }: Changes, readAt: number): Changes {
  return {
    added: added.filter(({ reportedAt }) => reportedAt >= readAt),
    changed: new Map([...changed].filter(([, { reportedAt }]) => reportedAt >= readAt)),
    newer: new Map([...newer].filter(([, reportedAt]) => reportedAt >= readAt)),
  }
}

/**
 * Returns the reported deliveries, each resend followed by its shown original with the state of this resend. The stream
 * reports only the resend, but the log shows the state of the latest one at the original.
 */
export function withResent(
  reported: readonly LiveDelivery[],
  shown: ReadonlyMap<string, DeliveryView>,
): readonly LiveDelivery[] {
  return reported.flatMap((report) => {
    const { id, state, resendOf } = report.delivery
    const first = resendOf === null ? undefined : shown.get(resendOf)
    // Ids are in chronological order.
    if (first === undefined || (first.lastResend !== null && first.lastResend.id > id))
      return report
    return [report, { ...report, delivery: { ...first, lastResend: { id, state } } }]
  })
}

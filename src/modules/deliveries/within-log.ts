import { RETENTION } from '../../core/limits/retention.ts'

/** Returns the time from which deliveries are shown. Older ones are not, although their week may not be dropped yet. */
export function beginOfLog(now: Date): Date {
  return new Date(now.getTime() - RETENTION.deliveryLogMs)
}

/** Returns a filter of the log whose `from` leaves out deliveries past retention. Spec: Retention › Retention periods. */
export function withinLog<Filter extends { from?: Date | undefined }>(
  filter: Filter,
  now: Date,
): Filter & { from: Date } {
  const begin = beginOfLog(now)
  return { ...filter, from: filter.from && filter.from > begin ? filter.from : begin }
}

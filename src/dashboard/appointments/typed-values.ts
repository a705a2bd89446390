/** Days and times as URLs and the values of fields contain them. */

/** Formats a day for URLs and the API: `2027-02-08`. */
export const dayText = (day: number): string => new Date(day).toISOString().slice(0, 10)

/** Reads a day such as `2027-02-08` as wall time; null for another form and for a day that its month does not have. */
export function readDay(text: string | undefined): number | null {
  if (text === undefined || !/^[12]\d{3}-\d\d-\d\d$/.test(text)) return null
  const day = Date.parse(`${text}T00:00:00Z`)
  // `Date` would continue an invalid day in the next month.
  return Number.isNaN(day) || dayText(day) !== text ? null : day
}

/**
 * Reads the value of a field such as `17:30` as minutes from midnight; null for a text of another form. Times of the
 * next night, such as `26:00`, are read too, so the numbers are not checked.
 */
export function readClock(text: string): number | null {
  const [, hours, minutes] = /^(\d\d):(\d\d)$/.exec(text) ?? []
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes)
}

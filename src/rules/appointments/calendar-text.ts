/** An appointment in a calendar feed: iCalendar, RFC 5545. Pure. Spec: Appointments › Calendars. */
export type CalendarEvent = {
  id: string
  /** The version increases with each move and with the cancellation. */
  version: number
  startsAt: Date
  endsAt: Date
  changedAt: Date
  isCancelled: boolean
  summary: string
  description: readonly string[]
  location: string | null
}

/** Writes events as a calendar file (iCalendar). Times are in UTC; calendar programs show them in their user's zone. */
export function writeCalendar(name: string, events: readonly CalendarEvent[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Wasla//Appointments//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(name)}`,
    ...events.flatMap(writeEvent),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

function writeEvent(event: CalendarEvent): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${event.id}@appointments.wasla`,
    `DTSTAMP:${instant(event.changedAt)}`,
    `LAST-MODIFIED:${instant(event.changedAt)}`,
    `SEQUENCE:${event.version}`,
    `DTSTART:${instant(event.startsAt)}`,
    `DTEND:${instant(event.endsAt)}`,
    `SUMMARY:${escaped(event.summary)}`,
    ...(event.description.length === 0
      ? []
      : [`DESCRIPTION:${escaped(event.description.join('\n'))}`]),
    ...(event.location === null ? [] : [`LOCATION:${escaped(event.location)}`]),
    `STATUS:${event.isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    `TRANSP:${event.isCancelled ? 'TRANSPARENT' : 'OPAQUE'}`,
    'END:VEVENT',
  ]
}

/** Formats a time as `20270208T073000Z`. */
function instant(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

/** Escapes separators of values and ends of lines in a text. */
function escaped(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll(/\r\n|[\n\r\u2028\u2029]/g, '\\n')
    .replaceAll(CONTROLS, '')
}

// oxlint-disable-next-line no-control-regex -- they are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g

const LINE_BYTES = 75

/** Folds a long line: it continues on the next, after a space, and no letter is split. */
function folded(line: string): string {
  const parts = ['']
  let bytes = 0
  for (const letter of line) {
    const size = Buffer.byteLength(letter)
    if (bytes + size > LINE_BYTES) {
      parts.push('')
      bytes = 1
    }
    parts[parts.length - 1] += letter
    bytes += size
  }
  return parts.join('\r\n ')
}

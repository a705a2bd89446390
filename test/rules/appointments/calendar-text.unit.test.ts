import { describe, expect, test } from 'vitest'
import { writeCalendar, type CalendarEvent } from '../../../src/rules/appointments/calendar-text.ts'

const EVENT: CalendarEvent = {
  id: '0198b0c4-0000-7000-8000-000000000001',
  version: 3,
  startsAt: new Date('2027-02-08T07:30:00Z'),
  endsAt: new Date('2027-02-08T08:00:00.500Z'),
  changedAt: new Date('2027-02-01T00:00:00Z'),
  isCancelled: false,
  summary: 'Haircut – Sara',
  description: [],
  location: null,
}
const unfolded = (text: string) => text.replaceAll('\r\n ', '')

describe('a calendar as RFC 5545 has it', () => {
  test('ends every line with CRLF and writes times in UTC, to the second', () => {
    const text = writeCalendar('Shop', [EVENT])
    expect(text.split('\r\n').every((line) => !/[\r\n]/.test(line))).toBe(true)
    expect(text.split('\r\n').slice(0, 6)).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Wasla//Appointments//EN',
      'CALSCALE:GREGORIAN',
      'METHOD:PUBLISH',
      'X-WR-CALNAME:Shop',
    ])
    expect(text.endsWith('END:VEVENT\r\nEND:VCALENDAR\r\n')).toBe(true)
    for (const line of [
      'UID:0198b0c4-0000-7000-8000-000000000001@appointments.wasla',
      'DTSTAMP:20270201T000000Z',
      'DTSTART:20270208T073000Z',
      'DTEND:20270208T080000Z',
      'SEQUENCE:3',
      'STATUS:CONFIRMED',
    ]) {
      expect(text).toContain(`\r\n${line}\r\n`)
    }
    expect(text).not.toContain('LOCATION')
    expect(text).not.toContain('DESCRIPTION')
  })

  test('says that an appointment is cancelled, and that its time is free', () => {
    const text = writeCalendar('Shop', [{ ...EVENT, isCancelled: true }])
    expect(text).toContain('\r\nSTATUS:CANCELLED\r\nTRANSP:TRANSPARENT\r\n')
  })

  test('escapes what would end a value: a customer writes no line of a calendar', () => {
    const summary = 'a;b,c\\d\r\nBEGIN:VALARM\u2028x\u0000\u0007'
    const text = unfolded(writeCalendar('Shop', [{ ...EVENT, summary, location: 'x\ny' }]))
    expect(text).toContain('\r\nSUMMARY:a\\;b\\,c\\\\d\\nBEGIN:VALARM\\nx\r\n')
    expect(text).toContain('\r\nLOCATION:x\\ny\r\n')
    expect(text.split('\r\n').filter((line) => line.startsWith('BEGIN:'))).toHaveLength(2)
  })

  test('folds at 75 bytes, never inside a letter, and unfolds to the same', () => {
    const long = `${'قص شعر وحلاقة '.repeat(20)}👩‍🦰${'x'.repeat(200)}`
    const text = writeCalendar(long, [{ ...EVENT, summary: long, description: [long, long] }])
    for (const line of text.split('\r\n')) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
      expect(line).not.toContain('\ufffd')
    }
    expect(unfolded(text)).toContain(`\r\nSUMMARY:${long}\r\n`)
    expect(unfolded(text)).toContain(`\r\nDESCRIPTION:${long}\\n${long}\r\n`)
  })
})

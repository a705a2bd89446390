import { expect, test } from 'vitest'
import { isServiceWindowOpen, serviceWindowEndsAt } from './service-window.ts'

const wroteAt = new Date('2026-10-01T12:00:00Z')
const after = (hours: number) => new Date(wroteAt.getTime() + hours * 3_600_000)

test('a 24-hour service window opens when the customer writes', () => {
  expect(serviceWindowEndsAt(wroteAt)).toEqual(after(24))
  expect(isServiceWindowOpen(wroteAt, after(0))).toBe(true)
  expect(isServiceWindowOpen(wroteAt, after(23.999))).toBe(true)
  expect(isServiceWindowOpen(wroteAt, after(24))).toBe(false)
})

test('to a customer who never wrote it is closed', () => {
  expect(isServiceWindowOpen(null, wroteAt)).toBe(false)
})

import { expect, test } from 'vitest'
import { afterOwnersReply } from '../../../src/rules/messaging/take-over.ts'

const AT = new Date('2026-03-01T10:00:00Z')
const HOUR = 3_600_000

test("an owner's reply leaves a member's take-over unlimited, and is nothing but the handling", () => {
  const conversation = { handledBy: 'staff', takenOverUntil: null, id: 'c_1', latestMinute: AT }
  expect(afterOwnersReply(conversation, AT, 4)).toEqual({
    handledBy: 'staff',
    takenOverUntil: null,
  })
})

test("an owner's reply prolongs a limited take-over and never shortens it", () => {
  const later = new Date(AT.getTime() + 9 * HOUR)
  const until = (takenOverUntil: Date | null) =>
    afterOwnersReply({ handledBy: 'staff', takenOverUntil }, AT, 4).takenOverUntil
  expect(until(later)).toEqual(later)
  expect(until(AT)).toEqual(new Date(AT.getTime() + 4 * HOUR))
  const byRobot = { handledBy: 'automation', takenOverUntil: null }
  expect(afterOwnersReply(byRobot, AT, 4)).toEqual({
    handledBy: 'staff',
    takenOverUntil: new Date(AT.getTime() + 4 * HOUR),
  })
})

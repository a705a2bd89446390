/** Initials, by which a person without a picture is drawn. */
import { expect, test } from 'vitest'
import { initialsOf } from '../../src/dashboard/parts/initials.ts'

test.each([
  ['Sara Al Harbi', 'SH'],
  ['sara', 'S'],
  ['نورة العتيبي', 'ن'],
  ['\u200fنورة', 'ن'],
  ['\u200e\u2068\u200b Sara \u2069', 'S'],
  ['\u3164Sara', 'S'],
  ['🌸 Sara 🌸', 'S'],
  ['🌸نورة', 'ن'],
  ['~ (Ahmed) ~', 'A'],
  ['Dr. Ahmed Ali', 'AA'],
  ['Mr Ahmed', 'A'],
  ['Dr.', 'D'],
  ['د. سارة', 'س'],
  ['أ.د. خالد', 'خ'],
  ['م/خالد', 'خ'],
  ['الدكتورة سارة', 'س'],
  ['Sara 🌸', 'S'],
  ['+966501234567', '9'],
  ['👩‍👧', '👩‍👧'],
  ['\u200f', '?'],
  ['\u2800\u3164', '?'],
  ['', '?'],
  [null, '?'],
])('a person named %j is drawn by %j', (name, letters) => {
  expect(initialsOf(name)).toBe(letters)
})

import { expect, test } from 'vitest'
import { normalizeReference } from '../../../src/rules/appointments/normalize-reference.ts'

test.each([
  ['ABCD2345', 'ABCD2345'],
  [' abcd2345 ', 'ABCD2345'],
  ['ABCD-2345', 'ABCD2345'],
  ['#abcd 2345.', 'ABCD2345'],
  ['ABCD٢٣٤٥', 'ABCD2345'],
  ['\u200fabcd۲۳۴۵\u200e', 'ABCD2345'],
  ['رقم الموعد ABCD2345', 'ABCD2345'],
  ['لا أعرف', ''],
])('The reference %j is %j', (typed, kept) => expect(normalizeReference(typed)).toBe(kept))

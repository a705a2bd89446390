import { expect, test } from 'vitest'
import { isUuid, readUuid } from '../../../src/rules/text/uuid.ts'

const ID = '0198f0a1-7c3e-7000-8000-00000000abcd'

test.each([
  ['an id as it is stored', ID, true, ID],
  ['an id in capital letters', ID.toUpperCase(), false, ID],
  ['an id without hyphens', ID.replaceAll('-', ''), false, null],
  ['an id with more around it', ` ${ID}`, false, null],
  ['a letter that is no digit', ID.replace('a', 'g'), false, null],
  ['nothing', '', false, null],
])('%s is recognised by its form: %s', (_what, text, isStored, read) => {
  expect(isUuid(text)).toBe(isStored)
  expect(readUuid(text)).toBe(read)
})

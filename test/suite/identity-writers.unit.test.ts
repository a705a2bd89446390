/** Only few files write who a customer is. ARCHITECTURE.md: `identity/`. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const SRC = path.join(import.meta.dirname, '../../src')
const WRITES =
  /(?:insert into|update|delete from) (?:identity|identifier)\b|(?:insertInto|updateTable|deleteFrom)\('(?:identity|identifier)'\)/

/** Files besides `identity/` that create customers or delete them, each in one batch or transaction. */
const OTHERS = [
  'modules/contacts/erase-contact-data.sql.ts',
  'modules/inbound/store-ids-from-receipts.ts',
  'modules/messaging/create-contacts.ts',
  'modules/messaging/write-resolved.sql.ts',
  'modules/visitors/submit-enquiry.ts',
]

test('No other file writes the owner of numbers and ids', () => {
  const files = globSync('**/*.ts', { cwd: SRC, exclude: ['**/node_modules/**'] })
  const writers = files.filter((file) => {
    return (
      !file.startsWith('modules/identity/') &&
      WRITES.test(readFileSync(path.join(SRC, file), 'utf8'))
    )
  })
  expect(writers.toSorted()).toEqual(OTHERS)
})

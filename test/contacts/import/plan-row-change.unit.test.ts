import { expect, test } from 'vitest'
import type { ContactRow } from '../../../src/modules/messaging/contact.ts'
import { IMPORT_MODES } from '../../../src/core/vocabulary/contacts.ts'
import { planRowChange } from '../../../src/modules/contacts/import/plan-row-change.ts'

const ROW = {
  name: null,
  phone: null,
  rawPhone: null,
  email: 's@x.example',
  language: null,
  tags: [],
  fields: {},
  optedOut: null,
}
const changed = (
  mode: (typeof IMPORT_MODES)[number],
  known: Pick<ContactRow, 'email' | 'emailFrom'>,
) => {
  const contact = { phone: null, rawPhone: null, fields: {}, ...known } as unknown as ContactRow
  const { email, emailFrom } = planRowChange(ROW, contact, mode)
  return email === undefined ? null : [email, emailFrom]
}

test.each([
  ['is stored for a contact without one', null, null, true, true],
  ['replaces another one in mode overwrite', 'o@x.example', 'member', false, true],
  ['confirms the same one from a form', 's@x.example', 'enquiry', true, true],
  ['confirms the same one of unknown source', 's@x.example', null, true, true],
  ['changes nothing for the same one from the shop', 's@x.example', 'hook', false, false],
])('an imported e-mail %s', (_, email, emailFrom, fills, overwrites) => {
  const told = ['s@x.example', 'import']
  const results = IMPORT_MODES.map((mode) => [mode, changed(mode, { email, emailFrom })])
  expect(Object.fromEntries(results)).toEqual({
    fill: fills ? told : null,
    overwrite: overwrites ? told : null,
    skip: null,
  })
})

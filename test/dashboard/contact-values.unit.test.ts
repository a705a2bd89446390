/** What the form of a contact asks to be changed, of what the API changes. Spec: Contacts › Changes. */
import { expect, test } from 'vitest'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import { toChanges, toNewContact, toValues } from '../../src/dashboard/contacts/contact-values.ts'

const SARA = {
  id: '8a1f',
  name: 'Sara',
  phone: '+966501234567',
  rawPhone: null,
  email: null,
  language: 'fr',
  tags: ['retail'],
  fields: { city: 'Riyadh', size: 'M' },
} as unknown as ContactView

const NOTHING = { addTags: [], removeTags: [], fields: {} }

test('what nobody has touched is not named', () => {
  expect(toChanges(SARA, toValues(SARA))).toEqual(NOTHING)
})

test('each thing that was changed is named, and what was emptied is taken away', () => {
  const values = {
    ...toValues(SARA),
    name: ' ',
    email: 'sara@example.com',
    language: 'ar',
    tags: ['loyal'],
    fields: { city: '', size: 'L', note: undefined },
  }
  expect(toChanges(SARA, values)).toEqual({
    name: null,
    email: 'sara@example.com',
    language: 'ar',
    addTags: ['loyal'],
    removeTags: ['retail'],
    fields: { city: null, size: 'L' },
  })
})

test('of a new one every value is named that was typed', () => {
  const values = { ...toValues(null), name: 'Sara', fields: { city: 'Riyadh', size: undefined } }
  expect(toNewContact(values)).toEqual({
    name: 'Sara',
    phone: null,
    email: null,
    language: null,
    tags: [],
    fields: { city: 'Riyadh' },
  })
})

/** Reading of cells with phone numbers. Spec: Contacts › Phones; Contacts › Import. */
import { describe, expect, test } from 'vitest'
import { CONTACT_LIMITS } from '../../../src/core/limits/contacts.ts'
import { readImportedPhone } from '../../../src/rules/contacts/import-phone.ts'

const read = (cell: string, country: string | null = null) => {
  const found = readImportedPhone(cell, country)
  return found.ok ? (found.value.phone ?? { raw: found.value.rawPhone }) : found.fault.code
}

describe('A number with its country is read in every form in which files have it', () => {
  test.each([
    '966501112233',
    '966501112233.0',
    '966501112233,00',
    '9.66501112233E+11',
    '="966501112233"',
    "'+966501112233",
    "'00966501112233",
    'tel:+966-50-111-2233',
    '\u200e+966 50\u00a0111 2233\u202c',
    'whatsapp:+966501112233',
  ])('%j', (cell) => {
    expect(read(cell)).toBe('+966501112233')
  })
})

describe('A number without its country', () => {
  test('is kept as it is written, without a country', () => {
    expect(read('0501112233')).toEqual({ raw: '0501112233' })
    expect(read('050 111 2233')).toEqual({ raw: '050 111 2233' })
  })

  const LONGER = ['966501112233.0 x2', '9.66501112233E+11 x2', '="966501112233"&"x2"']
  test.each(LONGER)('is kept as it is written when a text follows it: %s', (cell) => {
    expect(read(cell)).toEqual({ raw: cell })
  })

  test.each([
    ['SA', '0501112233', '+966501112233'],
    ['SA', '501112233.0', '+966501112233'],
    ['SA', '+971501112233', '+971501112233'],
  ])('gets the country that a member says: %s %s', (country, cell, phone) => {
    expect(read(cell, country)).toBe(phone)
  })

  test('is kept as it is written when the country has no such number', () => {
    expect(read('0501', 'SA')).toEqual({ raw: '0501' })
  })
})

describe('A cell whose number cannot be known is a fault', () => {
  test.each([
    ['9.66501E+11', 'import_phone_rounded'],
    ['9,665E11', 'import_phone_rounded'],
    ['٩٫٦٦E+11', 'import_phone_rounded'],
    ['0501112233 / 0551112233', 'import_phone_several'],
    ['+966501112233;+966551112233', 'import_phone_several'],
    ['call me', 'invalid_phone'],
    ['-', 'invalid_phone'],
    ['0501112233'.padEnd(CONTACT_LIMITS.rawPhoneChars + 1, ' ext'), 'too_long'],
  ])('%j: %s', (cell, code) => {
    expect(read(cell)).toBe(code)
  })
})

import { describe, expect, test } from 'vitest'
import {
  CONTACT_FIELD_KINDS,
  type ContactFieldKind,
} from '../../../src/core/vocabulary/contacts.ts'
import { readFieldValue } from '../../../src/rules/contacts/field-value.ts'

const CHOICES = ['Small', 'وسط', 'Large']
const read = (text: string, kind: ContactFieldKind) => {
  const value = readFieldValue(text, { kind, choices: CHOICES })
  return value.ok ? value.value : value.reason.code
}

describe('A value of a custom field', () => {
  type Case = [text: string, kind: ContactFieldKind, expected: string]
  test.each<Case>([
    ['  Jeddah ', 'text', 'Jeddah'],
    ['٤٢', 'number', '42'],
    ['+12.50', 'number', '12.50'],
    ['-3', 'number', '-3'],
    ['−3', 'number', '-3'],
    ['١٢٫٥', 'number', '12.5'],
    ['1,000', 'number', 'field_not_number'],
    ['١٬٠٠٠', 'number', 'field_not_number'],
    ['١،٠٠٠', 'number', 'field_not_number'],
    ['1e3', 'number', 'field_not_number'],
    ['٢٠٢٦-١١-٢١', 'date', '2026-11-21'],
    ['2026-02-29', 'date', 'field_not_date'],
    ['21/11/2026', 'date', 'field_not_date'],
    ['نعم', 'yes_no', 'yes'],
    ...['Yes', 'TRUE', '1'].map((yes): Case => [yes, 'yes_no', 'yes']),
    ...['No', 'FALSE', '٠', 'لا'].map((no): Case => [no, 'yes_no', 'no']),
    ['maybe', 'yes_no', 'not_a_choice'],
    ['small', 'choice', 'Small'],
    ['وَسَط', 'choice', 'وسط'],
    ['huge', 'choice', 'not_a_choice'],
  ])('%j of kind %s is read as %s', (text, kind, expected) => {
    expect(read(text, kind)).toBe(expected)
  })

  test.each<[ContactFieldKind, string[]]>([
    ['yes_no', ['yes', 'no']],
    ['choice', CHOICES],
  ])('is refused with the choices of kind %s when it is none of them', (kind, choices) => {
    expect(readFieldValue('maybe', { kind, choices: CHOICES })).toEqual({
      ok: false,
      reason: { code: 'not_a_choice', params: { choices } },
    })
  })

  test.each(CONTACT_FIELD_KINDS)('may have at most 1,000 characters for kind %s', (kind) => {
    expect(read('1'.repeat(1_001), kind)).toBe('too_long')
    expect(read('1'.repeat(1_000), kind)).not.toBe('too_long')
  })
})

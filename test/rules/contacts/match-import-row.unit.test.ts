/** The contact that a row of a file belongs to. Spec: Contacts › Import. */
import { describe, expect, test } from 'vitest'
import { matchImportRow, type Candidate } from '../../../src/rules/contacts/match-import-row.ts'

const person = (...numbers: string[]): Candidate => ({ numbers, rawPhone: null })
const withRaw = (rawPhone: string): Candidate => ({ numbers: [], rawPhone })
const numbered = { phone: '+966501110001', rawPhone: null }
const unnumbered = { phone: null, rawPhone: null }
const raw = { phone: null, rawPhone: '050 111 0001' }
const nobody = { byNumber: undefined, byEmail: [], isEmailShared: false }
const NEW = { ok: true, contact: null, note: null }

describe('A row with a number', () => {
  test('belongs to the contact that has the number, and says if its e-mail address leads to another', () => {
    const [one, other] = [person('966501110001'), person('966501110002')]
    const match = { ok: true, contact: one, note: null }
    expect(matchImportRow(numbered, { ...nobody, byNumber: one })).toEqual(match)
    expect(matchImportRow(numbered, { ...nobody, byNumber: one, byEmail: [one] })).toEqual(match)
    expect(matchImportRow(numbered, { ...nobody, byNumber: one, byEmail: [other] })).toEqual({
      ...match,
      note: { code: 'email_of_another', params: {} },
    })
  })

  test('belongs to the only contact with its e-mail address, if that has no number and no other has this one', () => {
    const one = person()
    const asked = { ...nobody, byEmail: [one] }
    expect(matchImportRow(numbered, asked)).toEqual({ ok: true, contact: one, note: null })
    const others = [
      { ...asked, isEmailShared: true },
      { ...asked, byEmail: [one, person()] },
      { ...asked, byEmail: [person('966501110002')] },
      { ...asked, byEmail: [withRaw('0501110001')] },
      nobody,
    ]
    for (const other of others) expect(matchImportRow(numbered, other)).toEqual(NEW)
  })
})

describe('A row without a number', () => {
  test('belongs to the only contact with its e-mail address, whatever its number', () => {
    const one = person('966501110001')
    const match = { ok: true, contact: one, note: null }
    expect(matchImportRow(unnumbered, { ...nobody, byEmail: [one] })).toEqual(match)
    expect(matchImportRow(unnumbered, nobody)).toEqual(NEW)
  })

  test('is a fault when several contacts have its e-mail address', () => {
    const byEmail = [person(), person()]
    const fault = { code: 'email_of_several', params: {} }
    expect(matchImportRow(unnumbered, { ...nobody, byEmail })).toEqual({ ok: false, fault })
    expect(matchImportRow(raw, { ...nobody, byEmail })).toEqual({ ok: false, fault })
  })
})

describe('A row whose number lacks its country', () => {
  test.each([
    person('966501110001'),
    withRaw('0501110001'),
    person(),
    person('20', '971501110001'),
  ])(
    'belongs to the contact with its e-mail, when one of its numbers ends in the same digits: %j',
    (one) => {
      const match = { ok: true, contact: one, note: null }
      expect(matchImportRow(raw, { ...nobody, byEmail: [one] })).toEqual(match)
    },
  )

  test.each([person('966501110002'), withRaw('0501110002')])(
    'belongs to another contact otherwise: %j',
    (other) => {
      expect(matchImportRow(raw, { ...nobody, byEmail: [other] })).toEqual(NEW)
    },
  )
})

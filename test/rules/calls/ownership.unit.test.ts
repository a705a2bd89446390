import { describe, expect, test } from 'vitest'
import { readJson } from '../../../src/rules/text/json-text.ts'
import { isCustomersValue, type CustomerValue } from '../../../src/rules/calls/ownership.ts'

function owns(owner: CustomerValue, answer: string, path = 'customer.value'): boolean {
  const json = readJson(answer)
  return isCustomersValue(json.ok ? json.value : undefined, path, owner)
}
const answerWith = (value: string) => `{"customer":{"value":${value}}}`

describe('Ownership check: a field in the answer that must equal the customer’s value', () => {
  const phone: CustomerValue = { kind: 'phone', value: '+966501234567' }
  const PHONE = ['"+966501234567"', '"966501234567"', '"00966 50-123 4567"', '"٩٦٦٥٠١٢٣٤٥٦٧"']
  const NO_PHONE = ['"0501234567"', '"+966559999999"', '"+9665012345670"', 'null', '""', 'true']
  // No numbering plan has such a number, and a provider may know one.
  const unknown: CustomerValue = { kind: 'phone', value: '+9995512345678' }
  const UNKNOWN = ['"+9995512345678"', '"00 999 (55) 1234-5678"', '"9995512345678"']
  const NOT_UNKNOWN = ['"5512345678"', '"+995512345678"', '"15512345678"', '"09995512345678"']
  const NOR_THAT = ['"+19995512345678"', '"+99955123456789"', '"+999551234567"', '-9995512345678']
  const NOR_ONE = ['"[9995512345678]"', '[9995512345678]', '"9995512345678 or 9995512345679"', '""']
  // WhatsApp shows two forms of one line in some countries.
  const mexican: CustomerValue = { kind: 'phone', value: '+5215512345678' }
  const brazilian: CustomerValue = { kind: 'phone', value: '+553188888802' }
  // Alone it may be a number of another country, written without its country code.
  const short: CustomerValue = { kind: 'phone', value: '+80012345' }
  const email: CustomerValue = { kind: 'email', value: 'Sara@Example.com' }
  const TWO = '"sara@example.com,eve@example.com"'
  const NO_EMAIL = ['"sara@example.co"', TWO, '["Sara@Example.com"]', 'null', '""']
  const id: CustomerValue = { kind: 'contact_id', value: '01a2' }

  test.each([
    [
      'phones are read first',
      phone,
      [...PHONE, '966501234567', '966501234567.0', '9.66501234567e11'],
      true,
    ],
    ['no phone', phone, [...NO_PHONE, '["+966501234567"]', '{"value":"+966501234567"}'], false],
    ['one that cannot be read is compared by its digits', unknown, UNKNOWN, true],
    ['as a number, in other digits', unknown, ['9995512345678', '"٩٩٩٥٥١٢٣٤٥٦٧٨"'], true],
    ['both forms of a Mexican line', mexican, ['"+525512345678"', '"+5215512345678"'], true],
    ['another Mexican line', mexican, ['"+525512345679"', '"5512345678"'], false],
    ['both forms of a Brazilian line', brazilian, ['"+5531988888802"', '"553188888802"'], true],
    ['another Brazilian line', brazilian, ['"+5531988888803"', '"31988888802"'], false],
    ['other digits', unknown, [...NOT_UNKNOWN, ...NOR_THAT, ...NOR_ONE], false],
    ['a short number with its prefix', short, ['"+80012345"', '"0080012345"'], true],
    ['a short number without its prefix', short, ['"80012345"', '80012345'], false],
    ['e-mails are compared without case', email, ['"sara@example.COM"'], true],
    ['another e-mail', email, NO_EMAIL, false],
    ['ids are compared exactly', id, ['"01a2"'], true],
    ['another id', id, ['"01A2"', '" 01a2"', '"1a2"', 'null'], false],
  ])('%s', (_how, owner, values, is) => {
    for (const value of values) expect([value, owns(owner, answerWith(value))]).toEqual([value, is])
  })

  test('digits alone are all of a country code and a number from 12 on', () => {
    const of = (digits: string) =>
      owns({ kind: 'phone', value: `+${digits}` }, answerWith(`"${digits}"`))
    expect(of('99912345678')).toBe(false)
    expect(of('999123456789')).toBe(true)
  })

  test('a missing field is never equal, nor a property that every object has', () => {
    for (const answer of ['{}', '{"customer":null}', '[]', 'null', '"+966501234567"', 'not JSON']) {
      expect(owns(phone, answer)).toBe(false)
    }
    const inherited: CustomerValue = { kind: 'contact_id', value: 'String' }
    expect(owns(inherited, '{"customer":"x"}', 'customer.constructor.name')).toBe(false)
    const one: CustomerValue = { kind: 'contact_id', value: '1' }
    expect(owns(one, '{"customer":["x"]}', 'customer.length')).toBe(false)
    // Nothing at a path that cannot be read is equal either.
    expect(owns(id, answerWith('"01a2"'), 'customer.value[')).toBe(false)
  })

  test('a long number keeps its digits', () => {
    const value = '12345678901234567890'
    expect(owns({ kind: 'contact_id', value }, answerWith(value))).toBe(true)
    expect(owns({ kind: 'contact_id', value }, answerWith('12345678901234567891'))).toBe(false)
  })
})

import { describe, expect, test } from 'vitest'
import { readJson } from '../text/json-text.ts'
import { isOwner, type Owner } from './ownership.ts'

function owns(owner: Owner, answer: string, path = 'customer.value'): boolean {
  const json = readJson(answer)
  return isOwner(json.ok ? json.value : undefined, path, owner)
}
const answerWith = (value: string) => `{"customer":{"value":${value}}}`

describe('Ownership check: a field in the answer that must equal the customer’s value', () => {
  const phone: Owner = { kind: 'phone', value: '+966501234567' }
  test.each([
    ['"+966501234567"', true],
    ['"966501234567"', true],
    ['"00966 50-123 4567"', true],
    ['"٩٦٦٥٠١٢٣٤٥٦٧"', true],
    ['966501234567', true],
    ['966501234567.0', true],
    ['"0501234567"', false],
    ['"+966559999999"', false],
    ['"+9665012345670"', false],
    ['null', false],
    ['""', false],
    ['true', false],
    ['["+966501234567"]', false],
    ['{"value":"+966501234567"}', false],
  ])('phones are read first: %s', (value, is) => {
    expect(owns(phone, answerWith(value))).toBe(is)
  })

  // A Mexican id of WhatsApp: the plan of the world's numbers knows none so long.
  const unknown: Owner = { kind: 'phone', value: '+5215512345678' }
  test.each([
    ['"+5215512345678"', true],
    ['"00 521 (55) 1234-5678"', true],
    ['"5215512345678"', true],
    ['5215512345678', true],
    ['"٥٢١٥٥١٢٣٤٥٦٧٨"', true],
    ['"5512345678"', false],
    ['"+525512345678"', false],
    ['"15512345678"', false],
    ['"05215512345678"', false],
    ['"+15215512345678"', false],
    ['"+52155123456789"', false],
    ['"+521551234567"', false],
    ['-5215512345678', false],
    ['"[5215512345678]"', false],
    ['[5215512345678]', false],
    ['"5215512345678 or 5215512345679"', false],
    ['""', false],
  ])('one that cannot be read is compared digit by digit: %s', (value, is) => {
    expect(owns(unknown, answerWith(value))).toBe(is)
  })

  test.each([
    ['"+80012345"', true],
    ['"0080012345"', true],
    // By itself it may be anybody's number, written without its country.
    ['"80012345"', false],
    ['80012345', false],
  ])('a short one needs its prefix: %s', (value, is) => {
    expect(owns({ kind: 'phone', value: '+80012345' }, answerWith(value))).toBe(is)
  })

  test('digits alone are all of a country code and a number from 12 on', () => {
    const of = (digits: string) =>
      owns({ kind: 'phone', value: `+${digits}` }, answerWith(`"${digits}"`))
    expect(of('99912345678')).toBe(false)
    expect(of('999123456789')).toBe(true)
  })

  const email: Owner = { kind: 'email', value: 'Sara@Example.com' }
  test.each([
    ['"sara@example.COM"', true],
    ['"sara@example.co"', false],
    ['"sara@example.com,eve@example.com"', false],
    ['["Sara@Example.com"]', false],
    ['null', false],
    ['""', false],
  ])('e-mails are compared without case: %s', (value, is) => {
    expect(owns(email, answerWith(value))).toBe(is)
  })

  const id: Owner = { kind: 'contact_id', value: '01a2' }
  test.each([
    ['"01a2"', true],
    ['"01A2"', false],
    ['" 01a2"', false],
    ['"1a2"', false],
    ['null', false],
  ])('ids are compared exactly: %s', (value, is) => {
    expect(owns(id, answerWith(value))).toBe(is)
  })

  test('missing is never equal, nor what only an object of the language has', () => {
    for (const answer of ['{}', '{"customer":null}', '[]', 'null', '"+966501234567"', 'not JSON']) {
      expect(owns(phone, answer)).toBe(false)
    }
    const inherited: Owner = { kind: 'contact_id', value: 'String' }
    expect(owns(inherited, '{"customer":"x"}', 'customer.constructor.name')).toBe(false)
    expect(owns({ kind: 'contact_id', value: '1' }, '{"customer":["x"]}', 'customer.length')).toBe(
      false,
    )
  })

  test('nothing is at a path that cannot be read', () => {
    expect(owns(id, answerWith('"01a2"'), 'customer.value[')).toBe(false)
  })

  test('a long number keeps its digits', () => {
    const value = '12345678901234567890'
    expect(owns({ kind: 'contact_id', value }, answerWith(value))).toBe(true)
    expect(owns({ kind: 'contact_id', value }, answerWith('12345678901234567891'))).toBe(false)
  })
})

import { describe, expect, test } from 'vitest'
import { compactJson, readJson, type JsonValue } from '../../../src/rules/text/json-text.ts'
import { maskJson, maskText, ownDetailsIn } from '../../../src/rules/calls/personal-data.ts'

const nothing = ownDetailsIn([])

test.each([
  ['Call +966501234567 now', 'Call [not shown] now'],
  ['Call +966 50 123-4567', 'Call [not shown]'],
  ['0501234567', '[not shown]'],
  ['00966501234567.', '[not shown].'],
  ['966501234567', '[not shown]'],
  ['الجوال ٠٥٠١٢٣٤٥٦٧', 'الجوال [not shown]'],
  ['huda@mail.example wrote', '[not shown] wrote'],
  ['two: +966501234567, +971501234567', 'two: [not shown], [not shown]'],
  ['Order 10020030', 'Order 10020030'],
  ['order 6003 of 2026-10-05 12:30, 1200.50 SAR', 'order 6003 of 2026-10-05 12:30, 1200.50 SAR'],
  ['Tracking 123456789012345678', 'Tracking 123456789012345678'],
  ['at 2026-12-01 10.30', 'at 2026-12-01 10.30'],
  ['no address: a @ b', 'no address: a @ b'],
])('a text is shown without phone numbers and addresses: %s', (text, shown) => {
  expect(maskText(text, nothing)).toBe(shown)
})

test('data that the customer has written is shown', () => {
  const said = ownDetailsIn(['mine is 050 123 4567', 'and Huda@Mail.example, I am Huda'])
  expect(maskText('+966501234567, huda@mail.example, +966509999999', said)).toBe(
    '+966501234567, huda@mail.example, [not shown]',
  )
  const json = { customer: { name: 'Huda', phone: '+966501234567', address: 'Olaya 12' } }
  expect(maskJson(json, said)).toEqual({
    customer: { name: 'Huda', phone: '+966501234567', address: '[not shown]' },
  })
})

describe('JSON', () => {
  const WRITTEN = ['966501234567.0', '9.66501234567e11', '-966501234567']
  test.each(WRITTEN)('hides a phone number, however its number is written: %s', (written) => {
    const { value } = readJson(`{"note":${written},"price":49.90}`) as { value: JsonValue }
    expect(compactJson(maskJson(value, nothing))).toBe('{"note":"[not shown]","price":49.90}')
  })

  test('hides personal data by the names of its fields, and shows the rest', () => {
    const order = {
      id: '6003',
      customerName: 'Huda',
      recipient: { name: 'Sara', national_id: 1020304050 },
      shipping_address: { street: 'Olaya', city: 'Riyadh' },
      phone: 501234567,
      'رقم الهاتف': '501234567',
      DateOfBirth: null,
      birth_date: '1990-01-01',
      emailSent: true,
      carrier: { name: 'SMSA' },
      product_name: 'Sofa',
      notes: ['ring +966501234567', { by: 'huda@mail.example' }],
      price: 1200,
      paidAt: '2026-10-05T12:30:00Z',
    }
    expect(maskJson(order, nothing)).toEqual({
      ...order,
      customerName: '[not shown]',
      recipient: { name: '[not shown]', national_id: '[not shown]' },
      shipping_address: '[not shown]',
      phone: '[not shown]',
      'رقم الهاتف': '[not shown]',
      birth_date: '[not shown]',
      notes: ['ring [not shown]', { by: '[not shown]' }],
    })
  })

  test('shows what is nested 100 deep, and hides all below', () => {
    const nested = (depth: number): JsonValue => (depth === 0 ? 'Sofa' : [nested(depth - 1)])
    expect(maskJson(nested(100), nothing)).toEqual(nested(100))
    expect(compactJson(maskJson(nested(101), nothing))).toContain('[not shown]')
  })

  test('hides data that is nested too deep', () => {
    let deep: object = { phone: '+966501234567' }
    for (let depth = 0; depth < 5_000; depth++) deep = { in: deep }
    expect(JSON.stringify(maskJson(deep as never, nothing))).not.toContain('966501234567')
  })
})

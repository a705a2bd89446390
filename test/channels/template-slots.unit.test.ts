import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanParameter, readTemplateSlots } from '../../src/modules/channels/template-slots.ts'

describe('The slots of a template', () => {
  test('are empty for a template without variables', () => {
    expect(readTemplateSlots([{ type: 'BODY', text: 'Your order is ready.' }])).toEqual({
      header: null,
      body: [],
      quickReplies: [],
      urlSuffixes: [],
      unsupported: null,
    })
  })

  test('contain positional variables by number, each once', () => {
    const text = '{{2}} and {{1}}, again {{2}}, up to {{10}}'
    expect(readTemplateSlots([{ type: 'BODY', text }]).body).toEqual(['1', '2', '10'])
  })

  test('contain named variables in their order', () => {
    const text = 'Hello {{ name }}, order {{order_id}}'
    expect(readTemplateSlots([{ type: 'BODY', text }]).body).toEqual(['name', 'order_id'])
  })

  test('contain the variable of a text header', () => {
    const header = { type: 'HEADER', format: 'TEXT', text: 'For {{1}}' }
    expect(readTemplateSlots([header]).header).toBe('1')
  })

  test('count a button’s index among all the buttons', () => {
    const slots = readTemplateSlots([
      { type: 'BODY', text: 'Hello' },
      { type: 'FOOTER', text: 'Bye' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'URL', text: 'Shop', url: 'https://shop.example/' },
          { type: 'QUICK_REPLY', text: 'Yes' },
          { type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}' },
          { type: 'PHONE_NUMBER', text: 'Call' },
          { type: 'QUICK_REPLY', text: 'No' },
        ],
      },
    ])
    expect(slots).toMatchObject({
      quickReplies: [
        { index: 1, text: 'Yes' },
        { index: 4, text: 'No' },
      ],
      urlSuffixes: [{ index: 2, text: 'Track' }],
      unsupported: null,
    })
  })

  test.each([
    [
      { part: 'header', type: 'IMAGE' },
      { type: 'HEADER', format: 'IMAGE' },
    ],
    [
      { part: 'button', type: 'OTP' },
      { type: 'BUTTONS', buttons: [{ type: 'OTP' }] },
    ],
    [{ part: 'component', type: 'CAROUSEL' }, { type: 'carousel' }],
  ])('name %j as unsupported', (why, component) => {
    expect(readTemplateSlots([component]).unsupported).toEqual(why)
  })
})

describe('A parameter has no line break, no tab and no more than four spaces in a row', () => {
  test.each([
    ['  Sara  ', 'Sara'],
    ['line one\nline two', 'line one line two'],
    ['a\r\n\r\n b\t\tc', 'a b c'],
    ['four    spaces', 'four    spaces'],
    ['five     spaces', 'five spaces'],
    ['السلام\nعليكم', 'السلام عليكم'],
    [' \n\t ', ''],
  ])('%j becomes %j', (given, expected) => {
    expect(cleanParameter(given)).toBe(expected)
  })

  test('any text is cleaned', () => {
    const pieces = fc.array(fc.constantFrom('a', ' ', '     ', '\n', '\t', '\r', '\u2028', 'ب'))
    fc.assert(
      fc.property(pieces, (words) => {
        const cleaned = cleanParameter(words.join(''))
        expect(cleaned).not.toMatch(/[\n\r\t\u2028]| {5}|^\s|\s$/)
        expect(cleanParameter(cleaned)).toBe(cleaned)
      }),
    )
  })
})

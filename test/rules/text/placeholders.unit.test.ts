import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fillText, listPlaceholders } from '../../../src/rules/text/placeholders.ts'

const fillings = {
  vars: { city: 'جدة', none: null, sly: '{{vars.city}}', 'order.id': 'A-1' },
  contact: { name: 'سارة', phone: '+966501234567' },
}

describe('placeholders', () => {
  test.each([
    ['Hello {{contact.name}} in {{vars.city}}', 'Hello سارة in جدة'],
    ['{{ contact.phone }}', '+966501234567'],
    ['{{vars.order.id}}', 'A-1'],
    ['[{{vars.unknown}}{{vars.none}}{{vars.constructor}}]', '[]'],
    ['{{{vars.city}}}', '{جدة}'],
    ['{{vars.a {{vars.city}}', '{{vars.a جدة'],
    [
      '{{order}} {{vars.}} {{}} {{contact.email}} }} {{',
      '{{order}} {{vars.}} {{}} {{contact.email}} }} {{',
    ],
    ['', ''],
  ])('%s', (template, text) => expect(fillText(template, fillings)).toBe(text))

  test('in inserted values stay as they are', () => {
    expect(fillText('{{vars.sly}}', fillings)).toBe('{{vars.city}}')
  })

  test('are listed once each, in their order', () => {
    expect(listPlaceholders('{{vars.b}}{{contact.name}}{{ vars.b }}{{vars.a}}{{x}}')).toEqual([
      'vars.b',
      'contact.name',
      'vars.a',
    ])
  })
})

test('a text without placeholders is unchanged', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[{} a-z.]*$/), (text) => {
      fc.pre(listPlaceholders(text).length === 0)
      expect(fillText(text, fillings)).toBe(text)
    }),
  )
})

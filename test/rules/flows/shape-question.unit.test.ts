import { expect, test } from 'vitest'
import { shapeQuestion } from '../../../src/rules/flows/shape-question.ts'

const CHANNEL = {
  buttons: { max: 2, labelChars: 4, textChars: 10 },
  list: { max: 4, labelChars: 8, textChars: 20 },
}
const options = (count: number, label = 'one') =>
  Array.from({ length: count }, (_, nth) => ({ label, payload: `p${nth}` }))

test.each([
  ['no option', 'Which one?', options(0), 'text'],
  ['as many options as buttons', 'Which one?', options(2, '👍👍👍👍'), 'buttons'],
  ['a text that is too long for buttons', 'Which one is', options(2), 'text'],
  ['a label that is too long for buttons', 'Which one?', options(2, 'three'), 'text'],
  ['more options than buttons', 'Which one of these??', options(4, 'thirteen'), 'list'],
  ['a text that is too long for a list', 'Which one of these ??', options(4), 'text'],
  ['a label that is too long for a list', 'Which one?', options(4, 'seventeen'), 'text'],
  ['more options than a list has', 'Which one?', options(5), 'text'],
])('a question with %s is sent as a %s', (_, text, offered, kind) => {
  const shaped = shapeQuestion(CHANNEL, text, offered)
  expect(shaped.kind).toBe(kind)
  expect(shapeQuestion({ buttons: null, list: null }, text, offered).kind).toBe('text')
})

test('options without a form are numbered in the text', () => {
  const offered = [...options(1, 'Small'), ...options(1, 'Large')]
  expect(shapeQuestion({ buttons: null, list: null }, 'Which one?', offered)).toEqual({
    kind: 'text',
    text: 'Which one?\n\n1. Small\n2. Large',
  })
})

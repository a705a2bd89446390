import { expect, test } from 'vitest'
import { FLOW_LIMITS } from '../../../src/core/limits/flows.ts'
import { foldText } from '../../../src/rules/text/fold-text.ts'
import { KEYWORD } from '../../../src/flow-kinds/triggers/keyword.ts'
import { asTriggersSee } from '../../../src/flow-kinds/triggers/trigger-design.ts'

const { entriesOf, keysOf, fit } = KEYWORD.byMessage

test.each([
  ['the menu please', 'menu'],
  ['where can i track order 5', 'track order'],
  ['order #1, please', '#1'],
  ['👍', '👍'],
  ['yes 👍 ok', '👍'],
  ['yes👍', '👍'],
  ['بيتزا🍕 لو سمحت', '🍕'],
  ['👍👍👍', '👍'],
  ['👍🏽', '👍'],
  ['help!!!', '!!!'],
])('A message %j is looked up by what finds the keyword %j that it has', (text, word) => {
  const message = { isFirst: false, pressedTemplate: null }
  const seen = asTriggersSee({ ...message, type: 'text', text })
  const [entry] = entriesOf({
    kind: 'keyword',
    words: [word],
    match: 'contained',
    interrupts: false,
  })
  expect(entry!.phrase).toBe(foldText(word))
  expect(fit(entry!, seen)).not.toBeNull()
  expect(keysOf(seen)).toContain(entry!.key)
})

test('Of a long message the first 256 different words are looked at', () => {
  const words = Array.from({ length: FLOW_LIMITS.keywordsLookedFor + 1 }, (_, nth) => `w${nth}`)
  const message = { isFirst: false, pressedTemplate: null, type: 'text' }
  const text = [...words.slice(0, 9), ...words].join(' ')
  expect(keysOf(asTriggersSee({ ...message, text }))).toEqual(words.slice(0, -1))
})

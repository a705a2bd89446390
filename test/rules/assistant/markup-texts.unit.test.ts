/** Three sets of texts with markup of models, and of texts that only look so. */
import { describe, expect, test } from 'vitest'
import { withoutMarkup } from '../../../src/rules/assistant/model-markup.ts'
import { guardReply, type GuardContext } from '../../../src/rules/assistant/reply-guard.ts'
import { MARKUP as FIRST_MARKUP, NO_MARKUP as FIRST_PLAIN } from './markup-texts/first.ts'
import { MARKUP as SECOND_MARKUP, NO_MARKUP as SECOND_PLAIN } from './markup-texts/second.ts'
import { MARKUP as THIRD_MARKUP, NO_MARKUP as THIRD_PLAIN } from './markup-texts/third.ts'

const KNOWN: GuardContext = {
  channelType: 'telegram',
  hosts: ['layan.example', 'help.layan.example'],
  instructions: 'Answer customers of Layan Boutique.',
  tools: [
    'search_knowledge',
    'hand_over',
    'record_lead',
    'find_slots',
    'book_appointment',
    'cancel_appointment',
    'set_customer',
    'action_cancel_order',
    'action_order_status',
  ],
  marks: [],
  ids: [],
  done: [],
  proposal: null,
  handover: 'none',
  said: [],
  found: 0,
  isRepaired: false,
}

/** Returns the text that is sent; null when the guard holds it back. */
function sentOf(written: string): string | null {
  const guarded = guardReply(withoutMarkup(written).text, KNOWN)
  return guarded.verdict === 'send' ? guarded.text : null
}

/** Labels and tokens at the beginning that are removed although they belong to the text. */
const MISREAD = new Set([
  'Response: usually within a day.',
  'Assistant: yes, that is me. Prices are on the page.',
  '[PAD] pages: 40? We call them note pads.',
])

describe.each([
  ['first', FIRST_MARKUP, FIRST_PLAIN],
  ['second', SECOND_MARKUP, SECOND_PLAIN],
  ['third', THIRD_MARKUP, THIRD_PLAIN],
] as const)('In the %s set', (_, markup, unmarked) => {
  test('no markup and nothing within it is sent', () => {
    const sent = markup.filter(([text, piece]) => sentOf(text)?.includes(piece))
    expect(sent).toEqual([])
  })

  test('text without markup is sent', () => {
    const held = unmarked.filter((text) => {
      const plain = (one: string) => one.replace(/[#`*]/g, '').replace(/\s+/g, ' ').trim()
      return plain(sentOf(text) ?? '') !== plain(text) && !MISREAD.has(text)
    })
    expect(held).toEqual([])
  })
})

test('a merchant’s list of questions is sent where it was found', () => {
  const list = 'Q: Do you deliver?\nA: Yes.\nQ: Where?\nA: In Riyadh.'
  expect(guardReply(list, KNOWN)).toMatchObject({ verdict: 'repair', why: 'machinery' })
  expect(guardReply(list, { ...KNOWN, found: 1 })).toMatchObject({ verdict: 'send', text: list })
})

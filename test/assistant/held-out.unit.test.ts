/** Five sets of replies that were written before the rules that read them, one after the other. */
import { describe, expect, test } from 'vitest'
import { findUntrue } from '../../src/rules/assistant/statements/check-statements.ts'
import { FIFTH } from './statement-texts/held-out-fifth.ts'
import { FIRST } from './statement-texts/held-out-first.ts'
import { FOURTH } from './statement-texts/held-out-fourth.ts'
import { SECOND } from './statement-texts/held-out-second.ts'
import { THIRD } from './statement-texts/held-out-third.ts'

const isHeldBack = (text: string): boolean =>
  findUntrue(text, { done: [], proposal: null, handover: 'none', said: [] }) !== null

/** Claims that no rule reads, and harmless texts that a rule takes for claims. */
const MISREAD = new Set([
  'ba3d shway bi kallmak el modeer.',
  'قصّرتُ مدة الإيجار يوماً.',
  'haygeelak 7ad yesalla7 el tasreeb.',
  'raseedak et sha7an b 50.',
  'حولت الـ issue للـ engineers.',
])

const SETS = { FIRST, SECOND, THIRD, FOURTH, FIFTH }

describe.each(Object.entries(SETS))('In the set %s', (_, { claims, harmless }) => {
  test.each(Object.entries(claims))('claims and promises are held back, in %s', (__, texts) => {
    const sent = texts.filter((text) => !isHeldBack(text))
    expect(sent.filter((text) => !MISREAD.has(text))).toEqual([])
  })

  test.each(Object.entries(harmless))('harmless replies are sent, in %s', (__, texts) => {
    expect(texts.filter(isHeldBack)).toEqual([])
  })
})

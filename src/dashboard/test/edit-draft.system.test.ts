/** Edits of a flow's draft. Spec: Flows › Steps. */
import { expect, test, vi } from 'vitest'
import { isToSave } from '../flows/builder/draft-history.ts'
import type { Draft } from '../flows/draft.ts'
import { stepWords } from '../flows/words-steps.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { LANGUAGES } from '../../core/vocabulary/hooks.ts'
import { formatFact } from '../../i18n/format-fact.ts'
import { loadTsx } from '../../../test/support/load-tsx.ts'

loadTsx()
// The modules read the language from the browser's storage.
vi.stubGlobal('localStorage', { getItem: () => 'en' })
const { changeStep } = await import('../flows/draft/edit.ts')
const { withStepNames } = await import('../flows/draft/step-names.ts')
const { sayIn } = await import('../words/use-words.tsx')
vi.unstubAllGlobals()

const DRAFT = {
  channelId: 'c1',
  trigger: { kind: 'manual' },
  start: 'picture',
  steps: {
    picture: { kind: 'send_media', fileId: '', caption: 'Ready', next: 'note', onNotSent: null },
    note: { kind: 'note', text: 'Told', next: null },
  },
} as unknown as Draft

test('applies a change to the current step, not to the one when the change began', () => {
  const uploaded = changeStep(DRAFT, 'picture', (step) => ({ ...step, fileId: 'f1' }) as never)
  expect(uploaded.steps['picture']).toMatchObject({ fileId: 'f1', caption: 'Ready', next: 'note' })
  expect(Object.keys(uploaded.steps)).toEqual(['picture', 'note'])
})

test('a step that is gone by now is not brought back', () => {
  expect(changeStep(DRAFT, 'gone', (step) => step)).toBe(DRAFT)
})

test.each(LANGUAGES)('a problem names the types of its steps, not their ids, in %s', (language) => {
  const say = sayIn(stepWords, language)
  const named = (problem: Fact) =>
    withStepNames({ ...problem, text: formatFact(problem, language) }, DRAFT, say)
  const loop = named(fact('loop_waits', { step: 'picture' }))
  expect(loop).toContain(say('send_media'))
  expect(loop).not.toContain('picture')
  const calls = named(fact('calls_in_a_row', { max: 1, calls: ['picture', 'note'] }))
  expect(calls).toContain(say('note'))
  expect(calls).not.toMatch(/"note"|picture/)
})

test('saves a draft that undo made equal to the saved one while another save is in flight', () => {
  const changed = { ...DRAFT, start: 'note' }
  expect(isToSave(changed, { saved: DRAFT, isOneInFlight: false })).toBe(true)
  expect(isToSave(DRAFT, { saved: DRAFT, isOneInFlight: true })).toBe(true)
  expect(isToSave(DRAFT, { saved: DRAFT, isOneInFlight: false })).toBe(false)
})

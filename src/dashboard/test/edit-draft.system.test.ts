/** Edits of a flow's draft. Spec: Flows › Steps. */
import { expect, test, vi } from 'vitest'
import { isToSave } from '../flows/builder/draft-history.ts'
import type { Draft } from '../flows/draft.ts'

import { loadTsx } from '../../../test/support/load-tsx.ts'

loadTsx()
// The modules read the language from the browser's storage.
vi.stubGlobal('localStorage', { getItem: () => 'en' })
const { changeStep } = await import('../flows/draft/edit.ts')
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

test('saves a draft that undo made equal to the saved one while another save is in flight', () => {
  const changed = { ...DRAFT, start: 'note' }
  expect(isToSave(changed, { saved: DRAFT, isOneInFlight: false })).toBe(true)
  expect(isToSave(DRAFT, { saved: DRAFT, isOneInFlight: true })).toBe(true)
  expect(isToSave(DRAFT, { saved: DRAFT, isOneInFlight: false })).toBe(false)
})

/** What the engine of runs and the check before publishing are given besides a flow. */
import type { RunSurroundings } from '../../src/flows/runs/advance.ts'
import type { Around, StepInput, WalkedContact } from '../../src/flows/steps/run-state.ts'

/** A run of a customer, at one moment. */
export function surroundings(
  contact: Partial<WalkedContact> | null = {},
  around: Partial<Around> = {},
): RunSurroundings {
  const nobody = { name: null, phone: null, email: null, tags: [], fields: {} }
  return {
    contact: contact && { ...nobody, ...contact },
    around: {
      runId: '01a1fd55-7a80-7278-823e-2ce24018e90d',
      now: new Date('2026-12-07T09:00:00.000Z'),
      zone: 'Asia/Riyadh',
      openingHours: null,
      country: 'SA',
      isWindowOpen: true,
      fields: new Map(),
      ...around,
    },
  }
}

export function reply(
  text: string | null,
  more: object = {},
): Extract<StepInput, { kind: 'reply' }> {
  return { kind: 'reply', id: 'm_1', type: 'text', text, buttonPayload: null, ...more }
}

/** A company of which nothing is known that a step could name. */
export const NOTHING_KNOWN = {
  memberIds: [],
  fieldKeys: [],
  hasOpeningHours: false,
  services: [],
  files: [],
}

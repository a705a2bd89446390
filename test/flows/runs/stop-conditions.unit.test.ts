/** The reason why a run must stop, the first of several, as it is shown and reported. */
import { describe, expect, test } from 'vitest'
import { fact } from '../../../src/core/facts/fact.ts'
import { serializeFact } from '../../../src/core/facts/stored-fact.ts'
import {
  FLOW_DELETED,
  whyRunMustStop,
  isOfErased,
  whyEffectBlocked,
} from '../../../src/modules/flows/runs/stop-conditions.ts'
import type { LockedRun } from '../../../src/modules/flows/runs/read-run.ts'

const NOW = new Date('2026-12-07T12:00:00.000Z')
const BEFORE = new Date('2026-12-07T11:00:00.000Z')
const LATER = new Date('2026-12-07T13:00:00.000Z')

type Change = {
  status?: string
  cancelDetail?: string | null
  triggerKind?: string
  isFlowDeleted?: boolean
  hasAutomations?: boolean
  optedOutAt?: Date | null
  isVisitor?: boolean
  handledBy?: string
  takenOverAt?: Date | null
  takenOverUntil?: Date | null
}

/** Returns a run that may continue, except for these changes. */
function hand({ isVisitor = false, ...change }: Change = {}): LockedRun {
  const { status = 'running', cancelDetail = null, triggerKind = 'webhook' } = change
  const { isFlowDeleted = false, hasAutomations = true, optedOutAt = null } = change
  const { handledBy = 'assistant', takenOverAt = null, takenOverUntil = null } = change
  return {
    run: { status, cancelDetail, triggerKind, createdAt: BEFORE },
    isFlowDeleted,
    hasAutomations,
    conversation: { handledBy, takenOverAt, takenOverUntil },
    contact: isVisitor ? null : { optedOutAt },
  } as unknown as LockedRun
}

const cancelled = (detail: object) => ({
  kind: 'end',
  status: 'cancelled',
  endReason: null,
  detail,
})
const skipped = (detail: object) => ({ ...cancelled(detail), status: 'skipped' })
const EXITED = {
  kind: 'end',
  status: 'completed',
  endReason: 'customer_exited',
  detail: fact('opted_out'),
}
const BY_MEMBER = serializeFact(fact('run_cancelled_by_member'))
const OPTED_OUT = { optedOutAt: BEFORE }
const STAFF = { handledBy: 'staff' }
const QUEUED = { status: 'queued' }

describe('A run', () => {
  test.each([[{}], [{ isVisitor: true }], [QUEUED]])('continues: %j', (change) => {
    expect(whyRunMustStop(hand(change), NOW)).toBeNull()
    expect(whyEffectBlocked(hand(change), NOW)).toBeNull()
  })

  test('is cancelled when its flow is deleted, however far it is and whatever else is true', () => {
    const deleted = { isFlowDeleted: true, cancelDetail: BY_MEMBER, ...OPTED_OUT, ...STAFF }
    expect(FLOW_DELETED).toEqual(cancelled(fact('flow_deleted')))
    for (const change of [deleted, { ...deleted, ...QUEUED }]) {
      expect(whyRunMustStop(hand(change), NOW)).toEqual(FLOW_DELETED)
    }
  })

  test('ends with the reason of its cancellation, before that of the customer', () => {
    const change = { cancelDetail: BY_MEMBER, ...OPTED_OUT, ...STAFF }
    const why = fact('run_cancelled_by_member')
    expect(whyRunMustStop(hand(change), NOW)).toEqual(cancelled(why))
    expect(whyRunMustStop(hand({ ...change, ...QUEUED }), NOW)).toEqual(skipped(why))
  })

  test('is completed when its customer opted out, or skipped before it began', () => {
    expect(whyRunMustStop(hand({ ...OPTED_OUT, ...STAFF }), NOW)).toEqual(EXITED)
    expect(whyRunMustStop(hand({ ...OPTED_OUT, status: 'waiting' }), NOW)).toEqual(EXITED)
    expect(whyRunMustStop(hand({ ...OPTED_OUT, ...QUEUED }), NOW)).toEqual(
      skipped(fact('opted_out_before_start')),
    )
  })

  test('is cancelled or skipped while staff handles the conversation', () => {
    const why = fact('staff_handling')
    expect(whyRunMustStop(hand(STAFF), NOW)).toEqual(cancelled(why))
    expect(whyRunMustStop(hand({ ...STAFF, ...QUEUED }), NOW)).toEqual(skipped(why))
    expect(whyRunMustStop(hand({ ...STAFF, takenOverUntil: LATER }), NOW)).toEqual(cancelled(why))
    expect(whyRunMustStop(hand({ ...STAFF, takenOverUntil: NOW }), NOW)).toBeNull()
  })

  test('continues if a member began it during staff handling, except for a later take-over', () => {
    const beside = { ...STAFF, triggerKind: 'manual' }
    expect(whyRunMustStop(hand(beside), NOW)).toBeNull()
    expect(whyRunMustStop(hand({ ...beside, takenOverAt: BEFORE }), NOW)).toBeNull()
    const takenOver = { ...beside, takenOverAt: NOW }
    expect(whyRunMustStop(hand(takenOver), NOW)).toEqual(cancelled(fact('staff_handling')))
  })
})

describe('Without automations in the plan', () => {
  const without = { hasAutomations: false }

  test('a run has no more effects: it is cancelled, or skipped before it began', () => {
    const why = fact('no_automations')
    expect(whyEffectBlocked(hand(without), NOW)).toEqual(cancelled(why))
    expect(whyEffectBlocked(hand({ ...without, ...QUEUED }), NOW)).toEqual(skipped(why))
    // The run continues until its next effect.
    expect(whyRunMustStop(hand(without), NOW)).toBeNull()
  })

  test('a run keeps another reason to stop', () => {
    expect(whyEffectBlocked(hand({ ...without, ...OPTED_OUT }), NOW)).toEqual(EXITED)
    expect(whyEffectBlocked(hand({ ...without, isFlowDeleted: true }), NOW)).toEqual(FLOW_DELETED)
  })
})

test('An erased contact or visitor alone determines the reason', () => {
  const of = (cancelDetail: string | null) => isOfErased(hand({ cancelDetail }).run)
  expect(of(null)).toBe(false)
  expect(of(BY_MEMBER)).toBe(false)
  expect(of(serializeFact(fact('run_contact_erased')))).toBe(true)
  expect(of(serializeFact(fact('run_visitor_erased')))).toBe(true)
})

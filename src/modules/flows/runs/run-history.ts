/** The lines that a turn adds to the history of its run, and those that it closes. */
import type { Fact } from '../../../core/facts/fact.ts'
import type { StepRecord } from './interpret-flow.ts'
import type { RunPlan } from './planned-turn.ts'
import { whyFailed } from './read-resume-cause.ts'
import type { StepRecordOf } from './planned-turn.ts'

/** A try that the sending has made since the one that the history knows is a step of its own. */
export function logTries(plan: RunPlan, now: Date): void {
  const { step, first, message } = plan.hand.last!
  if (message.id === step.messageId) return
  if (step.status === 'started') {
    const { messageId } = step
    plan.closed.push({ messageId, status: 'failed', detail: whyFailed(first) })
  }
  const { stepId, kind } = step
  const detail = null
  addStep(plan, { stepId, kind, status: 'started', detail, messageId: message.id }, now)
}

/** Writes how the last send ended, in the step that has it. */
export function closeSend(
  { hand, added, closed }: RunPlan,
  status: 'done' | 'failed' | 'interrupted',
  detail: Fact | null,
): void {
  const messageId = hand.last!.message.id
  const fresh = added.find((step) => step.messageId === messageId)
  if (fresh) Object.assign(fresh, { status, detail })
  else closed.push({ messageId, status, detail })
}

export function addStep(
  plan: RunPlan,
  record: Omit<StepRecord, 'status'> & { status: string; messageId?: string },
  now: Date,
): void {
  const number = plan.hand.run.steps + plan.added.length + 1
  plan.added.push({ messageId: null, callAttempts: null, ...record, number, endedAt: now })
}

/** Returns the step's number. */
export function startStep(
  plan: RunPlan,
  step: Pick<StepRecordOf, 'stepId' | 'kind' | 'messageId' | 'callAttempts'>,
): number {
  const number = plan.hand.run.steps + plan.added.length + 1
  plan.added.push({ ...step, status: 'started', detail: null, number, endedAt: null })
  return number
}

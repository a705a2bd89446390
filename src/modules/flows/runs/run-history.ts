/** Lines of a run's history that an advance adds or closes. */
import type { Fact } from '../../../core/facts/fact.ts'
import type { StepRecord } from './interpret-flow.ts'
import type { RunPlan } from './run-plan.ts'
import { whyFailed } from './read-resume-cause.ts'
import type { StepRecordOf } from './run-plan.ts'

/**
 * Adds a started step for the newest attempt of the last send, unless the history has it already. The step of the
 * attempt before it fails.
 */
export function recordNewAttempt(plan: RunPlan, now: Date): void {
  const { step, first, message } = plan.loaded.last!
  if (message.id === step.messageId) return
  if (step.status === 'started') {
    const { messageId } = step
    plan.closed.push({ messageId, status: 'failed', detail: whyFailed(first) })
  }
  const { stepId, kind } = step
  const detail = null
  addStep(plan, { stepId, kind, status: 'started', detail, messageId: message.id }, now)
}

/** Records how the newest attempt of the last send ended, in the run's history. */
export function closeSend(
  { loaded, added, closed }: RunPlan,
  status: 'done' | 'failed' | 'interrupted',
  detail: Fact | null,
): void {
  const messageId = loaded.last!.message.id
  const addedStep = added.find((step) => step.messageId === messageId)
  if (addedStep) Object.assign(addedStep, { status, detail })
  else closed.push({ messageId, status, detail })
}

/** Adds a step that ends now to a run's history. */
export function addStep(
  plan: RunPlan,
  record: Omit<StepRecord, 'status'> & { status: string; messageId?: string },
  now: Date,
): void {
  const number = plan.loaded.run.steps + plan.added.length + 1
  plan.added.push({ messageId: null, callAttempts: null, ...record, number, endedAt: now })
}

/** Adds a step that has started to a run's history, and returns its number. */
export function startStep(
  plan: RunPlan,
  step: Pick<StepRecordOf, 'stepId' | 'kind' | 'messageId' | 'callAttempts'>,
): number {
  const number = plan.loaded.run.steps + plan.added.length + 1
  plan.added.push({ ...step, status: 'started', detail: null, number, endedAt: null })
  return number
}

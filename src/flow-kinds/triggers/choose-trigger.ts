import type { TriggerKind } from '../../core/vocabulary/flows.ts'
import type { IncomingMessage, TriggerEntry, TriggerFit } from './trigger-design.ts'
import { TRIGGERS } from './triggers.ts'

/** What of the table a message may fit. Its flow is published, switched on and within the plan. */
export type TriggerCandidate = TriggerEntry & {
  kind: TriggerKind
  flowId: string
  firstPublishedAt: Date
  /** Runs of the flow in the message's conversation that have not ended. */
  activeRuns: readonly string[]
}

/** The run that a message is for. One that is at work gets it and is not ended. */
export type WaitingRun = { id: string; mayEnd: boolean }

export type ChosenTrigger<Candidate> = { candidate: Candidate; endsWaitingRun: boolean }

/**
 * Which flow a message starts; null: none. The kinds in their order, within one the best fit, of equal
 * ones the flow that was published first. While a run waits for the message, only what may go before it
 * is asked. A flow that is chosen and has a run in the conversation is not started a second time, and
 * nothing else is in its place.
 *
 * Spec: Flows › Who answers a message; readings F19, F20, F21, F22.
 */
export function chooseTrigger<Candidate extends TriggerCandidate>(
  message: IncomingMessage,
  candidates: readonly Candidate[],
  waitingRun: WaitingRun | null,
): ChosenTrigger<Candidate> | null {
  const fitting = candidates.flatMap((candidate) => {
    const { byMessage } = TRIGGERS[candidate.kind]
    const fit = byMessage?.fit(candidate, message) ?? null
    if (!byMessage || !fit) return []
    if (waitingRun && fit.waitingRun === 'gets_it') return []
    if (waitingRun?.mayEnd === false && fit.waitingRun === 'ends') return []
    return [{ candidate, fit, place: byMessage.place }]
  })
  const [best] = fitting.toSorted(inOrder)
  if (!best) return null
  const endsWaitingRun = waitingRun !== null && best.fit.waitingRun === 'ends'
  const isActive = best.candidate.activeRuns.some((run) => !endsWaitingRun || run !== waitingRun.id)
  return isActive ? null : { candidate: best.candidate, endsWaitingRun }
}

type Fitting = { candidate: TriggerCandidate; fit: TriggerFit; place: number }

function inOrder(a: Fitting, b: Fitting): number {
  return (
    a.place - b.place ||
    b.fit.rank - a.fit.rank ||
    a.candidate.firstPublishedAt.getTime() - b.candidate.firstPublishedAt.getTime() ||
    (a.candidate.flowId < b.candidate.flowId ? -1 : 1)
  )
}

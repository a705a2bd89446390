import type { TriggerKind } from '../../core/vocabulary/flows.ts'
import type { IncomingMessage, TriggerEntry, TriggerFit } from './trigger-design.ts'
import { TRIGGERS } from './triggers.ts'

/** A trigger that a message may match. Its flow is published, switched on and within the plan. */
export type TriggerCandidate = TriggerEntry & {
  kind: TriggerKind
  flowId: string
  firstPublishedAt: Date
  /** Runs of the flow in the message's conversation that have not ended. */
  activeRuns: readonly string[]
}

/** The run that a message is for. An executing run gets the message and is not ended. */
export type WaitingRun = { id: string; mayEnd: boolean }

/** The trigger whose flow a message starts, and whether the waiting run ends. */
export type ChosenTrigger<Candidate> = { candidate: Candidate; endsWaitingRun: boolean }

/**
 * Returns the trigger whose flow a message starts, and whether the waiting run ends; null when none is started. The
 * order is by kind, then by the best fit, then by the first publication. While a run waits for the message, only
 * triggers that may precede it are considered. A chosen flow with an active run in the conversation is not started
 * again, and no other flow replaces it.
 *
 * Spec: Flows › Order of answers to a message; readings F19, F20, F21, F22.
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
    return [{ candidate, fit, precedence: byMessage.precedence }]
  })
  const [best] = fitting.toSorted(inOrder)
  if (!best) return null
  const endsWaitingRun = waitingRun !== null && best.fit.waitingRun === 'ends'
  const isActive = best.candidate.activeRuns.some((run) => !endsWaitingRun || run !== waitingRun.id)
  return isActive ? null : { candidate: best.candidate, endsWaitingRun }
}

type Fitting = { candidate: TriggerCandidate; fit: TriggerFit; precedence: number }

function inOrder(a: Fitting, b: Fitting): number {
  return (
    a.precedence - b.precedence ||
    b.fit.rank - a.fit.rank ||
    a.candidate.firstPublishedAt.getTime() - b.candidate.firstPublishedAt.getTime() ||
    (a.candidate.flowId < b.candidate.flowId ? -1 : 1)
  )
}

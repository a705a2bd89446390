import type { IncomingMessage } from './trigger-design.ts'
import { chooseTrigger, type TriggerCandidate } from './choose-trigger.ts'

/** The inputs that decide who answers a saved message. Spec: Flows › Handler of a conversation. */
export type RoutingInputs<Candidate extends TriggerCandidate> = {
  message: IncomingMessage
  /** True when the message is only STOP, or only a START that has opted the customer in. */
  isOptOutWord: boolean
  /** True when the message exceeds the number that a person writes in a short time. */
  isBurst: boolean
  isStaffHandling: boolean
  isOptedOut: boolean
  hasAutomations: boolean
  isAssistantOn: boolean
  /** The active runs of the conversation. */
  runs: readonly ActiveRun[]
  /** The run whose message is quoted or whose button is tapped, active or ended; null when none. */
  meantFor: string | null
  /** The triggers of active flows that the message may match. */
  candidates: readonly Candidate[]
}

/** A run of the conversation that has not ended. */
export type ActiveRun = {
  id: string
  /** True when the run may continue while staff handles the conversation. */
  mayRunDuringStaffHandling: boolean
  /** The time since which the run waits for a reply; null while it does not. */
  listeningSince: Date | null
  /** True when the run is executing and has sent a message that can be answered. */
  isAtWork: boolean
}

/** The handler that answers a message. */
export type Route<Candidate> =
  | { to: 'nobody' }
  | { to: 'run'; runId: string }
  /** `leaves` is the waiting run that the flow displaces. */
  | { to: 'flow'; candidate: Candidate; leaves: string | null }
  | { to: 'assistant' }
  /** `keptOut` is the trigger that would have started its flow without the handling by staff. */
  | { to: 'staff'; why: 'burst' | 'handles' | 'nobody_else'; keptOut: Candidate | null }

/**
 * Returns who answers a customer's message, by the first line that matches in the reference's table. Known messages,
 * echoes, receipts, reactions, edits and history are handled before.
 *
 * Spec: Flows › Order of answers to a message; readings F8, F9, F20, F21, F26.
 */
export function routeMessage<Candidate extends TriggerCandidate>(
  facts: RoutingInputs<Candidate>,
): Route<Candidate> {
  const { isStaffHandling, isOptedOut, isAssistantOn, runs } = facts
  if (facts.isOptOutWord) return { to: 'nobody' }
  if (facts.isBurst && !isStaffHandling) return { to: 'staff', why: 'burst', keptOut: null }
  if (isStaffHandling) {
    const continuing = runs.filter((run) => run.mayRunDuringStaffHandling)
    const run = meantRun(facts, continuing) ?? listeningRun(continuing)
    if (run) return { to: 'run', runId: run.id }
    const kept = isOptedOut || !facts.hasAutomations ? null : choose(facts, null)
    return { to: 'staff', why: 'handles', keptOut: kept?.candidate ?? null }
  }
  const nobodyElse: Route<Candidate> = isAssistantOn
    ? { to: 'assistant' }
    : { to: 'staff', why: 'nobody_else', keptOut: null }
  if (isOptedOut) return nobodyElse
  const meant = meantRun(facts, runs)
  if (meant) return { to: 'run', runId: meant.id }
  if (!facts.hasAutomations) return nobodyElse
  // A reply to an ended run is not passed to another run.
  const waiting = facts.meantFor === null ? listeningRun(runs) : undefined
  const chosen = choose(facts, waiting ?? null)
  if (chosen) {
    const leaves = chosen.endsWaitingRun ? waiting!.id : null
    return { to: 'flow', candidate: chosen.candidate, leaves }
  }
  return waiting ? { to: 'run', runId: waiting.id } : nobodyElse
}

function choose<Candidate extends TriggerCandidate>(
  { message, candidates }: RoutingInputs<Candidate>,
  waiting: ActiveRun | null,
) {
  const run = waiting && { id: waiting.id, mayEnd: waiting.listeningSince !== null }
  return chooseTrigger(message, candidates, run)
}

function meantRun(
  { meantFor }: { meantFor: string | null },
  runs: readonly ActiveRun[],
): ActiveRun | undefined {
  return runs.find(({ id }) => id === meantFor)
}

/**
 * Returns the run that began to wait for a reply last; when none waits, the newest executing run that has sent a
 * message.
 */
function listeningRun(runs: readonly ActiveRun[]): ActiveRun | undefined {
  const waiting = runs.filter(({ listeningSince }) => listeningSince !== null)
  const since = ({ listeningSince }: ActiveRun) => listeningSince!.getTime()
  const [latest] = waiting.toSorted((a, b) => since(b) - since(a) || (a.id < b.id ? 1 : -1))
  if (latest) return latest
  return runs.filter(({ isAtWork }) => isAtWork).toSorted((a, b) => (a.id < b.id ? 1 : -1))[0]
}

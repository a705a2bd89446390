import type { IncomingMessage } from './trigger-design.ts'
import { chooseTrigger, type TriggerCandidate } from './choose-trigger.ts'

/** What decides who answers a customer's message, once it is saved and told of. Spec: Flows › Who handles a conversation. */
export type RoutingInputs<Candidate extends TriggerCandidate> = {
  message: IncomingMessage
  /** It is only STOP, or only a START that has opted the customer in. */
  isOptOutWord: boolean
  /** One message more than a person writes in so short a time. */
  isBurst: boolean
  /** Staff handles the conversation. */
  isStaffHandling: boolean
  isOptedOut: boolean
  hasAutomations: boolean
  /** The assistant answers on the channel. */
  isAssistantOn: boolean
  /** Of the conversation, and not ended. */
  runs: readonly ActiveRun[]
  /** The run whose message it quotes or whose button it taps, ended or not; null: none. */
  meantFor: string | null
  /** Triggers that it may fit, of flows that are on. */
  candidates: readonly Candidate[]
}

export type ActiveRun = {
  id: string
  /** It may go on while staff handles the conversation. */
  startedDuringStaffHandling: boolean
  /** Since when it waits for a reply; null while it does not. */
  listeningSince: Date | null
  /** It is at work, and has said something that may be answered. */
  isAtWork: boolean
}

export type Route<Candidate> =
  | { to: 'nobody' }
  | { to: 'run'; runId: string }
  /** `leaves`: the run that waited and that the customer leaves for the flow. */
  | { to: 'flow'; candidate: Candidate; leaves: string | null }
  | { to: 'assistant' }
  /** `keptOut`: what would have started, if staff did not handle the conversation. */
  | { to: 'staff'; why: 'burst' | 'handles' | 'nobody_else'; keptOut: Candidate | null }

/**
 * Who answers a customer's message: the first line of the table that fits. A message that is known, an
 * echo, a receipt or history never comes here.
 *
 * Spec: Flows › Who answers a message; readings F8, F9, F20, F21, F26.
 */
export function routeMessage<Candidate extends TriggerCandidate>(
  facts: RoutingInputs<Candidate>,
): Route<Candidate> {
  const { isStaffHandling, isOptedOut, isAssistantOn, runs } = facts
  if (facts.isOptOutWord) return { to: 'nobody' }
  if (facts.isBurst && !isStaffHandling) return { to: 'staff', why: 'burst', keptOut: null }
  if (isStaffHandling) {
    const beside = runs.filter((run) => run.startedDuringStaffHandling)
    const run = meantRun(facts, beside) ?? listeningRun(beside)
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
  // What is said to a run that has ended is not said to another one.
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

/** The run that began to wait for a reply last; where none waits, the newest that is at work and has spoken. */
function listeningRun(runs: readonly ActiveRun[]): ActiveRun | undefined {
  const waiting = runs.filter(({ listeningSince }) => listeningSince !== null)
  const since = ({ listeningSince }: ActiveRun) => listeningSince!.getTime()
  const [latest] = waiting.toSorted((a, b) => since(b) - since(a) || (a.id < b.id ? 1 : -1))
  if (latest) return latest
  return runs.filter(({ isAtWork }) => isAtWork).toSorted((a, b) => (a.id < b.id ? 1 : -1))[0]
}

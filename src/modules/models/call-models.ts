import { MODEL_LIMITS } from '../../core/limits/models.ts'
import type { ModelPurpose } from '../../core/vocabulary/models.ts'
import { countInFlight } from './count-in-flight.ts'
import { candidatesOf, type Candidate } from './candidates.ts'
import { readCandidates, type Candidates, type ModelRow } from './candidates.sql.ts'
import {
  countAnswer,
  noUse,
  recordUsage,
  warnOfUsage,
  type DailyUsage,
  type Use,
} from './record-usage.ts'
import { hasCarried, withCarried } from './carried.ts'
import type { CarriedBySteps, OwnedCarried } from './carried-forms.ts'
import type { ModelDeps } from './model-access.ts'
import type { Answer, ModelRequest, ModelFailure } from './model.ts'
import { estimateRequest } from './read-result.ts'

/** A request to an account's models, with its purpose and deadline. */
export type ModelCall = {
  accountId: string
  purpose: ModelPurpose
  request: ModelRequest
  /** The time after which no new request begins. */
  deadline: Date
  signal: AbortSignal
  /** True when the oldest messages have been trimmed: a model that still finds the history too long is skipped. */
  isTrimmed?: boolean
  /** Data of the account that the caller has just read; without it, it is read here. */
  known?: Candidates
  /** Opaque data that models require back from earlier steps of this reply. */
  carried?: CarriedBySteps
  /** True when the caller records the usage; otherwise it is recorded here. */
  isCountedByCaller?: boolean
}

/** A model that gave no answer, by its name, and the reason. */
export type FailedRequest = { model: string; failure: ModelFailure }

/** The outcome of calling an account's models in their order. */
export type ModelResult = {
  answer: Answer
  /** The name of the model that answered. */
  model: string | null
  /** Opaque data for the next request of this reply. */
  carried: OwnedCarried | null
  /** All failed requests, in order, and all models that could not be called. */
  tried: FailedRequest[]
  /** The usage for the caller to record. Null when it is recorded here. */
  used: DailyUsage | null
}

/**
 * Calls the account's models, in their order, until one answers; the operator's model where the account has set up
 * none. Every request is counted. Does not throw for errors of a model's server.
 *
 * A model is called a second time where that may help: after `Retry-After` if it is 5 s or less, else after 1 s, and
 * without delay when its answer was unusable. A model that refuses the key is marked broken, and its Owners are
 * notified once. The caller must trim after `context_too_long`, unless it has done so. Models that read images are
 * called first when there are photos; one that refuses them is called again without.
 *
 * Spec: Assistant › Models.
 */
export async function callModels(deps: ModelDeps, call: ModelCall): Promise<ModelResult> {
  const uses = { accountId: call.accountId, tokens: estimateRequest(call.request) }
  return countInFlight(deps.models, uses, (tokensInFlight) =>
    callWithinAllowance(deps, call, tokensInFlight),
  )
}

async function callWithinAllowance(
  deps: ModelDeps,
  call: ModelCall,
  tokensInFlight: number,
): Promise<ModelResult> {
  const { accountId, purpose } = call
  const day = deps.clock.now().toISOString().slice(0, 10)
  const known = call.known ?? (await readCandidates(deps.db.kysely, { accountId, day }))
  const allowance = Math.min(known.tokensPerDay ?? Infinity, deps.models.tokensPerDay)
  const use = noUse()
  const round: Round = { call, use, tried: [] }
  const used: DailyUsage = { accountId, day, purpose, use, usedBefore: known.usedTokens, allowance }
  if (known.usedTokens + tokensInFlight >= allowance) {
    await warnOfUsage(deps, used)
    return notCalled('allowance_used_up', [])
  }
  let isCountedByCaller = false
  try {
    const result = await callInOrder(deps, round, known)
    isCountedByCaller = call.isCountedByCaller === true
    return { ...result, used: isCountedByCaller && use.requests > 0 ? used : null }
  } finally {
    if (!isCountedByCaller && use.requests > 0) await recordUsage(deps, used)
  }
}

type Round = { call: ModelCall; use: Use; tried: FailedRequest[] }

async function callInOrder(
  deps: ModelDeps,
  round: Round,
  known: Candidates,
): Promise<Omit<ModelResult, 'used'>> {
  const { call, tried } = round
  let last: Answer = unanswered('no_model')
  const models = hasImages(call.request) ? imageReadersFirst(known.models) : known.models
  for await (const candidate of candidatesOf(deps, call.accountId, { ...known, models })) {
    const answer = await callWithRetry(deps, round, candidate)
    if (answer.ok) {
      const carried = answer.carried && { ...answer.carried, model: candidate.opaqueDataKey }
      return { answer, model: candidate.name, carried, tried }
    }
    last = answer
    if (answer.failure === 'cancelled') break
    if (answer.failure === 'context_too_long' && call.isTrimmed !== true) break
    if (answer.failure === 'unauthorized' || answer.failure === 'not_found') {
      await candidate.onBroken(answer.failure)
    }
    if (timeLeft(deps, call) <= 0) break
  }
  return { answer: last, model: null, carried: null, tried }
}

/** Returns the models that read images before the others. */
function imageReadersFirst(models: readonly ModelRow[]): ModelRow[] {
  return [...models.filter((row) => row.readsImages), ...models.filter((row) => !row.readsImages)]
}

const hasImages = ({ messages }: ModelRequest): boolean =>
  messages.some((said) => said.by === 'customer' && said.image !== undefined)

function withoutImages(request: ModelRequest): ModelRequest {
  const messages = request.messages.map((said) =>
    said.by === 'customer' ? { by: said.by, text: said.text } : said,
  )
  return { ...request, messages }
}

/** Failures after which the same model is called again, with or without a delay. */
const RETRIED: Partial<Record<ModelFailure, 'after_delay' | 'immediately'>> = {
  timeout: 'after_delay',
  unreachable: 'after_delay',
  rate_limited: 'after_delay',
  server_error: 'after_delay',
  answer_unreadable: 'immediately',
  answer_empty: 'immediately',
  answer_only_reasoned: 'immediately',
  called_unasked: 'immediately',
  filtered: 'immediately',
}

async function callWithRetry(deps: ModelDeps, round: Round, candidate: Candidate): Promise<Answer> {
  const { request, carried = {} } = round.call
  const seen = candidate.readsImages ? request : withoutImages(request)
  const maxOutputTokens = MODEL_LIMITS.tokensOutReasoning
  const roomy = candidate.reasons ? { ...seen, maxOutputTokens } : seen
  const shown = withCarried(roomy, carried, candidate.opaqueDataKey)
  const first = await exchangeOnce(deps, round, candidate, shown)
  if (!first.ok && first.failure === 'bad_request' && (hasImages(shown) || hasCarried(shown))) {
    if (timeLeft(deps, round.call) <= 0) return first
    return exchangeOnce(deps, round, candidate, withoutImages(roomy))
  }
  const repeat = first.ok ? undefined : RETRIED[first.failure]
  if (first.ok || repeat === undefined) return first
  const waitMs = repeat === 'after_delay' ? pauseAfter(first.retryAfterMs) : 0
  if (timeLeft(deps, round.call) <= waitMs) return first
  if (waitMs > 0) await deps.models.pause(waitMs, round.call.signal)
  if (round.call.signal.aborted) return unanswered('cancelled')
  // The reasoning may have used up all output tokens.
  const isFull = first.failure === 'answer_only_reasoned'
  const again = isFull ? { ...shown, maxOutputTokens: MODEL_LIMITS.maxReasoningTokensOut } : shown
  const second = await exchangeOnce(deps, round, candidate, again)
  // An open circuit says less than the first failure.
  return !second.ok && second.failure === 'circuit_open' ? first : second
}

function pauseAfter(retryAfterMs: number | null): number {
  const isShort = retryAfterMs !== null && retryAfterMs <= MODEL_LIMITS.maxRetryAfterMs
  return isShort ? retryAfterMs : MODEL_LIMITS.retryMs
}

async function exchangeOnce(
  { clock, models: { circuit } }: ModelDeps,
  { call: { signal }, use, tried }: Round,
  { id, name, contextTokens, model }: Candidate,
  request: ModelRequest,
): Promise<Answer> {
  const refuse = (failure: ModelFailure): Answer => {
    tried.push({ model: name, failure })
    return unanswered(failure)
  }
  const estimated = estimateRequest(request) + request.maxOutputTokens
  if (estimated > contextTokens) return refuse('context_too_long')
  if (!circuit.allowsRequest(id, clock.now())) return refuse('circuit_open')
  const answer = await model.call(request, signal)
  countAnswer(use, answer)
  if (!answer.ok) tried.push({ model: name, failure: answer.failure })
  circuit.settle(id, answer.ok ? 'answered' : outcomeOf(answer.failure), clock.now())
  return answer
}

/**
 * Failures that result from the request and not from the model. They do not count for the circuit: empty answers to
 * prompts of one account would otherwise block the operator's model for all others.
 */
const OF_THE_REQUEST: readonly ModelFailure[] = [
  'context_too_long',
  'bad_request',
  'answer_empty',
  'answer_only_reasoned',
  'filtered',
  'called_unasked',
  'cancelled',
]

function outcomeOf(failure: ModelFailure): 'failed' | null {
  return OF_THE_REQUEST.includes(failure) ? null : 'failed'
}

function timeLeft({ clock }: ModelDeps, { deadline }: ModelCall): number {
  return deadline.getTime() - clock.now().getTime()
}

function unanswered(failure: ModelFailure): Answer {
  return { ok: false, failure, status: null, retryAfterMs: null }
}

function notCalled(failure: ModelFailure, tried: FailedRequest[]): ModelResult {
  return { answer: unanswered(failure), model: null, carried: null, tried, used: null }
}

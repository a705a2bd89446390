import { MODEL_LIMITS } from '../../core/limits/models.ts'
import type { ModelPurpose } from '../../core/vocabulary/models.ts'
import { candidatesOf, type Candidate } from './candidates.ts'
import { readCandidates, type Candidates, type ModelRow } from './candidates.sql.ts'
import { recordUsage, warnOfUsage, type Use, type DailyUsage } from './record-usage.ts'
import { hasCarried, withCarried } from './carried.ts'
import type { CarriedBySteps, OwnedCarried } from './carried-forms.ts'
import type { ModelDeps } from './model-access.ts'
import type { Answer, ModelRequest, ModelFailure } from './model.ts'
import { estimateAsk } from './read-result.ts'

export type CallModels = {
  accountId: string
  purpose: ModelPurpose
  ask: ModelRequest
  /** When nothing more is begun. */
  deadline: Date
  signal: AbortSignal
  /** The oldest of the history is gone already: a model that finds it too long is passed over. */
  isTrimmed?: boolean
  /** What was just read of the account; without it it is read here. */
  known?: Candidates
  /** What models want back of the steps before in this reply. */
  carried?: CarriedBySteps
  /** Who asks counts what was used; else it is counted here. */
  isCountedByAsker?: boolean
}

/** One request and what went wrong with it. */
export type Tried = { model: string; failure: ModelFailure }

export type ModelResult = {
  answer: Answer
  /** Who answered, by name. */
  model: string | null
  /** To be given back with the next request of this reply. */
  carried: OwnedCarried | null
  /** Every request that failed, in order, and every model that could not be asked. */
  tried: Tried[]
  /** To be counted by who asked, where they do. */
  used: DailyUsage | null
}

/**
 * Asks the account's models, in their order, until one answers. The operator's is asked where the account
 * has set up none. Every request is counted. Never throws for what a model's server does.
 *
 * A model is asked once more where that may help: after `Retry-After` if it is 5 s or less, else after
 * 1 s; at once when its answer was no use. One that does not let us in is marked broken and its Owners are
 * told, once. `context_too_long` comes back for the caller to trim, unless that has been done. Photos are
 * shown to models that read images, which are then asked first; one that refuses them is asked without.
 *
 * Spec: Assistant › Models.
 */
export async function callModels(deps: ModelDeps, asking: CallModels): Promise<ModelResult> {
  const { underWay } = deps.models
  const { accountId } = asking
  // Of requests under way nobody knows yet what they use: many at once do not each find the allowance free. They are
  // looked at before what is used is read, so that one that ends meanwhile counts.
  const tokensUnderWay = underWay.get(accountId) ?? 0
  const uses = estimateAsk(asking.ask)
  addUnderWay(underWay, accountId, uses)
  try {
    return await askWithinAllowance(deps, asking, tokensUnderWay)
  } finally {
    addUnderWay(underWay, accountId, -uses)
  }
}

async function askWithinAllowance(
  deps: ModelDeps,
  asking: CallModels,
  tokensUnderWay: number,
): Promise<ModelResult> {
  const { accountId, purpose } = asking
  const day = deps.clock.now().toISOString().slice(0, 10)
  const known = asking.known ?? (await readCandidates(deps.db.kysely, { accountId, day }))
  const allowance = Math.min(known.tokensPerDay ?? Infinity, deps.models.tokensPerDay)
  const use: Use = { requests: 0, tokensIn: 0, tokensOut: 0, estimated: 0 }
  const round: Round = { asking, use, tried: [] }
  const used: DailyUsage = {
    accountId,
    day,
    purpose,
    use,
    usedBefore: known.usedTokens,
    allowance,
  }
  if (known.usedTokens + tokensUnderWay >= allowance) {
    await warnOfUsage(deps, used)
    return unasked('allowance_used_up', [])
  }
  const isCountedHere = asking.isCountedByAsker !== true
  try {
    const asked = await askInOrder(deps, round, known)
    return { ...asked, used: isCountedHere || use.requests === 0 ? null : used }
  } finally {
    if (isCountedHere && use.requests > 0) await recordUsage(deps, used)
  }
}

function addUnderWay(underWay: Map<string, number>, accountId: string, tokens: number): void {
  const left = (underWay.get(accountId) ?? 0) + tokens
  if (left > 0) underWay.set(accountId, left)
  else underWay.delete(accountId)
}

type Round = { asking: CallModels; use: Use; tried: Tried[] }

async function askInOrder(
  deps: ModelDeps,
  round: Round,
  known: Candidates,
): Promise<Omit<ModelResult, 'used'>> {
  const { asking, tried } = round
  let last: Answer = unanswered('no_model')
  const models = hasImages(asking.ask) ? seeingFirst(known.models) : known.models
  for await (const candidate of candidatesOf(deps, asking.accountId, { ...known, models })) {
    const answer = await askTwice(deps, round, candidate)
    if (answer.ok) {
      const carried = answer.carried && { ...answer.carried, model: candidate.carriesAs }
      return { answer, model: candidate.name, carried, tried }
    }
    last = answer
    if (answer.failure === 'cancelled') break
    if (answer.failure === 'context_too_long' && asking.isTrimmed !== true) break
    if (answer.failure === 'unauthorized' || answer.failure === 'not_found') {
      await candidate.onBroken(answer.failure)
    }
    if (timeLeft(deps, asking) <= 0) break
  }
  return { answer: last, model: null, carried: null, tried }
}

function seeingFirst(models: readonly ModelRow[]): ModelRow[] {
  return [...models.filter((row) => row.readsImages), ...models.filter((row) => !row.readsImages)]
}

const hasImages = ({ messages }: ModelRequest): boolean =>
  messages.some((said) => said.by === 'customer' && said.image !== undefined)

function withoutImages(ask: ModelRequest): ModelRequest {
  const messages = ask.messages.map((said) =>
    said.by === 'customer' ? { by: said.by, text: said.text } : said,
  )
  return { ...ask, messages }
}

/** Where asking the same model again may help, and whether it is waited first. */
const REPEATED: Partial<Record<ModelFailure, 'waiting' | 'at_once'>> = {
  timeout: 'waiting',
  unreachable: 'waiting',
  rate_limited: 'waiting',
  server_error: 'waiting',
  answer_unreadable: 'at_once',
  answer_empty: 'at_once',
  answer_only_reasoned: 'at_once',
  called_unasked: 'at_once',
  filtered: 'at_once',
}

async function askTwice(deps: ModelDeps, round: Round, candidate: Candidate): Promise<Answer> {
  const { ask, carried = {} } = round.asking
  const seen = candidate.readsImages ? ask : withoutImages(ask)
  const most = MODEL_LIMITS.tokensOutReasoning
  const roomy = candidate.reasons ? { ...seen, maxOutputTokens: most } : seen
  const shown = withCarried(roomy, carried, candidate.carriesAs)
  const first = await exchangeOnce(deps, round, candidate, shown)
  if (!first.ok && first.failure === 'bad_request' && (hasImages(shown) || hasCarried(shown))) {
    if (timeLeft(deps, round.asking) <= 0) return first
    return exchangeOnce(deps, round, candidate, withoutImages(roomy))
  }
  const repeat = first.ok ? undefined : REPEATED[first.failure]
  if (first.ok || repeat === undefined) return first
  const waitMs = repeat === 'waiting' ? pauseAfter(first.retryAfterMs) : 0
  if (timeLeft(deps, round.asking) <= waitMs) return first
  if (waitMs > 0) await deps.models.pause(waitMs, round.asking.signal)
  if (round.asking.signal.aborted) return unanswered('cancelled')
  // It may have reasoned until its answer was full.
  const isFull = first.failure === 'answer_only_reasoned'
  const again = isFull ? { ...shown, maxOutputTokens: MODEL_LIMITS.tokensOutReasoningMost } : shown
  const second = await exchangeOnce(deps, round, candidate, again)
  // That it may not be asked again now says less than why.
  return !second.ok && second.failure === 'circuit_open' ? first : second
}

function pauseAfter(retryAfterMs: number | null): number {
  const isShort = retryAfterMs !== null && retryAfterMs <= MODEL_LIMITS.retryAfterMostMs
  return isShort ? retryAfterMs : MODEL_LIMITS.retryMs
}

async function exchangeOnce(
  { clock, models: { circuit } }: ModelDeps,
  { asking: { signal }, use, tried }: Round,
  { id, name, contextTokens, model }: Candidate,
  ask: ModelRequest,
): Promise<Answer> {
  const refuse = (failure: ModelFailure): Answer => {
    tried.push({ model: name, failure })
    return unanswered(failure)
  }
  const estimated = estimateAsk(ask) + ask.maxOutputTokens
  if (estimated > contextTokens) return refuse('context_too_long')
  if (!circuit.mayAsk(id, clock.now())) return refuse('circuit_open')
  use.requests++
  const answer = await model.ask(ask, signal)
  if (!answer.ok) tried.push({ model: name, failure: answer.failure })
  circuit.settle(id, answer.ok ? 'answered' : outcomeOf(answer.failure), clock.now())
  if (answer.ok) {
    use.tokensIn += answer.usage.tokensIn
    use.tokensOut += answer.usage.tokensOut
    use.estimated += answer.usage.isEstimated ? 1 : 0
  }
  return answer
}

/**
 * What says something of this request, and nothing of the model: prompts of one account that come back empty would
 * keep the operator's from all the others.
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

function timeLeft({ clock }: ModelDeps, { deadline }: CallModels): number {
  return deadline.getTime() - clock.now().getTime()
}

function unanswered(failure: ModelFailure): Answer {
  return { ok: false, failure, status: null, retryAfterMs: null }
}

function unasked(failure: ModelFailure, tried: Tried[]): ModelResult {
  return { answer: unanswered(failure), model: null, carried: null, tried, used: null }
}

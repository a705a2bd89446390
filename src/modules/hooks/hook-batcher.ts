/**
 * The batcher of hook requests. When it is idle a request starts immediately; while a batch is in progress, up to 64
 * requests collect for the next one, so that they share round trips under load. Each request gets the response that
 * it would have got alone.
 */
import { fact } from '../../core/facts/fact.ts'
import type { HookResponse } from '../../contract/hook-response.ts'
import type { Context } from '../../infra/context.ts'
import type { FlowDefinition } from '../../contract/flow-definition.ts'
import { isDatabaseUnavailable } from '../../infra/database/is-database-unavailable.ts'
import { createBatcher } from '../../infra/database/batcher.ts'
import type { ReadVersion } from '../flows/design/load-version.ts'
import { keptShape } from '../../rules/hooks/kept-shape.ts'
import { acceptBatch } from './accept-batch.ts'
import {
  refusalResponse,
  checkHook,
  type HookState,
  type Checked,
  type HookRequest,
} from './check-request.ts'
import { countRequests, findTokens, type CountedHooks } from './count-requests.sql.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'
import { waitUnlessAborted, withConnection } from './with-connection.ts'
import { writeAccepted, type NewShape } from './write-accepted.sql.ts'

/** The limits of the batcher of hook requests. */
export type HookBatcherOptions = {
  maxBatchSize: number
  maxConcurrentBatches: number
  /** The time in ms after which an unfinished batch is refused, as the database is too slow or unavailable. */
  giveUpMs: number
}

/** The limits used in production. */
export const HOOK_BATCHER: HookBatcherOptions = {
  maxBatchSize: 64,
  maxConcurrentBatches: 3,
  giveUpMs: 1_500,
}

/**
 * The maximum number of waiting requests. Beyond it the database is too slow, so requests are refused and may be
 * retried.
 */
const MAX_WAITING = 4_096

const NOT_ACCEPTED = refusalResponse('service_unavailable', fact('hook_not_taken_in_now'))

type Deps = Pick<Context, 'db' | 'clock' | 'ids' | 'log'> & { readVersion: ReadVersion }

/** A function that returns the response to one hook request, and never rejects. */
export type AnswerHook = (request: HookRequest) => Promise<HookResponse>

/** Creates the function that answers hook requests in batches. */
export function createHookBatcher(
  deps: Deps,
  { maxBatchSize, maxConcurrentBatches, giveUpMs }: HookBatcherOptions = HOOK_BATCHER,
): AnswerHook {
  const batcher = createBatcher<HookRequest, HookResponse>({
    maxSize: maxBatchSize,
    maxConcurrent: maxConcurrentBatches,
    isSequential: false,
    run: answerTogether,
  })

  async function answerTogether(requests: readonly HookRequest[]): Promise<HookResponse[]> {
    const silence = new AbortController()
    const timer = setInterval(() => {
      silence.abort(new Error('the database does not respond'))
      // Waiting requests, and those that arrive later, would only wait as long for the same result.
      batcher.resolveWaiting(NOT_ACCEPTED)
    }, giveUpMs)
    try {
      return await answerBatch(deps, requests, silence.signal)
    } catch (error) {
      if (!isDatabaseUnavailable(error) && !silence.signal.aborted) {
        deps.log.error({ err: error }, 'hook requests failed')
      }
      return requests.map(() => NOT_ACCEPTED)
    } finally {
      clearInterval(timer)
    }
  }

  return (request) => {
    if (batcher.waiting() >= MAX_WAITING) {
      return Promise.resolve(refusalResponse('service_unavailable', fact('hook_too_many_waiting')))
    }
    return batcher.add(request)
  }
}

async function answerBatch(
  deps: Deps,
  requests: readonly HookRequest[],
  signal: AbortSignal,
): Promise<HookResponse[]> {
  const now = deps.clock.now()
  const tokens = requests.map((request) => tokenHash(request.token).toString('hex'))
  const counted = await count(deps, tokens, now, signal)
  if ('refusals' in counted) return counted.refusals
  return retryIfDeleted(async (isRetry) => {
    const existing = isRetry ? await withoutDeleted(deps, counted, signal) : counted
    return answerCounted(deps, { requests, tokens, counted: existing, now }, signal)
  })
}

type CountedBatch = {
  requests: readonly HookRequest[]
  tokens: readonly string[]
  counted: CountedHooks
  now: Date
}

async function answerCounted(
  deps: Deps,
  { requests, tokens, counted, now }: CountedBatch,
  signal: AbortSignal,
): Promise<HookResponse[]> {
  const states = await statesOf(deps, { tokens, counted }, signal)
  const checked = requests.map((request, index) => checkHook(request, states[index]!))
  const answers = checked.map(({ result }) => ('status' in result ? result : null))
  const candidates = checked.flatMap(({ result }) => ('status' in result ? [] : [result]))
  /** Inserts the candidates' responses between those that were decided before. */
  const merge = (ofCandidates: readonly HookResponse[]): HookResponse[] => {
    let next = 0
    return answers.map((decided) => decided ?? ofCandidates[next++]!)
  }
  const shapesOf = (ofCandidates: readonly HookResponse[]) =>
    keptShapes(states, checked, merge(ofCandidates))

  if (candidates.length === 0) {
    const shapes = shapesOf([])
    if (shapes.length > 0) {
      await withConnection(deps.db.pool, signal, (client) =>
        writeAccepted(deps.db.kysely, client, { ...NOTHING, shapes }, now),
      )
    }
    return merge([])
  }
  const context = { db: deps.db, ids: deps.ids, signal }
  return merge(await acceptBatch(context, now, candidates, shapesOf))
}

const NO_CUSTOMERS = { contacts: [], identities: [], identifiers: [], conversations: [] }
const NOTHING = { resolved: NO_CUSTOMERS, runs: [] }

/**
 * Retries `run` after a foreign-key violation: a hook URL was deleted while the statement ran, which failed all
 * requests of the batch.
 */
async function retryIfDeleted<T>(run: (isRetry: boolean) => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await run(retry > 0)
    } catch (error) {
      const isGone = (error as { code?: unknown } | null)?.code === FOREIGN_KEY_VIOLATION
      if (!isGone || retry === RETRIES_IF_DELETED) throw error
    }
  }
}

const FOREIGN_KEY_VIOLATION = '23503'
const RETRIES_IF_DELETED = 5

/** Returns the counted hooks without those that have been deleted since, so that the rest of the batch can continue. */
async function withoutDeleted(
  { db }: Deps,
  counted: CountedHooks,
  signal: AbortSignal,
): Promise<CountedHooks> {
  const hashes = [...counted.byToken.keys()].map((token) => Buffer.from(token, 'hex'))
  const { known } = await withConnection(db.pool, signal, (client) => findTokens(client, hashes))
  const byToken = new Map([...counted.byToken].filter(([token]) => known.has(token)))
  return { ...counted, byToken }
}

/** Counts the requests of a batch. Refuses all when the counters cannot be written; a 404 precedes the 503. */
async function count(
  { db, log }: Deps,
  tokens: readonly string[],
  now: Date,
  signal: AbortSignal,
): Promise<CountedHooks | { refusals: HookResponse[] }> {
  const requests = new Map<string, { tokenHash: Buffer; count: number }>()
  for (const token of tokens) {
    const request = requests.get(token) ?? { tokenHash: Buffer.from(token, 'hex'), count: 0 }
    request.count += 1
    requests.set(token, request)
  }
  try {
    return await retryIfDeleted(() =>
      withConnection(db.pool, signal, (client) => countRequests(client, requests, now)),
    )
  } catch (error) {
    if (isDatabaseUnavailable(error) || signal.aborted) throw error
    log.error({ err: error }, 'hook requests not counted: refused')
    const hashes = [...requests.values()].map((request) => request.tokenHash)
    const { isPaused, known } = await withConnection(db.pool, signal, (client) =>
      findTokens(client, hashes),
    )
    return {
      refusals: tokens.map((token) =>
        isPaused
          ? refusalResponse('service_unavailable', fact('hooks_paused'))
          : known.has(token)
            ? refusalResponse('service_unavailable', fact('hook_not_counted'))
            : refusalResponse('not_found', fact('hook_token_unknown')),
      ),
    }
  }
}

/**
 * Returns the state that each request's checks see. Counters hold the total after the batch; each request gets its
 * own number.
 */
async function statesOf(
  { db, log, readVersion }: Deps,
  { tokens, counted: { isPaused, byToken } }: Pick<CountedBatch, 'tokens' | 'counted'>,
  signal: AbortSignal,
): Promise<HookState[]> {
  const definitions = new Map<string, FlowDefinition | null>()
  for (const { flow } of byToken.values()) {
    const versionId = flow.publishedVersionId
    if (!versionId || definitions.has(versionId)) continue
    const reading = waitUnlessAborted(signal, readVersion(db.kysely, versionId))
    const version = await reading.catch((error: unknown) => {
      if (isDatabaseUnavailable(error) || signal.aborted) throw error
      log.error({ err: error, versionId }, 'a published version cannot be read')
      return null
    })
    definitions.set(versionId, version?.definition ?? null)
  }
  const urls = countDown(tokens, (token) => token)
  const companies = countDown(tokens, (token) => byToken.get(token)?.company.id ?? '')
  return tokens.map((token, index) => {
    const hook = byToken.get(token) ?? null
    return {
      isPaused,
      hook,
      urlRequest: (hook?.urlRequests ?? 0) - urls[index]!,
      companyRequest: (hook?.companyRequests ?? 0) - companies[index]!,
      definition: definitions.get(hook?.flow.publishedVersionId ?? '') ?? null,
    }
  })
}

/** Returns for each item how many later ones have the same key. */
function countDown(tokens: readonly string[], keyOf: (token: string) => string): number[] {
  const after = new Map<string, number>()
  const counts: number[] = []
  for (let index = tokens.length - 1; index >= 0; index -= 1) {
    const key = keyOf(tokens[index]!)
    const later = after.get(key) ?? 0
    counts[index] = later
    after.set(key, later + 1)
  }
  return counts
}

/** Returns the last JSON body of each hook in the batch, with the response to it. */
function keptShapes(
  states: readonly HookState[],
  checked: readonly Checked[],
  answers: readonly HookResponse[],
): NewShape[] {
  const last = new Map<string, number>()
  checked.forEach(({ json }, index) => {
    if (json !== null) last.set(states[index]!.hook!.hookId, index)
  })
  return [...last].map(([hookId, index]) => ({
    hookId,
    companyId: states[index]!.hook!.company.id,
    body: keptShape(checked[index]!.json),
    status: answers[index]!.status,
  }))
}

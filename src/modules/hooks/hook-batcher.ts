/**
 * The desk of the hook URLs. Requests that arrive while others are being decided are decided
 * together: an idle desk takes a request at once, a busy one gathers up to 64, so that the cost of a
 * round trip is shared just when it matters. Each request is answered as if it had come alone.
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
import { answer, checkHook, type Asked, type Checked, type HookRequest } from './check-request.ts'
import { countRequests, findTokens, type CountedHooks } from './count-requests.sql.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'
import { waitUnlessAborted, withConnection } from './with-connection.ts'
import { writeAccepted, type NewShape } from './write-accepted.sql.ts'

export type IngestBatcherOptions = {
  mostInABatch: number
  batchesAtOnce: number
  /** A database that has said nothing for so long is away: its requests are refused within 2 s. */
  giveUpMs: number
}
export const HOOK_BATCHER: IngestBatcherOptions = {
  mostInABatch: 64,
  batchesAtOnce: 3,
  giveUpMs: 1_500,
}
/** Beyond this many waiting requests the database is not keeping up: refused, to be sent again. */
const MOST_WAITING = 4_096

const NOT_TAKEN_IN = answer('service_unavailable', fact('hook_not_taken_in_now'))

type Deps = Pick<Context, 'db' | 'clock' | 'ids' | 'log'> & { readVersion: ReadVersion }

/** Answers one hook request. Never throws. */
export type AnswerHook = (request: HookRequest) => Promise<HookResponse>

export function createHookBatcher(
  deps: Deps,
  { mostInABatch, batchesAtOnce, giveUpMs }: IngestBatcherOptions = HOOK_BATCHER,
): AnswerHook {
  const desk = createBatcher<HookRequest, HookResponse>({
    most: mostInABatch,
    atOnce: batchesAtOnce,
    isOneByOne: false,
    run: answerTogether,
  })

  async function answerTogether(requests: readonly HookRequest[]): Promise<HookResponse[]> {
    const silence = new AbortController()
    const timer = setInterval(() => {
      silence.abort(new Error('the database says nothing'))
      // Those behind would only wait as long for the same, also those that came since.
      desk.dismiss(NOT_TAKEN_IN)
    }, giveUpMs)
    try {
      return await answerBatch(deps, requests, silence.signal)
    } catch (error) {
      if (!isDatabaseUnavailable(error) && !silence.signal.aborted) {
        deps.log.error({ err: error }, 'hook requests failed')
      }
      return requests.map(() => NOT_TAKEN_IN)
    } finally {
      clearInterval(timer)
    }
  }

  return (request) => {
    if (desk.waiting() >= MOST_WAITING) {
      return Promise.resolve(answer('service_unavailable', fact('hook_too_many_waiting')))
    }
    return desk.ask(request)
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
  return againIfGone(async (isAgain) => {
    const there = isAgain ? await withoutGone(deps, counted, signal) : counted
    return answerCounted(deps, { requests, tokens, counted: there, now }, signal)
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
  const asked = await askedOf(deps, { tokens, counted }, signal)
  const checked = requests.map((request, index) => checkHook(request, asked[index]!))
  const answers = checked.map(({ result }) => ('status' in result ? result : null))
  const candidates = checked.flatMap(({ result }) => ('status' in result ? [] : [result]))
  /** All answers, with the candidates' own put in their places. */
  const merge = (ofCandidates: readonly HookResponse[]): HookResponse[] => {
    let place = 0
    return answers.map((given) => given ?? ofCandidates[place++]!)
  }
  const shapesOf = (ofCandidates: readonly HookResponse[]) =>
    keptShapes(asked, checked, merge(ofCandidates))

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

const NOBODY = { contacts: [], identities: [], identifiers: [], conversations: [] }
const NOTHING = { met: NOBODY, runs: [] }

/**
 * Asks again where a hook URL was deleted between a statement's look at it and its end: what was to refer
 * to it breaks the statement off, and with it what is of other companies.
 */
async function againIfGone<T>(ask: (isAgain: boolean) => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await ask(retry > 0)
    } catch (error) {
      const isGone = (error as { code?: unknown } | null)?.code === FOREIGN_KEY_VIOLATION
      if (!isGone || retry === RETRIES_IF_GONE) throw error
    }
  }
}

const FOREIGN_KEY_VIOLATION = '23503'
const RETRIES_IF_GONE = 5

/** What was counted, but for hooks that are gone by now: the others of the batch have nothing to do with it. */
async function withoutGone(
  { db }: Deps,
  counted: CountedHooks,
  signal: AbortSignal,
): Promise<CountedHooks> {
  const hashes = [...counted.byToken.keys()].map((token) => Buffer.from(token, 'hex'))
  const { known } = await withConnection(db.pool, signal, (client) => findTokens(client, hashes))
  const byToken = new Map([...counted.byToken].filter(([token]) => known.has(token)))
  return { ...counted, byToken }
}

/** Counts a batch. When counters cannot be written, requests are refused: 404 comes before 503. */
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
    return await againIfGone(() =>
      withConnection(db.pool, signal, (client) => countRequests(client, requests, now)),
    )
  } catch (error) {
    if (isDatabaseUnavailable(error) || signal.aborted) throw error
    log.error({ err: error }, 'hook requests could not be counted')
    const hashes = [...requests.values()].map((request) => request.tokenHash)
    const { isPaused, known } = await withConnection(db.pool, signal, (client) =>
      findTokens(client, hashes),
    )
    return {
      refusals: tokens.map((token) =>
        isPaused
          ? answer('service_unavailable', fact('hooks_paused'))
          : known.has(token)
            ? answer('service_unavailable', fact('hook_not_counted'))
            : answer('not_found', fact('hook_token_unknown')),
      ),
    }
  }
}

/** What each request's checks see: counters tell the whole batch, its requests take their places. */
async function askedOf(
  { db, log, readVersion }: Deps,
  { tokens, counted: { isPaused, byToken } }: Pick<CountedBatch, 'tokens' | 'counted'>,
  signal: AbortSignal,
): Promise<Asked[]> {
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

/** How many of the same kind come after each item. */
function countDown(tokens: readonly string[], kind: (token: string) => string): number[] {
  const after = new Map<string, number>()
  const counts: number[] = []
  for (let index = tokens.length - 1; index >= 0; index -= 1) {
    const of = kind(tokens[index]!)
    const later = after.get(of) ?? 0
    counts[index] = later
    after.set(of, later + 1)
  }
  return counts
}

/** The last JSON body of each hook in the batch, with the answer it got. */
function keptShapes(
  asked: readonly Asked[],
  checked: readonly Checked[],
  answers: readonly HookResponse[],
): NewShape[] {
  const last = new Map<string, number>()
  checked.forEach(({ json }, index) => {
    if (json !== null) last.set(asked[index]!.hook!.hookId, index)
  })
  return [...last].map(([hookId, index]) => ({
    hookId,
    companyId: asked[index]!.hook!.company.id,
    body: keptShape(checked[index]!.json),
    status: answers[index]!.status,
  }))
}

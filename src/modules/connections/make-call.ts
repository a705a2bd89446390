/**
 * The one way to the merchant's API: for steps, actions and tests alike. The connection is read at
 * each call, the request filled in and checked, an attempt of the day taken before each attempt, the
 * answer freed of the credential before anybody reads it, and every attempt written down.
 *
 * Spec: Calls › HTTP steps; Calls › Repeats and limits.
 */
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import type { Context } from '../../infra/context.ts'
import type { CallRequest } from '../../schemas/call-request.ts'
import type { Fact } from '../../core/facts/fact.ts'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { CALL_LIMITS } from '../../core/limits/calls.ts'
import type { OutboundAnswer, OutboundClient } from '../../infra/egress/outbound-client.ts'
import type { CallValues } from '../../rules/calls/call-placeholders.ts'
import { fillRequest } from '../../rules/calls/fill-request.ts'
import type { Redactor } from '../../infra/redaction/redactor.ts'
import type { CallFailure, CallNotMade } from '../../core/vocabulary/calls.ts'
import { beginCall, type ConnectionForCall } from './begin-calls.sql.ts'
import { buildRequest, type SentRequest } from './build-request.ts'
import { openCredential, redactorOf } from './credential.ts'
import { callNotMade } from './explain-call.ts'
import { logCall, type CallSource } from './log-call.ts'
import { evaluateAttempt, isRetryable, readAnswer, type AttemptVerdict } from './read-answer.ts'
import { releaseCall, reserveCall } from './reserve-call.sql.ts'
import { unpackAnswer } from './unpack-answer.ts'

export type CallDeps = Context & { keyRing: KeyRing; outbound: Pick<OutboundClient, 'send'> }

export type { CallSource }

export type Call = {
  companyId: string
  request: CallRequest
  /** What the placeholders `{{vars.x}}`, `{{args.x}}` and `{{identity}}` are filled from. */
  fillings: CallValues
  source: CallSource
  /** What is left of the time for calls in one go; cuts the connection's time-out. */
  withinMs?: number
  /** Whether a GET may be tried once more; true unless said otherwise. */
  mayRepeat?: boolean
  /** Called also while the connection is off: its test. */
  evenIfOff?: boolean
  /** Asked right before each attempt, to write it down ahead; false: it is not made. */
  onAttempt?(attempt: 1 | 2, target: CallTarget): Promise<boolean>
}

export type CompletedCall = {
  /** success: a 2xx answer, read whole within its limits. */
  outcome: 'success' | 'failed'
  /** False: no attempt was begun, and none was counted. */
  isMade: boolean
  /** Of the last attempt that was answered. */
  httpStatus: number | null
  failure: CallFailure | null
  /** What happened, what to check. Holds no credential and no query. */
  detail: Fact | null
  /** The parsed answer of a success, the credential removed; null when it is not JSON. */
  answer: { json: unknown } | null
  /** Of a success whose answer nobody can read; the detail says why. */
  isUnreadable: boolean
  /** The answer as text, the credential removed, cut short. */
  answerText: string | null
  /** How many characters the whole answer has; null where `answerText` is. */
  answerChars: number | null
  /** Null when the design could not be filled in. */
  sent: SentRequest | null
  /** Where it went or would have gone. Null when the design could not be filled in. */
  target: CallTarget | null
  attempts: 0 | 1 | 2
  durationMs: number
}

/** With less time left an attempt is not begun. */
const LEAST_MS = 1

/** As the log of calls names it: without query and credential. */
export type CallTarget = { host: string; path: string }

type Attempt = { answer: OutboundAnswer; verdict: AttemptVerdict }

/**
 * Makes one call, a GET twice at most. Never throws for the merchant's faults, only when the database
 * is away before an attempt; what was sent by a POST is always told.
 */
export async function makeCall(deps: CallDeps, call: Call): Promise<CompletedCall> {
  const { companyId, request, fillings } = call
  let startedMs = performance.now()
  const since = () => performance.now() - startedMs
  const filled = fillRequest(request, fillings)
  const begunAt = deps.clock.now()
  const begun = await beginCall(deps.db, {
    companyId,
    connectionId: request.connectionId,
    evenIfOff: call.evenIfOff === true,
    isReady: filled.ok,
    now: begunAt,
  })
  if (begun === null) return notMade('connection_deleted')
  const { connection } = begun
  const { accountId, sealedCredential } = connection
  const refusal = refusalOf(connection, call)
  if (refusal !== null) return notMade(refusal)
  const credential = sealedCredential && openCredential(deps.keyRing, connection, sealedCredential)
  if (sealedCredential !== null && !credential) {
    if (begun.hasPlace) await releaseCall(deps.db.kysely, { accountId, now: begunAt })
    return notMade('credential_unreadable')
  }
  if (!filled.ok) return notMade(filled.reason)

  const built = buildRequest(connection, request.method, filled.value, credential || null)
  const redactor = redactorOf(connection, credential || null)
  const base = new URL(connection.baseUrl)
  const path = redactor.text(base.pathname.replace(/\/$/, '') + filled.value.path)
  const target = { host: base.host, path }
  /** Being written while the answer is read, or asked for again. */
  const lines: Promise<void>[] = []
  const deadline = () => Math.min(connection.timeoutMs, (call.withinMs ?? Infinity) - since())

  const attempt = async (isRepeat: boolean): Promise<Attempt | CallNotMade> => {
    const place = { accountId, now: isRepeat ? deps.clock.now() : begunAt }
    const isTaken = isRepeat ? await reserveCall(deps.db.kysely, place) : begun.hasPlace
    if (!isTaken) return 'allowance_used_up'
    const isInTime = deadline() >= LEAST_MS
    const askedMs = performance.now()
    const isWanted = isInTime && ((await call.onAttempt?.(isRepeat ? 2 : 1, target)) ?? true)
    // What the database takes, or a wait until it is back, is no time of the merchant's server.
    startedMs += performance.now() - askedMs
    if (!isWanted) {
      await releaseCall(deps.db.kysely, place)
      return isInTime ? 'not_wanted' : 'no_time_left'
    }
    const made = await sendOnce(deps, request.method, built, deadline())
    lines.push(
      logCall(deps, {
        companyId,
        connectionId: connection.id,
        source: call.source,
        method: request.method,
        ...target,
        isRepeat,
        status: made.verdict.status,
        error: made.verdict.failure,
        durationMs: made.durationMs,
        startedAt: made.startedAt,
      }),
    )
    return made
  }

  const first = await attempt(false)
  if (typeof first === 'string') return { ...notMade(first), sent: built.sent, target }
  const repeats =
    request.method === 'GET' &&
    call.mayRepeat !== false &&
    deadline() >= LEAST_MS &&
    isRetryable(first.verdict, first.answer)
  const second = repeats ? await attempt(true) : 'not_wanted'
  const isRepeated = typeof second !== 'string'
  const last = isRepeated ? second : first
  const { failure, detail } = last.verdict
  const read = await readAnswer(last.answer, redactor)
  const durationMs = Math.round(since())
  await Promise.all(lines)
  return {
    outcome: failure === null ? 'success' : 'failed',
    isMade: true,
    httpStatus: last.verdict.status ?? first.verdict.status,
    failure,
    detail: detail && redacted(detail, redactor),
    answer: failure === null && read.json !== undefined ? { json: read.json } : null,
    isUnreadable: failure === null && detail !== null,
    answerText: read.text,
    answerChars: read.chars,
    sent: built.sent,
    target,
    attempts: isRepeated ? 2 : 1,
    durationMs,
  }
}

/** Sends a request once, and judges its answer. */
async function sendOnce(
  { clock, outbound }: CallDeps,
  method: Call['request']['method'],
  { url, headers, body }: ReturnType<typeof buildRequest>,
  deadlineMs: number,
) {
  const startedAt = clock.now()
  const from = performance.now()
  const withinMs = Math.max(1, deadlineMs)
  const packed = await outbound.send({
    method,
    url,
    headers,
    body,
    deadlineMs: withinMs,
    connectMs: Math.min(CALL_LIMITS.connectMs, withinMs),
    answerBytes: CALL_LIMITS.answerBytes,
    readWholeAnswer: true,
    // A second sending is an attempt of its own, and counted.
    retryStale: false,
  })
  const answer = await unpackAnswer(packed)
  const verdict = evaluateAttempt(answer, url)
  return { answer, verdict, startedAt, durationMs: performance.now() - from }
}

/** What a server or a library said stands in the parameters. */
function redacted({ code, params }: Fact, redactor: Redactor): Fact {
  const clean = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? redactor.text(value) : value,
  ])
  return { code, params: Object.fromEntries(clean) } as Fact
}

function refusalOf(connection: ConnectionForCall, call: Call): CallNotMade | null {
  if (!PLAN_LIMITS[connection.plan].developer) return 'not_in_plan'
  return connection.isOn || call.evenIfOff ? null : 'connection_off'
}

function notMade(failure: CallNotMade): CompletedCall {
  return {
    outcome: 'failed',
    isMade: false,
    httpStatus: null,
    failure,
    detail: callNotMade(failure),
    answer: null,
    isUnreadable: false,
    answerText: null,
    answerChars: null,
    sent: null,
    target: null,
    attempts: 0,
    durationMs: 0,
  }
}

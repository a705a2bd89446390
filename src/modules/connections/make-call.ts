/**
 * The only client of merchants' APIs, for steps, actions and tests. Each call reads the connection, fills in and
 * checks the request, and reserves quota before each attempt. The credential is removed from the response before it
 * is used, and every attempt is logged.
 *
 * Spec: Calls › HTTP steps; Calls › Repeats and limits.
 */
import { isDatabaseUnavailable } from '../../infra/database/is-database-unavailable.ts'
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

/** The dependencies of calls to merchants' APIs. */
export type CallDeps = Context & { keyRing: KeyRing; outbound: Pick<OutboundClient, 'send'> }

export type { CallSource }

/** A call to make. */
export type Call = {
  companyId: string
  request: CallRequest
  /** The values of the placeholders `{{vars.x}}`, `{{args.x}}` and `{{identity}}`. */
  fillings: CallValues
  source: CallSource
  /** The time left for the calls of a run or reply; it may shorten the connection's timeout. */
  withinMs?: number
  /** States whether a GET may be retried once; true by default. */
  mayRepeat?: boolean
  /** Allows a call while the connection is off, for its test. */
  evenIfOff?: boolean
  /** Records an attempt right before it is sent. The attempt is not made when it returns false. */
  onAttempt?(attempt: 1 | 2, target: CallTarget): Promise<boolean>
}

/** The result of a call, also of one that was refused before its first attempt. */
export type CompletedCall = {
  /** `success` is a 2xx response that was read completely within its limits. */
  outcome: 'success' | 'failed'
  /** States whether an attempt was started and counted. */
  isMade: boolean
  /** The status of the last attempt with a response. */
  httpStatus: number | null
  failure: CallFailure | null
  /** The reason and what to check, without credentials and query. */
  detail: Fact | null
  /** The parsed response of a success without the credential; null when it is not JSON. */
  answer: { json: unknown } | null
  /** A success whose response cannot be read; `detail` has the reason. */
  isUnreadable: boolean
  /** The response as shortened text, without the credential. */
  answerText: string | null
  /** The length of the whole response in characters; null when `answerText` is. */
  answerChars: number | null
  /** The request; null when it could not be filled in. */
  sent: SentRequest | null
  /** The target; null when the request could not be filled in. */
  target: CallTarget | null
  attempts: 0 | 1 | 2
  durationMs: number
}

/** The minimum time left, in ms, for an attempt to start. */
const MIN_MS = 1

/** The target of a call as the log shows it: without query and credential. */
export type CallTarget = { host: string; path: string }

type Attempt = { answer: OutboundAnswer; verdict: AttemptVerdict }

/**
 * Makes one call; a GET may be retried once. Throws only before the first attempt: when the database is unavailable, and
 * what `onAttempt` throws. Once something was sent, the outcome is always returned.
 */
export async function makeCall(deps: CallDeps, call: Call): Promise<CompletedCall> {
  const { companyId, request, fillings } = call
  let startedMs = performance.now()
  const elapsedMs = () => performance.now() - startedMs
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
    if (begun.isReserved) await releaseCall(deps.db.kysely, { accountId, now: begunAt })
    return notMade('credential_unreadable')
  }
  if (!filled.ok) return notMade(filled.reason)

  const built = buildRequest(connection, request.method, filled.value, credential || null)
  const redactor = redactorOf(connection, credential || null)
  const base = new URL(connection.baseUrl)
  const path = redactor.text(base.pathname.replace(/\/$/, '') + filled.value.path)
  const target = { host: base.host, path }
  /** Log lines that are written while the response is read, or the call is retried. */
  const lines: Promise<void>[] = []
  const deadline = () => Math.min(connection.timeoutMs, (call.withinMs ?? Infinity) - elapsedMs())

  const attempt = async (isRepeat: boolean): Promise<Attempt | CallNotMade> => {
    const quota = { accountId, now: isRepeat ? deps.clock.now() : begunAt }
    const isTaken = isRepeat ? await reserveCall(deps.db.kysely, quota) : begun.isReserved
    if (!isTaken) return 'allowance_used_up'
    const isInTime = deadline() >= MIN_MS
    const beforeRecordMs = performance.now()
    const askCaller = async () => (await call.onAttempt?.(isRepeat ? 2 : 1, target)) ?? true
    const mayAttempt = await releaseUnless(deps, quota, async () => isInTime && askCaller())
    // Time spent on the database is not counted as time of the merchant's server.
    startedMs += performance.now() - beforeRecordMs
    if (!mayAttempt) return isInTime ? 'not_wanted' : 'no_time_left'
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
    deadline() >= MIN_MS &&
    isRetryable(first.verdict, first.answer)
  const second = repeats
    ? await attempt(true).catch((error: unknown) => leaveOut(deps, error))
    : 'not_wanted'
  const isRepeated = typeof second !== 'string'
  const last = isRepeated ? second : first
  const { failure, detail } = last.verdict
  const read = await readAnswer(last.answer, redactor)
  const durationMs = Math.round(elapsedMs())
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

/** Returns what `mayAttempt` returns. Releases the quota of an attempt that is not made, also when this throws. */
async function releaseUnless(
  { db }: CallDeps,
  quota: Parameters<typeof releaseCall>[1],
  mayAttempt: () => Promise<boolean>,
): Promise<boolean> {
  let isAllowed = false
  try {
    isAllowed = await mayAttempt()
  } finally {
    if (!isAllowed) await releaseCall(db.kysely, quota)
  }
  return isAllowed
}

/** Leaves out a retry that failed before it was sent: the first response counts, which the caller must not lose. */
function leaveOut({ log }: CallDeps, error: unknown): 'not_wanted' {
  log[isDatabaseUnavailable(error) ? 'debug' : 'error']({ err: error }, 'call not retried')
  return 'not_wanted'
}

/** Sends a request once and evaluates its response. */
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
    // A second send would be a separate, counted attempt.
    retryStale: false,
  })
  const answer = await unpackAnswer(packed)
  const verdict = evaluateAttempt(answer, url)
  return { answer, verdict, startedAt, durationMs: performance.now() - from }
}

/** Redacts the parameters, which may contain text of a server or a library. */
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

import { hc } from 'hono/client'
import type { DashboardApi } from '../../http/dashboard-api/client-type.ts'
import type { Problem as ProblemBody } from '../../http/errors.ts'
import { currentLanguage } from '../words/language.tsx'

/** The API, typed by its routes; asked in the language of the interface, so that what it tells is in it. */
export const { api } = hc<DashboardApi>('/', {
  headers: () => ({ 'accept-language': currentLanguage() }),
})

/** What an answer holds once it is read: the body of what is not a refusal. */
type Answer<Body> = {
  ok: boolean
  status: number
  headers: Headers
  json(): Promise<Body>
  text(): Promise<string>
  blob(): Promise<Blob>
}

/** A refusal of the API, or that it could not be asked at all. */
export class Refusal extends Error {
  /** 0 where no answer came. */
  readonly status: number
  /** `offline` where no answer came. */
  readonly code: ProblemBody['code'] | 'offline'
  readonly reason: string
  readonly params: Readonly<Record<string, unknown>>
  /** A sentence in the language of the interface; empty where no answer came. */
  readonly detail: string
  readonly requestId: string | null
  readonly errors: NonNullable<ProblemBody['errors']>
  /** Null where the API does not say. */
  readonly retryAfterMs: number | null

  constructor(status: number, body: Partial<ProblemBody>, retryAfter: string | null = null) {
    super(body.detail ?? 'no answer')
    this.status = status
    this.code = body.code ?? (status === 0 ? 'offline' : 'internal_error')
    this.reason = body.reason ?? ''
    this.params = body.params ?? {}
    this.detail = body.detail ?? ''
    this.requestId = body.requestId ?? null
    this.errors = body.errors ?? []
    this.retryAfterMs = retryAfter === null ? null : Number(retryAfter) * 1_000
  }
}

/** The body of an answer. `await ask(api.companies.$get())` @throws Refusal */
export async function ask<Given extends Answer<unknown>>(
  asking: Promise<Given>,
): Promise<BodyOf<Given>> {
  const answer = await answerOf(asking)
  if (answer.status === 204) return undefined as BodyOf<Given>
  return (await answer.json()) as BodyOf<Given>
}

/** Of a route that answers in one of several ways: one of their bodies. */
type BodyOf<Given> = Given extends Answer<infer Body> ? Body : never

/** The answer itself, where it is a file. @throws Refusal */
export async function answerOf<Given extends Answer<unknown>>(
  asking: Promise<Given>,
): Promise<Given> {
  let answer: Given
  try {
    answer = await asking
  } catch {
    throw new Refusal(0, {})
  }
  if (answer.ok) return answer
  const body = await answer.text()
  throw new Refusal(answer.status, readProblem(body), answer.headers.get('retry-after'))
}

function readProblem(body: string): Partial<ProblemBody> {
  try {
    return JSON.parse(body) as Partial<ProblemBody>
  } catch {
    // A proxy's page: it says nothing that can be shown.
    return {}
  }
}

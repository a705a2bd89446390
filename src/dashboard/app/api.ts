import { hc } from 'hono/client'
import type { Problem as ProblemBody } from '../../contract/dashboard/problem.ts'
import type { Answer, DashboardClient } from '../../contract/dashboard/routes/client.ts'
import { currentLanguage } from '../words/language.tsx'

/** The API, typed by its routes; asked in the language of the interface, so that what it tells is in it. */
export const { api } = hc('/', {
  headers: () => ({ 'accept-language': currentLanguage() }),
}) as unknown as DashboardClient

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

/** Returns the body of an answer, null where it has none. `await ask(api.companies.$get())` @throws Refusal */
export async function ask<Body>(asking: Promise<Answer<Body>>): Promise<Body> {
  const answer = await answerOf(asking)
  return answer.status === 204 ? (null as Body) : answer.json()
}

/** The answer itself, where it is a file. @throws Refusal */
export async function answerOf<Body>(asking: Promise<Answer<Body>>): Promise<Answer<Body>> {
  let answer: Answer<Body>
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

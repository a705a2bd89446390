import type { Problem as ProblemBody } from '../../contract/dashboard/problem.ts'
import { currentLanguage } from '../words/language.ts'

/** A refusal by the API, or the failure to reach it. */
export class ApiError extends Error {
  /** The HTTP status; 0 without a response. */
  readonly status: number
  /** The code of the problem; `offline` without a response. */
  readonly code: ProblemBody['code'] | 'offline'
  readonly reason: string
  readonly params: Readonly<Record<string, unknown>>
  /** A sentence in the language of the interface; empty without a response. */
  readonly detail: string
  readonly requestId: string | null
  readonly errors: NonNullable<ProblemBody['errors']>
  /** Null where the API gives no delay. */
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

/** Sends a request to the API, in the language of the interface. Returns the body of the response. @throws ApiError */
export async function request<Body>(
  method: string,
  address: string,
  body?: unknown,
): Promise<Body> {
  return readBody(await fetchResponse(method, address, body))
}

/** Returns the body of a response: null for the status 204, and a blob where it is no JSON. */
export async function readBody<Body>(answer: Response): Promise<Body> {
  if (answer.status === 204) return null as Body
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
  return (await (isJson ? answer.json() : answer.blob())) as Body
}

/**
 * Sends a request to the API, in the language of the interface, and returns its response.
 * @param body a file is sent as bytes, another blob by its own type, and anything else as JSON
 * @throws ApiError for a refusal, and when the API cannot be reached
 */
export async function fetchResponse(
  method: string,
  address: string,
  body?: unknown,
): Promise<Response> {
  const [type, sent] = encode(body)
  let answer: Response
  try {
    answer = await globalThis.fetch(address, {
      method: method.toUpperCase(),
      headers: {
        'accept-language': currentLanguage(),
        ...(type && { 'content-type': type }),
      },
      ...(sent !== undefined && { body: sent }),
    })
  } catch {
    throw new ApiError(0, {})
  }
  if (answer.ok) return answer
  throw new ApiError(
    answer.status,
    readProblem(await answer.text()),
    answer.headers.get('retry-after'),
  )
}

function encode(body: unknown): [type: string | null, sent: BodyInit | undefined] {
  if (body === undefined) return [null, undefined]
  if (body instanceof File) return ['application/octet-stream', body]
  if (body instanceof Blob) return [body.type, body]
  return ['application/json', JSON.stringify(body)]
}

function readProblem(body: string): Partial<ProblemBody> {
  try {
    return JSON.parse(body) as Partial<ProblemBody>
  } catch {
    // The body is a proxy's page, which contains nothing to show.
    return {}
  }
}

import type { Context as Hc, MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { isSessionLive } from '../../modules/accounts/is-session-live.ts'
import { BODY_LIMITS, DASHBOARD_LIMITS } from '../../core/limits/http.ts'
import { fact } from '../../core/facts/fact.ts'
import { parseInput } from '../parse-input.ts'
import { ServiceError, wrongFields, type FieldError } from '../../core/service-error.ts'
import { fieldErrors } from '../../contract/field-errors.ts'
import { weighJson } from '../../rules/text/json-weight.ts'
import type { BodyBudget } from '../body-memory-budget.ts'
import { withBody } from '../read-body.ts'
import type { DashboardEnv } from './env.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'

/** The part of a request that a route reads, and its schema. */
export type ReadShape = { from: 'json' | 'query'; schema: z.ZodType }
const shapes = new WeakMap<object, ReadShape>()

/** Returns the schema that `body` or `query` gave a handler; undefined for any other handler. @internal */
export function shapeOf(handler: object): ReadShape | undefined {
  return shapes.get(handler)
}

declare const reads: unique symbol
/** A handler that reads a part of the request by a schema, and refuses what does not fit it. */
export type Reads<From extends ReadShape['from'], Schema> = MiddlewareHandler & {
  readonly [reads]: [From, Schema]
}

function reading<From extends ReadShape['from'], Schema extends z.ZodType>(
  handler: MiddlewareHandler,
  shape: { from: From; schema: Schema },
): Reads<From, Schema> {
  shapes.set(handler, shape)
  return handler as Reads<From, Schema>
}

/**
 * Parses the JSON body; the route reads it as `c.req.valid('json')`. `alsoWrong` returns additional errors of a
 * refused body that no schema can find, so that one response reports all errors.
 */
export function body<Schema extends z.ZodType>(
  schema: Schema,
  alsoWrong: (json: unknown, known: DashboardEnv['Variables']) => FieldError[] = () => [],
): Reads<'json', Schema> {
  const handler: MiddlewareHandler = async (c, next) => {
    let json: unknown
    try {
      json = await readJsonBody(c)
    } catch (error) {
      if (error instanceof ServiceError) throw error
      throw new ServiceError('invalid_json', fact('body_not_json'), { cause: error })
    }
    const parsed = schema.safeParse(json)
    if (!parsed.success) {
      const { var: known } = c as Hc<DashboardEnv>
      throw wrongFields([...fieldErrors(parsed.error.issues), ...alsoWrong(json, known)])
    }
    c.req.addValidatedData('json', parsed.data as object)
    await next()
  }
  return reading(handler, { from: 'json', schema })
}

/**
 * Returns the parsed JSON of a request body.
 * @throws payload_too_large, service_unavailable, and the parser's error for a body that is not JSON.
 */
function readJsonBody(c: Hc): Promise<unknown> {
  const { bodies, session } = (c as Hc<DashboardEnv>).var
  const { bodyBytes, bodyBytesWithoutSession } = DASHBOARD_LIMITS
  const limit = session ? bodyBytes : bodyBytesWithoutSession
  const limits = { limit, budget: bodies.budget, tooLarge: () => tooLarge(limit) }
  return readBytes(c, limits, (bytes) => {
    requireLight(bytes)
    return Promise.resolve(JSON.parse(new TextDecoder().decode(bytes)) as unknown)
  })
}

/**
 * Checks that a body is cheap to parse and validate.
 * @throws payload_too_large, invalid_json for a body that would take too long to parse and validate.
 */
function requireLight(bytes: Uint8Array): void {
  const { bodyDepth, bodyValues } = DASHBOARD_LIMITS
  const { depth, values } = weighJson(bytes, { depth: bodyDepth, values: bodyValues })
  if (depth > bodyDepth)
    throw new ServiceError('invalid_json', fact('body_too_deep', { max: bodyDepth }))
  if (values > bodyValues) {
    throw new ServiceError('payload_too_large', fact('body_too_many_values', { max: bodyValues }))
  }
}

/**
 * Reads a body and holds its memory for as long as `use` runs. When the body was incomplete at the session check, the
 * session is checked again before `use`, so that a revoked session cannot keep requests open in reserve.
 * @throws payload_too_large, service_unavailable, not_signed_in
 */
export function readBytes<Value>(
  c: Hc,
  {
    limit,
    budget,
    tooLarge: refusal,
  }: { limit: number; budget: BodyBudget; tooLarge(): ServiceError },
  use: (bytes: Buffer) => Promise<Value>,
): Promise<Value> {
  const { env, var: known } = c as Hc<DashboardEnv>
  const address = known.context.clientAddress(env.incoming)
  const sender = { address, isKnown: known.session !== null }
  const limits = { limit, budget, sender, slicer: known.bodies.slicer }
  const isLate = !env.incoming.complete
  return withBody(env.incoming, limits, async (read) => {
    if (read === 'too_large') throw refusal()
    if (typeof read === 'string') {
      throw new ServiceError(
        'service_unavailable',
        fact(read === 'no_memory' ? 'too_many_bodies' : 'body_too_slow'),
        { retryAfterMs: BODY_LIMITS.retryAfterMs },
      )
    }
    if (isLate) await requireLiveSession(known)
    return use(read)
  })
}

async function requireLiveSession({ session, context }: DashboardEnv['Variables']): Promise<void> {
  if (!session) return
  const { id: sessionId, actor, mustSetUpSecondFactor } = session
  const { accountId, role } = actor
  const now = context.clock.now()
  const who = { sessionId, accountId, roles: [role], now, mustSetUpSecondFactor }
  if (await isSessionLive(context.db.kysely, who)) return
  throw new ServiceError('not_signed_in', fact('sign_in_first'))
}

/** Creates the error for a body over the limit. */
export function tooLarge(max: number): ServiceError {
  return new ServiceError('payload_too_large', fact('body_too_large', { max }))
}

/**
 * Parses the query; the route reads it as `c.req.valid('query')`. Unknown parameters are ignored. NUL characters are
 * refused: PostgreSQL accepts them neither in stored text nor in a query.
 */
export function query<Schema extends z.ZodType>(schema: Schema): Reads<'query', Schema> {
  const handler: MiddlewareHandler = async (c, next) => {
    const values = c.req.query()
    const errors = Object.keys(values)
      .filter((field) => values[field]!.includes('\0'))
      .map((field) => ({ field, ...fact('has_nul') }))
    if (errors.length > 0) throw wrongFields(errors)
    c.req.addValidatedData('query', parseInput(schema, values) as object)
    await next()
  }
  return reading(handler, { from: 'query', schema })
}

/** Parses one field of the body, by a schema that is known only once the body is read. */
export function parseField<Schema extends z.ZodType>(
  field: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  return parseInput(z.object({ [field]: schema }), { [field]: value })[field] as z.output<Schema>
}

/** Returns the errors of one field of the body. */
export function errorsOfField(field: string, schema: z.ZodType, value: unknown): FieldError[] {
  const parsed = z.object({ [field]: schema }).safeParse({ [field]: value })
  return parsed.success ? [] : fieldErrors(parsed.error.issues)
}

/**
 * Returns an id of the path in lower case.
 * @throws not_found when the text cannot be an id.
 */
export function readId(text: string | undefined): string {
  const id = uuidInput.safeParse(text)
  if (!id.success) throw new ServiceError('not_found', fact('no_such_id'))
  return id.data
}

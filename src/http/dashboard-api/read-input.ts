import type { Context as Hc, Env, MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { BODY_LIMITS, DASHBOARD_LIMITS } from '../../limits.ts'
import { ServiceError, type FieldError } from '../../service-error.ts'
import { fieldErrors } from '../field-errors.ts'
import { withBody } from '../read-body.ts'
import type { DashboardEnv } from './env.ts'

/** Parses the JSON body; the route reads it as `c.req.valid('json')`. */
export function body<Schema extends z.ZodType>(
  schema: Schema,
): MiddlewareHandler<
  Env,
  string,
  { in: { json: z.input<Schema> }; out: { json: z.output<Schema> } }
> {
  return async (c, next) => {
    let json: unknown
    try {
      json = await readJson(c)
    } catch (error) {
      if (error instanceof ServiceError) throw error
      throw new ServiceError('invalid_json', 'The body is not JSON.', { cause: error })
    }
    c.req.addValidatedData('json', parse(schema, json) as object)
    await next()
  }
}

/** @throws payload_too_large, service_unavailable; whatever a parser throws for what is no JSON. */
function readJson(c: Hc): Promise<unknown> {
  const { env, var: known } = c as Hc<DashboardEnv>
  const address = known.context.clientAddress(env.incoming)
  const sender = { address, isKnown: known.session !== null }
  const limits = { limit: DASHBOARD_LIMITS.bodyBytes, sender, ...known.bodies }
  return withBody(env.incoming, limits, (read) => {
    if (read === 'too_large') throw tooLarge()
    if (typeof read === 'string') {
      const why =
        read === 'no_room' ? 'Too many bodies are arriving.' : 'The body came in too slowly.'
      throw new ServiceError('service_unavailable', `${why} Try again in a moment.`, {
        retryAfterMs: BODY_LIMITS.retryAfterMs,
      })
    }
    return Promise.resolve(JSON.parse(new TextDecoder().decode(read)) as unknown)
  })
}

export function tooLarge(): ServiceError {
  const most = `The body is larger than ${DASHBOARD_LIMITS.bodyBytes} bytes.`
  return new ServiceError('payload_too_large', most)
}

/**
 * Parses the query; the route reads it as `c.req.valid('query')`. Unknown parameters are ignored. No
 * text that is stored has a NUL character: PostgreSQL cannot even be asked for one.
 */
export function query<Schema extends z.ZodType>(
  schema: Schema,
): MiddlewareHandler<
  Env,
  string,
  { in: { query: { [Key in keyof z.input<Schema>]: string } }; out: { query: z.output<Schema> } }
> {
  return async (c, next) => {
    const asked = c.req.query()
    const errors = Object.keys(asked)
      .filter((field) => asked[field]!.includes('\0'))
      .map((field) => ({ field, code: 'wrong', message: 'must have no NUL character (%00)' }))
    if (errors.length > 0) throw wrongFields(errors)
    c.req.addValidatedData('query', parse(schema, asked) as object)
    await next()
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw wrongFields(fieldErrors(parsed.error.issues))
}

function wrongFields(errors: FieldError[]): ServiceError {
  return new ServiceError('invalid', 'Some fields are not as they must be.', { errors })
}

const UUID = z.uuid()

/** An id of the path. @throws not_found when it cannot be one: nothing has it. */
export function readId(text: string | undefined): string {
  const id = UUID.safeParse(text)
  if (!id.success) throw new ServiceError('not_found', 'Nothing here has this id.')
  return id.data.toLowerCase()
}

/** Last handlers of routes that only pass the request's input to one operation and answer with its result. */
import type { Context as Hc, MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode, StatusCode } from 'hono/utils/http-status'
import type { Actor } from '../../modules/accounts/actor.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import { ServiceError } from '../../core/service-error.ts'
import { resolveMergedContact } from '../../modules/contacts/resolve-merged-contact.ts'
import type { DashboardEnv } from './env.ts'
import { mediaTypeOf } from '../media-type.ts'
import { readBytes, readId } from './read-input.ts'

type Context = DashboardEnv['Variables']['context']

declare const operation: unique symbol
/** A handler that passes `Input` to an operation, of which a route without an actor has no `As`. */
export type Operation<Input, Output, As> = {
  readonly [operation]: { takes: (input: Input) => void; returns: Output; as: (actor: As) => void }
}

type Status<Output> = StatusCode | ((output: Output) => StatusCode)
/** Returns 201 for a new row, and 200 for one that the same request created before. */
export const createdStatus = ({ isNew }: { isNew: boolean }) => (isNew ? 201 : 200)

/** Changes the input before the operation takes it. */
type Prepare<Input> = (context: Context, input: Input) => Input | Promise<Input>

/**
 * Answers with what an operation returns for the input of the request, and with 204 if it returns nothing. The input
 * is the query, the body, and the ids of the path, which take precedence.
 */
export function answer<Input, Output>(
  operate: (context: Context, input: Input) => Output | Promise<Output>,
  status?: Status<Output>,
  prepare: Prepare<Input> = (_, input) => input,
): Operation<Input, Output, unknown> {
  return answerAs((context, _, input) => operate(context, input), status, prepare) as never
}

/** Does the same as `answer` with an operation that also takes the actor. */
export function answerAs<Input, Output>(
  operate: (context: Context, actor: Actor, input: Input) => Output | Promise<Output>,
  status?: Status<Output>,
  prepare: Prepare<Input> = (_, input) => input,
): Operation<Input, Output, Actor> {
  const handler: MiddlewareHandler<Known> = async (c) => {
    const { context, actor } = c.var
    const output = await operate(context, actor, await prepare(context, readInput(c) as Input))
    const code = typeof status === 'function' ? status(output) : status
    if (output === undefined) return c.body(null, code ?? 204)
    return c.json(output, code as ContentfulStatusCode | undefined)
  }
  return handler as never
}

type UploadRule = { types: readonly string[]; otherType: Fact; maxBytes: number; tooLarge: Fact }

/** Passes an uploaded file with the query and the ids of the request to an operation, and answers with 201. */
export function acceptFile<Input extends { bytes: unknown }, Output>(
  operate: (context: Context, actor: Actor, input: Input) => Promise<Output>,
  { types, otherType, maxBytes: limit, tooLarge }: UploadRule,
): Operation<Omit<Input, 'bytes'>, Output, Actor> {
  const refusal = () => new ServiceError('payload_too_large', tooLarge)
  const handler: MiddlewareHandler<Known> = async (c) => {
    const { context, actor, bodies } = c.var
    if (!types.includes(mediaTypeOf(c))) {
      throw new ServiceError('unsupported_media_type', otherType)
    }
    const limits = { limit, budget: bodies.fileBudget, tooLarge: refusal }
    const output = await readBytes(c, limits, (bytes) =>
      operate(context, actor, { ...(readInput(c) as Omit<Input, 'bytes'>), bytes } as Input),
    )
    return c.json(output, 201)
  }
  return handler as never
}

type Known = DashboardEnv & { Variables: { actor: Actor } }

type InCompany = Pick<Hc, 'req'> & { var: { companyId: string } }

/** Returns the ids of the path: that of the company and the one with this name. @throws not_found for an invalid id */
export function pathIds<Name extends string>(c: InCompany, name: Name) {
  const ids = { companyId: c.var.companyId, [name]: readAnyId(name, c.req.param(name) ?? '') }
  return ids as Record<Name | 'companyId', string>
}

function readInput(c: Hc<Known>): object {
  const ids = Object.entries<string>(c.req.param()).map(([name, text]) => [
    name,
    readAnyId(name, text),
  ])
  const [query, json] = [c.req.valid('query' as never), c.req.valid('json' as never)]
  return Object.assign({}, query, json, Object.fromEntries(ids))
}

/** The facts of ids that are opaque texts; all others are UUIDs. */
const NO_SUCH_TEXT = {
  conversationId: 'no_such_conversation',
  messageId: 'no_such_message',
} as const

/** Returns an id of the path. @throws not_found when the text cannot be an id */
function readAnyId(name: string, text: string): string {
  if (!(name in NO_SUCH_TEXT)) return readId(text)
  if (text.length <= INBOX_LIMITS.conversationIdChars && !text.includes('\0')) return text
  throw new ServiceError('not_found', fact(NO_SUCH_TEXT[name as keyof typeof NO_SUCH_TEXT]))
}

/** Returns the input with the id of a merged contact replaced by that of the contact it has become part of. */
export async function ofSurvivor<
  Input extends { companyId: string; contactId?: string | undefined },
>({ db }: Context, input: Input): Promise<Input> {
  const { companyId, contactId } = input
  return contactId === undefined
    ? input
    : { ...input, ...(await resolveMergedContact(db.kysely, { companyId, contactId })) }
}

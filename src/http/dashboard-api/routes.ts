/**
 * The routes of one group, checked by the compiler against the table in `contract/dashboard/`. A path, verb,
 * schema or output that differs from the table is a type error in the file of the route. `test/contract` finds routes
 * of the table that are missing here. The list next to that table decides which routes require a recent password.
 */
import { Hono, type Context as Hc, type Env, type MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import type { Actor } from '../../modules/accounts/actor.ts'
import type { ParamsOf } from '../../contract/dashboard/routes/client.ts'
import type { Bytes } from '../../contract/dashboard/route.ts'
import type { Operation } from './answer.ts'
import type { DashboardEnv } from './env.ts'
import { withFreshPassword } from './recent-password.ts'
import type { Reads } from './read-input.ts'

const VERBS = ['get', 'post', 'put', 'patch', 'delete'] as const
type Verb = (typeof VERBS)[number]

/** Adds a route for each call, as Hono's own methods do; the last handler answers. */
export type Routes<Table> = { [Name in Verb]: AddRoute<Table, Name> } & {
  readonly app: Hono<DashboardEnv>
}

interface AddRoute<Table, Name extends Verb> {
  <Path extends PathsWith<Table, Name>, Known extends Env>(
    path: Path,
    access: MiddlewareHandler<Known>,
    ...rest: Rest<RouteOf<Table, Path, Name>, Path, Known>
  ): Routes<Table>
}

type PathsWith<Table, Name extends Verb> = {
  [Path in keyof Table]: Name extends keyof Table[Path] ? Path : never
}[keyof Table] &
  string

type RouteOf<Table, Path, Name> = Table[Path & keyof Table][Name & keyof Table[Path & keyof Table]]

type Rest<Route, Path extends string, Known extends Env> = Route extends {
  output: infer Output
  input: infer Input
}
  ? [
      ...Reading<Input>,
      (
        | Handler<Output, Input, Path, Known>
        | Operation<Given<Input, Path, Known>, Result<Output>, Variable<Known, 'actor', Actor>>
      ),
    ]
  : never

/** The handlers that read the inputs of the table, the query before the body. */
type Reading<Input> = [
  ...(Input extends { query: infer Query } ? [Reads<'query', Query>] : []),
  ...(Input extends { json: infer Json } ? [Reads<'json', Json>] : []),
]

/** The input that `answer` passes on: the ids of the path, the query and the body. */
type Given<Input, Path, Known> = {
  [Name in ParamsOf<Path>]: Name extends 'companyId' ? Variable<Known, Name, string> : string
} & (Input extends { query: infer Query } ? z.output<Query> : unknown) &
  (Input extends { json: infer Json } ? z.output<Json> : unknown)

/** The type of a variable if the access of the route sets it; nothing is assignable from undefined. */
type Variable<Known, Name extends string, Type> = Known extends { Variables: Record<Name, Type> }
  ? Type
  : undefined

type Result<Output> = [Output] extends [null] ? void : Output

type Handler<Output, Input, Path extends string, Known extends Env> = (
  c: RouteContext<Output, Input, Path, Known>,
) => Answered<Output> | Promise<Answered<Output>>

/** Hono's context, whose `json` accepts only the output of the route. */
type RouteContext<Output, Input, Path extends string, Known extends Env> = {
  json(output: Output, status?: ContentfulStatusCode): Answered<Output>
} & Hc<Known, Path, { out: { [Part in keyof Input]: z.output<Input[Part]> } }>

declare const answered: unique symbol
type Answered<Output> = [Output] extends [null | Bytes]
  ? Response
  : Response & { readonly [answered]: Output }

/** Creates the router of a route group, typed by its table of routes, which adds password checks where declared. */
export function routes<Table>(): Routes<Table> {
  const app = new Hono<DashboardEnv>()
  const added = { app } as Record<string, unknown>
  for (const verb of VERBS) {
    added[verb] = (path: string, ...handlers: MiddlewareHandler[]) => {
      app[verb](path, ...(withFreshPassword({ path, verb }, handlers) as [MiddlewareHandler]))
      return added
    }
  }
  return added as Routes<Table>
}

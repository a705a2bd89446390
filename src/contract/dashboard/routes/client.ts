/**
 * The typed client of the dashboard's API, in the form that Hono's `hc` builds at run time: one property a segment
 * of the path and one method a verb, `api.companies[':companyId'].leads.$get({ param, query })`. The types are
 * derived from the table of routes and never from the server.
 */
import type { z } from 'zod'
import type { DashboardRoutes } from './dashboard-routes.ts'

export type DashboardClient = { api: ClientNode<DashboardRoutes, keyof DashboardRoutes, ''> }

/** An HTTP answer whose JSON has a known shape. */
export interface Answer<Body> {
  ok: boolean
  status: number
  headers: Headers
  json(): Promise<Body>
  text(): Promise<string>
  blob(): Promise<Blob>
}

export type CallOptions = { headers?: Record<string, string>; init?: RequestInit }

/** The client at `Prefix`: the verbs of that path, and a node for each segment that may follow it. */
type ClientNode<Routes, Paths extends keyof Routes, Prefix extends string> = {
  [Segment in NextSegment<Paths, Prefix>]: ClientNode<
    Routes,
    Extract<Paths, `${Prefix}/${Segment}` | `${Prefix}/${Segment}/${string}`>,
    `${Prefix}/${Segment}`
  >
} & (Prefix extends Paths ? Calls<Routes[Prefix & Paths], ParamsOf<Prefix>> : unknown)

type NextSegment<Paths, Prefix extends string> = Paths extends `${Prefix}/${infer Rest}`
  ? Rest extends `${infer Segment}/${string}`
    ? Segment
    : Rest
  : never

/** The names of the parameters of a path: `a` and `b` of `/x/:a/y/:b`. */
type ParamsOf<Path> = Path extends `${string}/:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | ParamsOf<`/${Tail}`>
    : Rest
  : never

type Calls<Verbs, Params extends string> = {
  [Verb in keyof Verbs & string as `$${Verb}`]: Call<Verbs[Verb], Params>
}

type Call<Given, Params extends string> = Given extends { output: infer Output; input: infer Input }
  ? (
      ...args: NeedsInput<Input, Params> extends true
        ? [input: CallInput<Input, Params>, options?: CallOptions]
        : [input?: {}, options?: CallOptions]
    ) => Promise<Answer<Output>>
  : never

type NeedsInput<Input, Params extends string> = [Params] extends [never]
  ? [keyof Input] extends [never]
    ? false
    : true
  : true

/** What a call is given: the parameters of the path, the values of the query as text, and the JSON of the body. */
type CallInput<Input, Params extends string> = ([Params] extends [never]
  ? unknown
  : { param: { [Name in Params]: string } }) & {
  [Part in keyof Input]: Part extends 'query'
    ? { [Key in keyof z.input<Input[Part]>]: string }
    : z.input<Input[Part]>
}

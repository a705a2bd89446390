/**
 * The types of a client that names each route of the dashboard's API by its path, derived from the table of routes
 * and never from the server. Below `/companies/:companyId` a path is written without that: `leads/:leadId`.
 */
import type { z } from 'zod'
import type { DashboardRoutes } from './dashboard-routes.ts'

type Short<Path> = Path extends `/companies/:companyId/${infer Rest}` ? Rest : Path
type Table = { [Path in keyof DashboardRoutes as Short<Path>]: DashboardRoutes[Path] }

/** A method of the API, as the client names it. */
export type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** Every path, without its company. */
export type AnyPath = keyof Table

/** The paths that have the verb. */
export type PathWith<V extends Verb> = {
  [Path in keyof Table]: V extends keyof Table[Path] ? Path : never
}[keyof Table]

type RouteAt<V extends Verb, Path> = Path extends keyof Table
  ? V extends keyof Table[Path]
    ? Table[Path][V]
    : never
  : never

/** The body of a route's answer. */
export type Output<V extends Verb, Path> =
  RouteAt<V, Path> extends { output: infer Body } ? Body : never

/** The paths of lists that are read page by page. */
export type PagedPath = {
  [Path in PathWith<'get'>]: Output<'get', Path> extends { nextCursor: string | null }
    ? Path
    : never
}[PathWith<'get'>]
/** The items of the list at a path. */
export type ItemAt<Path> = Output<'get', Path> extends { items: (infer Item)[] } ? Item : never

/** The paths of lists, with and without pages. */
export type ListPath = {
  [Path in PathWith<'get'>]: Output<'get', Path> extends { items: unknown[] } ? Path : never
}[PathWith<'get'>]

/** The names of the parameters of a path: `a` and `b` of `x/:a/y/:b`. */
export type ParamsOf<Path> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | ParamsOf<Tail>
    : Rest
  : never

/** A query value is written as text; undefined and empty values are not sent. */
type QueryValue = string | number | boolean
type QueryOf<Schema> = Schema extends z.ZodType
  ? {
      [Key in keyof z.input<Schema>]: undefined extends z.input<Schema>[Key]
        ? QueryValue | null | undefined
        : QueryValue
    }
  : unknown

type InputAt<V extends Verb, Path> = RouteAt<V, Path> extends { input: infer Input } ? Input : never
type Part<Input, Name> = Name extends keyof Input ? Input[Name] : undefined

/** The parameters of the path together with the values of the query. */
export type Values<V extends Verb, Path> = { [Name in ParamsOf<Path>]: string | number } & QueryOf<
  Part<InputAt<V, Path>, 'query'>
>

/** The arguments of a GET call after the path. */
export type GetArguments<Path> =
  {} extends Values<'get', Path> ? [values?: Values<'get', Path>] : [values: Values<'get', Path>]

type Json<V extends Verb, Path> =
  Part<InputAt<V, Path>, 'json'> extends z.ZodType
    ? [json: z.input<Extract<Part<InputAt<V, Path>, 'json'>, z.ZodType>>]
    : []

type HasQuery<V extends Verb, Path> =
  Part<InputAt<V, Path>, 'query'> extends z.ZodType ? true : false

/**
 * The arguments of a changing call after the path: the values if the path or the query takes any, then the JSON of the
 * body. A route with a query and without JSON takes a file.
 */
export type ChangeArguments<V extends Verb, Path> =
  HasQuery<V, Path> extends true
    ? Json<V, Path> extends []
      ? [values: Values<V, Path>, file: Blob]
      : [values: Values<V, Path>, ...Json<V, Path>]
    : [ParamsOf<Path>] extends [never]
      ? Json<V, Path>
      : [values: Values<V, Path>, ...Json<V, Path>]

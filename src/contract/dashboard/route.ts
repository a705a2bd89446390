import type { z } from 'zod'

/** The schemas by which a route checks its body and its query. */
export type RouteInput = { json?: z.ZodType; query?: z.ZodType }

/** A route: the JSON of its answer, `null` for none, and the schemas of its input. */
export type Route<Output, Input extends RouteInput = {}> = { output: Output; input: Input }

/** The output of a route that answers something else than JSON: a file, a CSV export or a stream of events. */
export type Bytes = Blob

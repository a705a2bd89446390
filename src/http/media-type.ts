import type { Context as Hc } from 'hono'

/** Returns the media type of a request's body without its parameters, in lower case; empty without one. */
export const mediaTypeOf = (c: Pick<Hc, 'req'>): string =>
  (c.req.header('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase()

/** Requires a recently entered password on the routes that the list of `contract/dashboard/routes/` names. */
import type { MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import { requireFreshSession } from '../../modules/accounts/load-session.ts'
import {
  FRESH_PASSWORD,
  type PasswordNeed,
} from '../../contract/dashboard/routes/fresh-password.ts'
import type { DashboardEnv } from './env.ts'

const NEEDS: { readonly [path: string]: { readonly [verb: string]: PasswordNeed } } = FRESH_PASSWORD

/**
 * Returns the handlers of a route with the one that requires the password. It comes after the role check and before
 * any input where the route always requires it, and after the input where single fields of the body decide.
 * @throws for a route that the list does not name.
 */
export function withFreshPassword(
  { path, verb }: { path: string; verb: string },
  [access, ...rest]: MiddlewareHandler[],
): MiddlewareHandler[] {
  const need = NEEDS[path]?.[verb]
  if (need === undefined) {
    throw new Error(`${verb} ${path} is not in the list of what needs a fresh password`)
  }
  if (need === null) return [access!, ...rest]
  if (typeof need === 'string') return [access!, requirePassword(() => true), ...rest]
  const fields = Object.keys(need)
  const isGiven = (json: object) =>
    fields.some((field) => (json as Record<string, unknown>)[field] !== undefined)
  return [access!, ...rest.slice(0, -1), requirePassword(isGiven), rest.at(-1)!]
}

function requirePassword(isNeeded: (json: object) => boolean): MiddlewareHandler {
  return createMiddleware<DashboardEnv>(async (c, next) => {
    if (isNeeded(c.req.valid('json' as never))) {
      requireFreshSession(c.var.session, c.var.context.clock.now())
    }
    await next()
  })
}

/**
 * Access to routes. Every route declares exactly one of `open`, `signedIn`, `signedInWithoutSecondFactor` and
 * `inCompany` first; `assertAccessDeclared` stops the start when one does not. Access is denied by default: a role
 * that is not named is refused.
 */
import { createMiddleware } from 'hono/factory'
import type { Hono, MiddlewareHandler } from 'hono'
import type { Actor } from '../../modules/accounts/actor.ts'
import { loadCompany } from '../../modules/accounts/load-company.ts'
import type { Session } from '../../modules/accounts/load-session.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Role } from '../../core/vocabulary/accounts.ts'
import type { DashboardEnv } from './env.ts'
import { readId } from './read-input.ts'

/** The variables that a route has once access is declared. */
type Known = { actor: Actor; session: Session }

type Access = { session: boolean; roles: readonly Role[]; isBeforeSecondFactor?: true }
const declared = new WeakMap<object, Access>()

function declare<Handler extends object>(handler: Handler, access: Access): Handler {
  declared.set(handler, access)
  return handler
}

/** Admits every client, signed in or not: signing in, set-up, accepting an invitation. */
export function open() {
  return declare(
    createMiddleware<DashboardEnv>((_c, next) => next()),
    { session: false, roles: [] },
  )
}

/** Admits members of the session's account with one of these roles. Sets `c.var.actor`. */
export function signedIn(...roles: [Role, ...Role[]]) {
  const handler = createMiddleware<DashboardEnv & { Variables: Known }>(async (c, next) => {
    const session = requireRole(c.var.session, roles)
    c.set('session', session)
    c.set('actor', session.actor)
    await next()
  })
  return declare(handler, { session: true, roles })
}

/**
 * Admits the same members as `signedIn`, also while the account requires a second factor that the person has not set
 * up: for setting it up, and for signing out.
 */
export function signedInWithoutSecondFactor(...roles: [Role, ...Role[]]) {
  const handler = createMiddleware<DashboardEnv & { Variables: Known }>(async (c, next) => {
    const session = requireMember(c.var.session, roles)
    c.set('session', session)
    c.set('actor', session.actor)
    await next()
  })
  return declare(handler, { session: true, roles, isBeforeSecondFactor: true })
}

/**
 * Admits the same members as `signedIn` under `/companies/:companyId`, which must be a company of the session's
 * account: any other is not found. Sets `c.var.actor` and `c.var.companyId`.
 */
export function inCompany(...roles: [Role, ...Role[]]) {
  const handler = createMiddleware<DashboardEnv & { Variables: Known & { companyId: string } }>(
    async (c, next) => {
      const session = requireRole(c.var.session, roles)
      const companyId = readId(c.req.param('companyId'))
      await loadCompany(c.var.context.db.kysely, session.actor, companyId)
      c.set('session', session)
      c.set('actor', session.actor)
      c.set('companyId', companyId)
      await next()
    },
  )
  return declare(handler, { session: true, roles })
}

/** Admits owners and admins to the company of the path. */
export const admins = () => inCompany('owner', 'admin')

/** Admits members of every role to the company of the path. */
export const members = () => inCompany('owner', 'admin', 'agent')

function requireRole(session: Session | null, roles: readonly Role[]): Session {
  const member = requireMember(session, roles)
  if (member.mustSetUpSecondFactor) {
    throw new ServiceError('second_factor_needed', fact('set_up_second_factor'))
  }
  return member
}

function requireMember(session: Session | null, roles: readonly Role[]): Session {
  if (!session) throw new ServiceError('not_signed_in', fact('sign_in_first'))
  if (!roles.includes(session.actor.role)) {
    throw new ServiceError('forbidden', fact('needs_role', { roles: [...roles] }))
  }
  return session
}

/** A route with its declared access. */
export type DeclaredRoute = { method: string; path: string; access: Access }

/**
 * Returns every route of the app with its declared access.
 * @throws for a route that declares none, or declares it after another handler has run.
 */
export function assertAccessDeclared(app: Pick<Hono<DashboardEnv>, 'routes'>): DeclaredRoute[] {
  const first = new Map<string, DeclaredRoute>()
  for (const { method, path, handler } of app.routes) {
    const key = `${method} ${path}`
    if (first.has(key)) continue
    const access = declared.get(handler as MiddlewareHandler)
    if (!access) throw new Error(`${key} does not say who may use it: see access.ts`)
    first.set(key, { method, path, access })
  }
  return [...first.values()]
}

import type { Context as Hc } from 'hono'
import type { Visitor } from '../../accounts/sign-in.ts'
import type { DashboardEnv } from './env.ts'
import { writeSessionCookie } from './session-cookie.ts'

/** Who asks for a session: as what, and where from. */
export function readVisitor(c: Hc, client: 'browser' | 'program'): Visitor {
  return {
    carrier: client === 'browser' ? 'cookie' : 'bearer',
    userAgent: c.req.header('user-agent') ?? null,
    address: addressOf(c),
  }
}

/** Whom a request is counted for. */
export function addressOf(c: Hc): string {
  const { env, var: known } = c as Hc<DashboardEnv>
  return known.context.clientAddress(env.incoming)
}

/**
 * Hands a new token over: to a browser as a cookie that its pages cannot read, to a program in the
 * answer, once.
 */
export function handOver(
  c: Hc,
  carrier: Visitor['carrier'],
  token: string,
): { token: string | null } {
  if (carrier === 'bearer') return { token }
  writeSessionCookie(c, (c as Hc<DashboardEnv>).var.context.publicUrl(), token)
  return { token: null }
}

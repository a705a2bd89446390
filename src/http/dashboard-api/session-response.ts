import type { Context as Hc } from 'hono'
import type { SignInOutcome } from '../../modules/accounts/begin-session.ts'
import type { SignInClient } from '../../modules/accounts/sign-in.ts'
import type { NewSession, SecondFactorNeeded } from '../../contract/dashboard/session.ts'
import type { DashboardEnv } from './env.ts'
import { readDeviceCookie, writeDeviceCookie, writeSessionCookie } from './session-cookie.ts'

/** Returns the client of a new session: its kind, user agent, address and device. */
export function readSignInClient(c: Hc, client: 'browser' | 'program'): SignInClient {
  return {
    carrier: client === 'browser' ? 'cookie' : 'bearer',
    userAgent: c.req.header('user-agent') ?? null,
    address: countedAddressOf(c),
    device: client === 'browser' ? deviceOf(c) : null,
  }
}

/** Returns the token of the cookie that identifies the browser; null without one. */
export function deviceOf(c: Hc): string | null {
  return readDeviceCookie(c, (c as Hc<DashboardEnv>).var.context.publicUrl())
}

/** Returns the address that a request is counted for. */
export function countedAddressOf(c: Hc): string {
  const { env, var: known } = c as Hc<DashboardEnv>
  return known.context.clientAddress(env.incoming)
}

/** Sends new tokens once: to a browser as cookies that its pages cannot read, to a program in the response. */
export function sendTokens(
  c: Hc,
  carrier: SignInClient['carrier'],
  { token, device = null }: { token: string; device?: string | null },
): NewSession {
  if (carrier === 'bearer') return { token }
  const publicUrl = (c as Hc<DashboardEnv>).var.context.publicUrl()
  writeSessionCookie(c, publicUrl, token)
  if (device !== null) writeDeviceCookie(c, publicUrl, device)
  return { token: null }
}

/**
 * Sends the tokens of a sign-in, and returns the body and status of its response. The status is 201 with a session, and
 * 200 while the code of the second factor is missing.
 */
export function sendSignIn(
  c: Hc,
  carrier: SignInClient['carrier'],
  begun: SignInOutcome,
): [NewSession, 201] | [SecondFactorNeeded, 200] {
  if ('sessionId' in begun) return [sendTokens(c, carrier, begun), 201]
  const { secondFactorToken, expiresAt } = begun
  return [
    { status: 'second_factor_needed', secondFactorToken, expiresAt: expiresAt.toISOString() },
    200,
  ]
}

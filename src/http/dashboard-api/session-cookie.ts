import type { Context as Hc } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { SECOND_MS } from '../../core/limits/units.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import { isLoopbackHost } from './own-origin.ts'

/**
 * The session's cookie: `__Host-sid`, which a browser takes over HTTPS alone. Only where the service
 * is on plain HTTP of this very machine it is called `sid` and is not marked Secure.
 */
export function cookieName(publicUrl: string): '__Host-sid' | 'sid' {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'http:' && isLoopbackHost(hostname) ? 'sid' : '__Host-sid'
}

export function readSessionCookie(c: Hc, publicUrl: string): string | undefined {
  return getCookie(c, cookieName(publicUrl))
}

export function writeSessionCookie(c: Hc, publicUrl: string, token: string): void {
  setCookie(c, cookieName(publicUrl), token, {
    ...attributes(publicUrl),
    maxAge: SIGN_IN_LIMITS.sessionMs / SECOND_MS,
  })
}

/** The long-lived cookie by which a browser is known in which somebody has signed in. */
function deviceCookieName(publicUrl: string): '__Host-device' | 'device' {
  return cookieName(publicUrl) === 'sid' ? 'device' : '__Host-device'
}

export function readDeviceCookie(c: Hc, publicUrl: string): string | null {
  return getCookie(c, deviceCookieName(publicUrl)) ?? null
}

export function writeDeviceCookie(c: Hc, publicUrl: string, token: string): void {
  setCookie(c, deviceCookieName(publicUrl), token, {
    ...attributes(publicUrl),
    maxAge: SIGN_IN_LIMITS.deviceMs / SECOND_MS,
  })
}

export function clearSessionCookie(c: Hc, publicUrl: string): void {
  deleteCookie(c, cookieName(publicUrl), attributes(publicUrl))
}

function attributes(publicUrl: string) {
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: cookieName(publicUrl) === '__Host-sid',
  } as const
}

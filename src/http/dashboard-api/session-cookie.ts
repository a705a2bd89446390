import type { Context as Hc } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { SECOND_MS } from '../../core/limits/units.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import { isLoopbackHost } from './own-origin.ts'

/**
 * Returns the name of the session's cookie: `__Host-sid`, which a browser accepts over HTTPS only. Where the service
 * runs on plain HTTP on a loopback address, the name is `sid`, and the cookie is not marked Secure.
 */
export function cookieName(publicUrl: string): '__Host-sid' | 'sid' {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'http:' && isLoopbackHost(hostname) ? 'sid' : '__Host-sid'
}

/** Returns the session's token from its cookie; undefined without one. */
export function readSessionCookie(c: Hc, publicUrl: string): string | undefined {
  return getCookie(c, cookieName(publicUrl))
}

/** Sets the session cookie. */
export function writeSessionCookie(c: Hc, publicUrl: string, token: string): void {
  setCookie(c, cookieName(publicUrl), token, {
    ...attributes(publicUrl),
    maxAge: SIGN_IN_LIMITS.sessionMs / SECOND_MS,
  })
}

/** Returns the name of the long-lived cookie that identifies a browser in which a member has signed in. */
function deviceCookieName(publicUrl: string): '__Host-device' | 'device' {
  return cookieName(publicUrl) === 'sid' ? 'device' : '__Host-device'
}

/** Returns the token of the trusted browser from its cookie; null without one. */
export function readDeviceCookie(c: Hc, publicUrl: string): string | null {
  return getCookie(c, deviceCookieName(publicUrl)) ?? null
}

/** Sets the cookie by which a trusted browser is recognised after the session has ended. */
export function writeDeviceCookie(c: Hc, publicUrl: string, token: string): void {
  setCookie(c, deviceCookieName(publicUrl), token, {
    ...attributes(publicUrl),
    maxAge: SIGN_IN_LIMITS.deviceMs / SECOND_MS,
  })
}

/** Deletes the session cookie. */
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

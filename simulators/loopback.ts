import { isIP } from 'node:net'

/**
 * Returns true for a host that only this machine can reach: `localhost`, 127.0.0.0/8 and `::1`, with or without the
 * brackets of a URL. Returns false for every other name, regardless of its addresses.
 */
export function isLoopback(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'))
}

/**
 * Returns true if a request comes from the simulator's own page or from a program. The Host is a loopback one, which
 * excludes DNS rebinding, and the Origin, if any, is that host.
 */
export function isOwnPage(headers: { host?: string; origin?: string }): boolean {
  const { host = '', origin } = headers
  const url = `http://${host}`
  if (!URL.canParse(url) || !isLoopback(new URL(url).hostname)) {
    return false
  }
  return origin === undefined || origin === new URL(url).origin
}

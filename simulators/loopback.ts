import { isIP } from 'node:net'

/**
 * True for a host that only this machine can reach: `localhost`, 127.0.0.0/8 and `::1`, with or
 * without the brackets of a URL. Every other name is false, whatever it would resolve to.
 */
export function isLoopback(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'))
}

/**
 * True when a request really comes from the simulator's own page or from a program: the Host is a
 * loopback one (a name that was re-bound to loopback is not), and the Origin, if any, is that host.
 */
export function isOwnPage(headers: { host?: string; origin?: string }): boolean {
  const { host = '', origin } = headers
  const url = `http://${host}`
  if (!URL.canParse(url) || !isLoopback(new URL(url).hostname)) {
    return false
  }
  return origin === undefined || origin === new URL(url).origin
}

/**
 * Returns the origin of a website as a browser writes it, from what its owner writes, with or without a path. Returns null
 * for a user, a wildcard or another scheme, and for plain HTTP except on this machine. Spec: Channels › Allowed sites.
 */
export function readOrigin(text: string): string | null {
  const written = text.trim()
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `https://${written}`)
  if (url === null || url.username !== '' || url.password !== '') return null
  // The origin becomes one word of a Content-Security-Policy.
  if (!/^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/.test(url.hostname)) return null
  const isHere =
    url.hostname === 'localhost' ||
    url.hostname === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere)) return null
  if (url.protocol === 'https:' && !isHere && !url.hostname.includes('.')) return null
  return url.origin
}

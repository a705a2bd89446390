/** Where to listen: an address that only this machine reaches, or a Unix socket; null for anything else. */
export function readListen(text) {
  const path = /^unix:(\/.+)$/.exec(text)?.[1]
  if (path) return { path }
  const [, host, port] = /^(127(?:\.\d{1,3}){3}|localhost|\[::1\]):(\d{1,5})$/.exec(text) ?? []
  return host ? { host: host.replace(/[[\]]/g, ''), port: Number(port) } : null
}

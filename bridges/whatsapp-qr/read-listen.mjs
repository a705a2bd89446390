/** Returns where to listen: a loopback address or a Unix socket. Returns null for any other text. */
export function readListen(text) {
  const path = /^unix:(\/.+)$/.exec(text)?.[1]
  if (path) return { path }
  const [, host, port] = /^(127(?:\.\d{1,3}){3}|localhost|\[::1\]):(\d{1,5})$/.exec(text) ?? []
  return host ? { host: host.replace(/[[\]]/g, ''), port: Number(port) } : null
}

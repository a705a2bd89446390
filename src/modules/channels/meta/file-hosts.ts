/** Hosts of Meta from which files are downloaded. */
const FILE_HOSTS =
  /(^|\.)(fbsbx\.com|fbcdn\.net|facebook\.com|cdninstagram\.com|whatsapp\.net|whatsapp\.com)$/

/** Returns whether an address belongs to Meta or to the channel's provider; no other host is contacted for a file. */
export function isFileHost(url: URL, { baseUrl }: { baseUrl: string }): boolean {
  if (url.origin === new URL(baseUrl).origin) return true
  return url.protocol === 'https:' && url.port === '' && FILE_HOSTS.test(url.hostname)
}

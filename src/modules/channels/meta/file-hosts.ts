/** Hosts of Meta that files are fetched from. */
const FILE_HOSTS =
  /(^|\.)(fbsbx\.com|fbcdn\.net|facebook\.com|cdninstagram\.com|whatsapp\.net|whatsapp\.com)$/

/** Whether an address is Meta's, or the provider's that the channel has: no other is asked for a file. */
export function isFileHost(url: URL, { baseUrl }: { baseUrl: string }): boolean {
  if (url.origin === new URL(baseUrl).origin) return true
  return url.protocol === 'https:' && url.port === '' && FILE_HOSTS.test(url.hostname)
}

/** The operator's mail server, as `SMTP_URL` and `MAIL_FROM` name it. */
export type MailServer = {
  host: string
  port: number
  /** TLS from the first byte (`smtps://`); else STARTTLS where the server offers it. */
  isTls: boolean
  login: { user: string; password: string } | null
  /** `address` or `Name <address>`. */
  from: string
}

const TLS_PORT = 465
const SUBMISSION_PORT = 587
const ADDRESS = /^[^\s<>@,;:"]+@[^\s<>@,;:"]+$/
const NAMED_ADDRESS = /^([^<>@\p{Cc}]*)<([^<>]+)>$/u

/** Parses `SMTP_URL`; returns null when it is invalid. No message repeats its password. */
export function readSmtpUrl(text: string): Omit<MailServer, 'from'> | null {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')) return null
  if (url.hostname === '' || url.search !== '' || url.hash !== '' || url.port === '0') return null
  if (url.pathname !== '' && url.pathname !== '/') return null
  if ((url.username === '') !== (url.password === '')) return null
  const isTls = url.protocol === 'smtps:'
  try {
    return {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (isTls ? TLS_PORT : SUBMISSION_PORT) : Number(url.port),
      isTls,
      login:
        url.username === ''
          ? null
          : { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) },
    }
  } catch {
    return null
  }
}

/** Returns whether a text is a sender: one address, with or without a name before it. */
export function isSender(text: string): boolean {
  return ADDRESS.test(NAMED_ADDRESS.exec(text)?.[2] ?? text)
}

/**
 * The only client of the operator's mail server. Each e-mail has a separate connection and an absolute deadline. A
 * password is only sent over TLS.
 */
import { createTransport } from 'nodemailer'
import { getCACertificates } from 'node:tls'
import { domainToASCII } from 'node:url'
import { MAIL_LIMITS } from '../../core/limits/accounts.ts'
import type { MailServer } from './mail-server.ts'

/** One e-mail. */
export type Mail = {
  /** The same id on every attempt, so that a mailbox can detect a repetition. */
  id: string
  /** The recipients of the one e-mail. The server may accept some of them and refuse others. */
  to: readonly string[]
  subject: string
  text: string
}

/** A recipient that the mail server refused. */
export type RefusedRecipient = {
  /** The address as the e-mail was given it. */
  address: string
  /** True when the recipient cannot receive mail; false when a later attempt may succeed. */
  isFinal: boolean
}

/** The client of the operator's mail server. */
export type Mailer = {
  /**
   * Hands an e-mail to the mail server. Returns the recipients that the server refused, while it accepted the others.
   * @throws MailFailed when it accepted none
   */
  send(mail: Mail): Promise<readonly RefusedRecipient[]>
}

/** The error of an e-mail that the server did not accept. Its message contains no password and no content. */
export class MailFailed extends Error {
  override name = 'MailFailed'
  /** True when no recipient can receive mail, so that another attempt would fail as well. */
  readonly isFinal: boolean

  constructor(message: string, isFinal: boolean) {
    super(message)
    this.isFinal = isFinal
  }
}

type MailerOptions = { extraCa?: readonly string[]; sendMs?: number }

/** Creates the SMTP client that sends e-mails. `extraCa` (PEM) is trusted besides the well-known authorities. */
export function createMailer(
  server: MailServer,
  { extraCa = [], sendMs = MAIL_LIMITS.sendMs }: MailerOptions = {},
): Mailer {
  const { from } = server
  const transport = openTransport(server, { extraCa, sendMs })
  const domain = from.replace(/^.*@|>$/g, '')
  return {
    async send({ id, to, subject, text }) {
      try {
        const { rejectedErrors = [] } = await transport.sendMail({
          from,
          to: to.map((address) => ({ name: '', address })),
          subject: subject.replaceAll(/\p{Cc}+/gu, ' '),
          text,
          messageId: `<${id}@${domain}>`,
          headers: { 'auto-submitted': 'auto-generated' },
          signal: AbortSignal.timeout(sendMs),
        })
        const given = new Map(to.map((address) => [comparable(address), address]))
        return rejectedErrors.map(({ recipient = '', responseCode }) => ({
          address: given.get(comparable(recipient)) ?? recipient,
          isFinal: responseCode !== undefined && responseCode >= 500,
        }))
      } catch (error) {
        throw asMailFailed(error)
      }
    },
  }
}

/** Returns an address as it can be compared: the client library writes the domain in lower case and in ASCII. */
function comparable(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`.toLowerCase()
}

/**
 * Checks the mail server without sending anything: connects by TLS or STARTTLS as an e-mail would, and signs in if there
 * is a password. @throws MailFailed
 */
export async function checkMailServer(
  server: MailServer,
  { extraCa = [], sendMs = MAIL_LIMITS.sendMs }: MailerOptions = {},
): Promise<void> {
  const transport = openTransport(server, { extraCa, sendMs })
  try {
    await transport.verify()
  } catch (error) {
    throw asMailFailed(error)
  } finally {
    transport.close()
  }
}

function openTransport(
  { host, port, isTls, login }: MailServer,
  { extraCa, sendMs }: Required<MailerOptions>,
) {
  return createTransport({
    host,
    port,
    secure: isTls,
    requireTLS: !isTls && login !== null,
    // A relay on this machine rarely has a certificate that could be verified.
    ignoreTLS: !isTls && login === null && isLoopback(host),
    ...(login ? { auth: { user: login.user, pass: login.password } } : {}),
    ...(extraCa.length > 0 ? { tls: { ca: [...getCACertificates('default'), ...extraCa] } } : {}),
    connectionTimeout: Math.min(MAIL_LIMITS.silentMs, sendMs),
    greetingTimeout: Math.min(MAIL_LIMITS.silentMs, sendMs),
    socketTimeout: Math.min(MAIL_LIMITS.silentMs, sendMs),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

function asMailFailed(error: unknown): MailFailed {
  const { code, command, responseCode } = (error ?? {}) as Record<string, unknown>
  const said = [code ?? (error as Error).name, command, responseCode].filter(
    (part) => typeof part === 'string' || typeof part === 'number',
  )
  // A 5xx about the recipients is final; elsewhere, as about the sender, the operator may fix a setting.
  const isFinal =
    code === 'EENVELOPE' &&
    command === 'RCPT TO' &&
    typeof responseCode === 'number' &&
    responseCode >= 500
  return new MailFailed(`the mail server did not take it: ${said.join(' ')}`, isFinal)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

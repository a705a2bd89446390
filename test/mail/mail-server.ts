/** A real mail server on loopback, whose responses each test sets. */
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export type ReceivedMail = {
  from: string
  to: string[]
  /** Header lines, unfolded. */
  headers: string[]
  subject: string
  text: string
  isOverTls: boolean
  user: string | undefined
}

export type TestMailServer = {
  port: number
  received: ReceivedMail[]
  /** Refuses every recipient, or the given one, with this error from now on, or accepts them again. */
  refuseRecipients(error: { status: number; text: string } | null, address?: string): void
  /** Refuses the content of every mail with this error from now on, or accepts it again. */
  refuseContent(error: { status: number; text: string } | null): void
  close(): Promise<void>
}

const EVERY_ADDRESS = '*'

export async function startMailServer(options: SMTPServerOptions = {}): Promise<TestMailServer> {
  const received: ReceivedMail[] = []
  const ofRecipients = new Map<string, { status: number; text: string }>()
  let ofContent: { status: number; text: string } | null = null
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.key ? [] : ['STARTTLS'],
    // No DNS look-ups in tests.
    disableReverseLookup: true,
    ...options,
    onRcptTo({ address }, _session, done) {
      const error = ofRecipients.get(address) ?? ofRecipients.get(EVERY_ADDRESS)
      done(error && smtpError(error))
    },
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        if (ofContent) return done(smtpError(ofContent))
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          ...readMail(Buffer.concat(parts).toString('utf8')),
          isOverTls: session.secure,
          user: session.user,
        })
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    refuseRecipients(error, address = EVERY_ADDRESS) {
      if (error) ofRecipients.set(address, error)
      else ofRecipients.clear()
    },
    refuseContent(error) {
      ofContent = error
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

function smtpError({ status, text }: { status: number; text: string }): Error {
  return Object.assign(new Error(text), { responseCode: status })
}

function readMail(raw: string): Pick<ReceivedMail, 'headers' | 'subject' | 'text'> {
  const end = raw.indexOf('\r\n\r\n')
  const headers = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const valueOf = (name: string) =>
    headers
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim()
  const body = raw.slice(end + 4)
  const encoding = valueOf('content-transfer-encoding')
  return {
    headers,
    subject: readWords(valueOf('subject') ?? ''),
    text: (encoding === 'base64'
      ? Buffer.from(body, 'base64').toString('utf8')
      : encoding === 'quoted-printable'
        ? readQuotedPrintable(body.replaceAll('=\r\n', ''))
        : body
    ).replaceAll('\r\n', '\n'),
  }
}

function readQuotedPrintable(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Encoded words (RFC 2047); white space between two of them is not part of the text. */
function readWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/(=\?utf-8\?([bq])\?([^?]*)\?=)+/gi, (words) =>
      Buffer.concat(
        [...words.matchAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi)].map(([, kind, word = '']) =>
          kind?.toLowerCase() === 'b'
            ? Buffer.from(word, 'base64')
            : Buffer.from(readLatin1(word.replaceAll('_', ' ')), 'latin1'),
        ),
      ).toString('utf8'),
    )
}

function readLatin1(text: string): string {
  return text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

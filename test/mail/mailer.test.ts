import { createServer, type AddressInfo, type Server } from 'node:net'
import type { SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { createMailer, MailFailed, type Mail } from '../../src/infra/mail/mailer.ts'
import { isSender, readSmtpUrl, type MailServer } from '../../src/infra/mail/mail-server.ts'
import { createAuthority, createCertificate } from '../egress/support/certificates.ts'
import { startMailServer } from './mail-server.ts'
import { freePort } from '../support/free-port.ts'
import { systemTest } from '../support/system-tests.ts'

const FROM = 'Wasla <wasla@example.com>'
const MAIL: Mail = {
  id: '01890000-0000-7000-8000-000000000001',
  to: ['owner@example.com', 'second@example.com'],
  subject: 'Endpoint "Orders" | نقطة الاستقبال «طلبات»',
  text: 'سطر أول\n\nA second line\n.\nafter a lone dot\n',
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function serving(options: Parameters<typeof startMailServer>[0] = {}) {
  const server = await startMailServer(options)
  closing.push(() => server.close())
  return server
}

const serverAt = (port: number, more: Partial<MailServer> = {}): MailServer => ({
  host: '127.0.0.1',
  port,
  isTls: false,
  login: null,
  from: FROM,
  ...more,
})

async function failureOf(sending: Promise<unknown>): Promise<MailFailed> {
  const error: unknown = await sending.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(MailFailed)
  return error as MailFailed
}

describe('An e-mail', () => {
  test('reaches all its recipients as it was written, in Arabic and in English', async () => {
    const server = await serving()
    await createMailer(serverAt(server.port)).send(MAIL)
    const { to, subject, text } = MAIL
    const sent = { from: 'wasla@example.com', to, subject, text, isOverTls: false }
    expect(server.received).toMatchObject([sent])
    expect(server.received[0]!.headers).toEqual(
      expect.arrayContaining([
        `Message-ID: <${MAIL.id}@example.com>`,
        'From: Wasla <wasla@example.com>',
        'Auto-Submitted: auto-generated',
      ]),
    )
  })

  systemTest('gets no header or recipient from text in its subject or addresses', async () => {
    const server = await serving()
    const mailer = createMailer(serverAt(server.port))
    const to = ['owner@example.com']
    const subject = 'Orders\r\nBcc: thief@example.com\r\n\r\nand a body\u0000'
    await mailer.send({ ...MAIL, to, subject })
    const [mail] = server.received
    expect(mail!.to).toEqual(to)
    expect(mail!.headers.filter((line) => /^bcc:/i.test(line))).toEqual([])
    expect(mail!.subject).toBe('Orders Bcc: thief@example.com and a body')
    expect(mail!.text).toBe(MAIL.text)
    const sneaky = ['owner@example.com\r\nRCPT TO:<thief@example.com>', 'a@example.com, b@c.com']
    for (const address of sneaky) await mailer.send({ ...MAIL, to: [address] }).catch(() => {})
    expect(JSON.stringify(server.received.map((one) => one.to))).not.toMatch(/"thief@|"b@/)
  })

  systemTest('goes over TLS where the URL says smtps, to a trusted certificate', async () => {
    const authority = await createAuthority()
    const pair = await createCertificate(['127.0.0.1'], { authority })
    const server = await serving({ secure: true, ...pair })
    const to = serverAt(server.port, { isTls: true })
    const refused = await failureOf(createMailer(to).send(MAIL))
    expect(refused.isFinal).toBe(false)
    expect(server.received).toEqual([])
    await createMailer(to, { extraCa: [authority.cert] }).send(MAIL)
    expect(server.received).toMatchObject([{ isOverTls: true }])
  })

  test('sends a password over STARTTLS, and never without it', async () => {
    const authority = await createAuthority()
    const pair = await createCertificate(['127.0.0.1'], { authority })
    const passwords: string[] = []
    const onAuth: SMTPServerOptions['onAuth'] = (auth, _session, done) => {
      passwords.push(auth.password ?? '')
      done(null, { user: auth.username ?? '' })
    }
    const login = { user: 'wasla', password: 'p@ss:word' }
    const open = await serving({ onAuth, allowInsecureAuth: true })
    const refused = await failureOf(createMailer(serverAt(open.port, { login })).send(MAIL))
    expect(refused.message).not.toContain('p@ss')
    expect(passwords).toEqual([])
    const server = await serving({ onAuth, ...pair })
    const mailer = createMailer(serverAt(server.port, { login }), { extraCa: [authority.cert] })
    await mailer.send(MAIL)
    expect(server.received).toMatchObject([{ isOverTls: true, user: 'wasla' }])
    expect(passwords).toEqual(['p@ss:word'])
  })

  test.each([
    ['all recipients are unknown', 'recipients', 550, true],
    ['recipients are refused for now', 'recipients', 451, false],
    ['the content is refused for now', 'content', 452, false],
    ['the content is refused', 'content', 554, false],
  ] as const)('is not accepted when %s', async (_, what, status, isFinal) => {
    const server = await serving()
    const error = { status, text: 'No, owner@example.com' }
    if (what === 'recipients') server.refuseRecipients(error)
    else server.refuseContent(error)
    const failure = await failureOf(createMailer(serverAt(server.port)).send(MAIL))
    expect(failure.isFinal).toBe(isFinal)
    expect(failure.message).toContain(String(status))
    expect(failure.message).not.toContain('owner@example.com')
    expect(server.received).toEqual([])
  })

  test('returns the recipients that the server refuses, and reaches the others', async () => {
    const server = await serving()
    const [kept, later, unknown] = ['a@example.com', 'b@example.com', 'c@example.com']
    server.refuseRecipients({ status: 451, text: 'greylisted' }, later)
    server.refuseRecipients({ status: 550, text: 'no such user' }, unknown)
    const mailer = createMailer(serverAt(server.port))
    expect(await mailer.send({ ...MAIL, to: [later, kept, unknown] })).toEqual([
      { address: later, isFinal: false },
      { address: unknown, isFinal: true },
    ])
    expect(server.received.map(({ to }) => to)).toEqual([[kept]])
    const failure = await failureOf(mailer.send({ ...MAIL, to: [later, unknown] }))
    expect(failure.isFinal).toBe(false)
  })

  test('is not accepted from a sender that the server refuses: the operator may name another', async () => {
    const server = await serving({
      onMailFrom: (_address, _session, done) =>
        done(Object.assign(new Error('not your address'), { responseCode: 553 })),
    })
    const failure = await failureOf(createMailer(serverAt(server.port)).send(MAIL))
    expect(failure.message).toContain('553')
    expect(failure.isFinal).toBe(false)
  })

  systemTest('is abandoned in time when a server is gone, silent or too slow', async () => {
    const silent = await listening(createServer())
    const slow = await listening(
      createServer((socket) => {
        socket.on('error', () => {})
        const timer = setInterval(() => socket.write('220-still here\r\n'), 20)
        socket.on('close', () => clearInterval(timer))
      }),
    )
    for (const port of [await freePort(), silent, slow]) {
      const mailer = createMailer(serverAt(port), { sendMs: 300 })
      expect((await failureOf(mailer.send(MAIL))).isFinal).toBe(false)
    }
  })
})

async function listening(server: Server): Promise<number> {
  const sockets = new Set<{ destroy(): void }>()
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

describe('SMTP_URL', () => {
  test.each([
    ['smtp://mail.example.com', { port: 587, isTls: false, login: null }],
    ['smtps://mail.example.com', { port: 465, isTls: true, login: null }],
    ['smtp://mail.example.com:2525/', { port: 2525, isTls: false, login: null }],
    [
      'smtps://wasla%40example.com:p%40ss%3A@mail.example.com',
      { port: 465, isTls: true, login: { user: 'wasla@example.com', password: 'p@ss:' } },
    ],
  ])('%s is read', (text, server) => {
    expect(readSmtpUrl(text)).toEqual({ host: 'mail.example.com', ...server })
  })

  test.each([
    'https://mail.example.com',
    'smtp://',
    'mail.example.com:25',
    'smtp://mail.example.com:0',
    'smtp://user@mail.example.com',
    'smtp://u:%ff@mail.example.com',
    'smtp://mail.example.com/?tls=off',
  ])('%s is refused', (text) => {
    expect(readSmtpUrl(text)).toBeNull()
  })
})

describe('MAIL_FROM', () => {
  test.each([
    ['wasla@example.com', true],
    ['Wasla <wasla@example.com>', true],
    ['وصلة <wasla@example.com>', true],
    ['wasla', false],
    ['a@example.com, b@example.com', false],
    ['Wasla <wasla@example.com', false],
    ['Wasla\r\nBcc: x <wasla@example.com>', false],
    ['<>', false],
  ])('%j: %s', (text, isRead) => {
    expect(isSender(text)).toBe(isRead)
  })
})

describe('The configuration of mail', () => {
  const read = (env: Record<string, string>) => readConfig(env, [], import.meta.dirname).mail
  const both = {
    SMTP_URL: 'smtps://wasla:secret-word@mail.example.com',
    MAIL_FROM: 'Wasla <wasla@example.com>',
  }

  test('is none, or a server and a sender', () => {
    expect(read({})).toBeNull()
    expect(read(both)).toEqual({
      host: 'mail.example.com',
      port: 465,
      isTls: true,
      login: { user: 'wasla', password: 'secret-word' },
      from: 'Wasla <wasla@example.com>',
    })
  })

  test.each([
    [{ SMTP_URL: both.SMTP_URL }, /MAIL_FROM is required/],
    [{ MAIL_FROM: both.MAIL_FROM }, /SMTP_URL is required/],
    [{ ...both, MAIL_FROM: 'nobody' }, /MAIL_FROM must be an address/],
    [{ ...both, SMTP_URL: 'smtps:/wasla:secret-word' }, /SMTP_URL must look like/],
  ])('ends the start with a message that names the variable and no password: %j', (env, told) => {
    expect(() => read(env)).toThrow(told)
    expect(() => read(env)).not.toThrow(/secret-word/)
  })
})

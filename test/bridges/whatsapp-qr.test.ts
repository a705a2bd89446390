/**
 * The bridge's own code, all but the file that knows Baileys, spoken to by our adapter over its protocol: the
 * socket to WhatsApp is one that the test moves.
 */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChannelAdapter, FileToSend, Polled } from '../../src/channels/channel-adapter.ts'
import { createWhatsAppQrAdapter } from '../../src/channels/whatsapp-qr/adapter.ts'
import { readKeptLink } from '../../src/channels/whatsapp-qr/link-state.ts'

const FOLDER = new URL('../../bridges/whatsapp-qr/', import.meta.url)
const SECRET = 'a-secret-of-thirty-two-characters'

type State = {
  creds: Record<string, unknown>
  keepCreds(): void
  keys: {
    get(type: string, ids: string[]): Promise<Record<string, unknown>>
    set(data: object): Promise<void>
  }
}
type Update = {
  qr?: string
  connection?: 'open' | 'close'
  code?: number
  number?: string
  lid?: string
}
type Played = {
  state: State
  onUpdate(update: Update): void
  onEvent(event: string, data: unknown): void
  sent: { id: string; to: string; content: { text?: string; bytes?: Buffer } }[]
  isEnded: boolean
}
type Bridge = { server: Server; close(): Promise<void> }
type Deps = { secret: string; name: string; codec: object; connect(of: Played): Promise<object> }
const { createBridge } = (await import(new URL('server.mjs', FOLDER).href)) as {
  createBridge(deps: Deps): Bridge
}
const { readListen } = (await import(new URL('read-listen.mjs', FOLDER).href)) as {
  readListen(text: string): object | null
}

const codec = {
  write: (value: unknown) => JSON.stringify(value),
  read: (text: string) => JSON.parse(text) as unknown,
  newCreds: () => ({ made: 'anew' }),
  readKey: (_type: string, value: unknown) => value,
}

/** Sockets that the bridge has opened, the newest last. */
let sockets: Played[] = []
/** What the next send comes to. */
let failsWith: Error | null = null
const last = () => sockets.at(-1)!

function connect(of: Played): Promise<object> {
  const played: Played = { ...of, sent: [], isEnded: false }
  sockets.push(played)
  return Promise.resolve({
    start() {},
    send(id: string, to: string, content: object) {
      if (failsWith) return Promise.reject(failsWith)
      played.sent.push({ id, to, content })
      return Promise.resolve()
    },
    download: ({ kind }: { kind: string }) =>
      Promise.resolve(kind === 'image' ? Buffer.from('bytes') : 'gone'),
    logout: () => Promise.resolve(),
    end() {
      played.isEnded = true
    },
  })
}

let bridge: Bridge
let adapter: ChannelAdapter
/** What Wasla keeps of the number. */
let kept: Map<string, string>
beforeEach(async () => {
  sockets = []
  failsWith = null
  kept = new Map()
  await startBridge()
})
afterEach(async () => {
  await adapter.close()
  await bridge.close()
})

async function startBridge(): Promise<void> {
  bridge = createBridge({ secret: SECRET, name: 'The bridge', codec, connect })
  await new Promise<void>((resolve) => {
    bridge.server.listen(0, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(bridge.server.address() as AddressInfo).port}`
  adapter = createWhatsAppQrAdapter({
    baseUrls: { qrBridge: { url, secret: SECRET }, qrBridgeSimulator: null },
    newReference: () => 'r',
  })
}

const channel = {
  route: 'r',
  account: 'r',
  settings: {},
  isSimulated: false,
  credentials: {},
}

/** One round, and what it says is kept. */
async function round(waitMs = 0): Promise<Extract<Polled, { outcome: 'asked' }>> {
  const polled = await adapter.poll!(channel, {
    recall: (names) => Promise.resolve(new Map([...kept].filter(([name]) => names.includes(name)))),
    waitMs,
    signal: new AbortController().signal,
    webhookUrl: null,
    receivedAt: new Date('2026-11-21T10:00:00.000Z'),
  })
  if (polled.outcome !== 'asked') throw new Error(`refused: ${polled.error.code}`)
  for (const [name, value] of Object.entries(polled.keep ?? {})) {
    if (value === null) kept.delete(name)
    else kept.set(name, value)
  }
  return polled
}
const link = () => readKeptLink(kept.get('link'))

async function pair(): Promise<void> {
  await round()
  last().onUpdate({ qr: '2@code' })
  await round()
  expect(link()).toMatchObject({ status: 'pairing', qr: '2@code' })
  Object.assign(last().state.creds, { me: 'paired' })
  last().state.keepCreds()
  await last().state.keys.set({ session: { a: 'one', b: 'two' }, 'pre-key': { '1': 'x' } })
  // WhatsApp wants the connection anew right after pairing.
  const count = sockets.length
  last().onUpdate({ connection: 'close', code: 515 })
  await expect.poll(() => sockets.length, { timeout: 5_000 }).toBe(count + 1)
  last().onUpdate({ connection: 'open', number: '12025550120' })
  await round()
}

const messageOf = (id: string) => ({
  type: 'notify',
  messages: [
    {
      key: { id, remoteJid: '12025550121@s.whatsapp.net', fromMe: false },
      messageTimestamp: 1_749_416_383,
      message: { conversation: 'hi' },
    },
  ],
})

const send = (content: Parameters<ChannelAdapter['send']>[2], file: FileToSend | null = null) =>
  adapter.send(channel, { number: '12025550121' }, content, {
    ourReference: `o_${'0123456789abcdef'.repeat(2)}`,
    file,
  })

describe('The bridge', () => {
  test('answers who knows its secret', async () => {
    expect(await adapter.check(channel)).toEqual({ ok: true, label: 'The bridge' })
    const { url } = { url: `http://127.0.0.1:${(bridge.server.address() as AddressInfo).port}` }
    const stranger = createWhatsAppQrAdapter({
      baseUrls: { qrBridge: { url, secret: 'another' }, qrBridgeSimulator: null },
      newReference: () => 'r',
    })
    expect(await stranger.check(channel)).toMatchObject({ ok: false, error: { code: 'http_401' } })
    await stranger.close()
  })

  test('pairs by a code, and gives all keys to be kept', async () => {
    await pair()
    expect(link()).toEqual({ status: 'linked', number: '12025550120' })
    expect(JSON.parse(kept.get('state.creds')!)).toEqual({ made: 'anew', me: 'paired' })
    const names = JSON.parse(kept.get('names')!) as string[]
    expect(names.some((name) => name.startsWith('key/session/'))).toBe(true)
  })

  test('tells the own lid of the number, without its device', async () => {
    await pair()
    last().onUpdate({ connection: 'open', number: '12025550120', lid: '998877665544332:7@lid' })
    await round()
    expect(link()).toMatchObject({ number: '12025550120', lid: '998877665544332@lid' })
  })

  test('has nothing on disk: another process of it goes on from what was kept', async () => {
    await pair()
    await bridge.close()
    await adapter.close()
    sockets = []
    await startBridge()
    // It knows no session: what is kept is brought first.
    await round()
    expect(last().state.creds).toEqual({ made: 'anew', me: 'paired' })
    expect(await last().state.keys.get('session', ['a', 'b', 'c'])).toEqual({ a: 'one', b: 'two' })
  })

  test('tells of a message until it is taken in, and ends a wait when one comes', async () => {
    await pair()
    const before = new Map(kept)
    const waiting = round(20_000)
    last().onEvent('messages.upsert', messageOf('A1'))
    expect((await waiting).facts).toMatchObject([{ kind: 'message', providerMessageId: 'A1' }])
    // As if the process had died before it kept how far it was.
    kept = before
    expect((await round()).facts).toMatchObject([{ kind: 'message', providerMessageId: 'A1' }])
    expect((await round()).facts).toEqual([])
  })

  test('tells of what was missed, also where the clock was put back since it was last linked', async () => {
    await pair()
    kept.set('seen', '2026-11-22T10:00:00.000Z')
    await round()
    const [message] = messageOf('A1').messages
    const missed = { ...message, messageTimestamp: Date.parse('2026-11-21T10:05:00Z') / 1_000 }
    last().onEvent('messages.upsert', { type: 'append', messages: [missed] })
    expect((await round()).facts).toMatchObject([{ kind: 'message', providerMessageId: 'A1' }])
  })

  test('has one writer for each number: who opens it again ends the one before', async () => {
    await pair()
    const old = new Map(kept)
    kept.delete('session')
    await round()
    expect(sockets.at(-2)!.isEnded).toBe(true)
    const current = kept.get('session')
    kept = old
    // The old session is none any more: it must be opened, with what is kept by now.
    await round()
    expect(kept.get('session')).not.toBe(current)
  })

  test('sends a text once under our id, and a file by its bytes', async () => {
    await pair()
    expect(await send({ kind: 'text', text: 'hello' })).toMatchObject({ outcome: 'accepted' })
    expect(await send({ kind: 'text', text: 'hello' })).toMatchObject({ outcome: 'accepted' })
    expect(last().sent).toHaveLength(1)
    expect(last().sent[0]).toMatchObject({ to: '12025550121@s.whatsapp.net' })
    const file = {
      id: 'f',
      mediaType: 'image/png',
      size: 5,
      name: null,
      read: () => Promise.resolve(Readable.from([Buffer.from('12345')])),
    } as unknown as FileToSend
    const media = {
      kind: 'media',
      fileId: 'f',
      mediaKind: 'image',
      caption: 'look',
      fileName: null,
    } as const
    const sent = await adapter.send(channel, { lid: '123@lid' }, media, {
      ourReference: `o_${'f'.repeat(32)}`,
      file,
    })
    expect(sent).toMatchObject({ outcome: 'accepted' })
    expect(last().sent[1]).toMatchObject({ to: '123@lid', content: { caption: 'look' } })
    expect(last().sent[1]!.content.bytes!.toString()).toBe('12345')
  })

  test('says what surely did not go out, and of nothing else that it did not', async () => {
    expect(await send({ kind: 'text', text: 'hello' })).toMatchObject({
      outcome: 'refused',
      error: { code: 'not_linked', class: 'transient' },
    })
    await pair()
    failsWith = Object.assign(new Error('closed'), { output: { statusCode: 428 } })
    expect(await send({ kind: 'text', text: 'a' })).toMatchObject({
      outcome: 'refused',
      error: { code: 'not_connected' },
    })
    failsWith = new Error('who knows')
    const other = { ourReference: `o_${'a'.repeat(32)}`, file: null }
    expect(
      await adapter.send(channel, { number: '12025550121' }, { kind: 'text', text: 'b' }, other),
    ).toEqual({ outcome: 'unknown' })
  })

  test('fetches what customers sent', async () => {
    await pair()
    const media = (kind: string) => ({
      providerMediaId: JSON.stringify({ kind, mediaKey: 'k', directPath: '/v' }),
    })
    const limits = { mostBytes: 1_000 }
    expect(await adapter.fetchMedia!(channel, media('image'), limits)).toEqual({
      outcome: 'fetched',
      bytes: Buffer.from('bytes'),
    })
    expect(await adapter.fetchMedia!(channel, media('video'), limits)).toMatchObject({
      outcome: 'lost',
    })
  })
})

describe('A connection that ends', () => {
  test.each([
    [401, 'logged_out'],
    [403, 'banned'],
    [440, 'replaced'],
  ])('by %i is not opened again: %s', async (code, status) => {
    await pair()
    const count = sockets.length
    last().onUpdate({ connection: 'close', code })
    const { facts } = await round()
    expect(facts).toMatchObject([{ kind: 'channel_state', isConnected: false }])
    expect(link()).toMatchObject({ status })
    expect(sockets).toHaveLength(count)
    expect(kept.has('state.creds')).toBe(status !== 'logged_out')
    expect(kept.has('session')).toBe(false)
  })

  test.each([428, 408, 503, 500])(
    'by %i is opened again, with the keys that it has',
    async (code) => {
      await pair()
      const count = sockets.length
      last().onUpdate({ connection: 'close', code })
      const { problem } = await round()
      expect(problem).toMatchObject({ code: 'qr_connecting', params: { code: String(code) } })
      await expect.poll(() => sockets.length, { timeout: 5_000 }).toBe(count + 1)
      last().onUpdate({ connection: 'open', number: '12025550120' })
      await round()
      expect(link()).toMatchObject({ status: 'linked' })
      expect(kept.has('state.creds')).toBe(true)
    },
  )

  test('before anybody scanned waits until it is asked for anew', async () => {
    await round()
    last().onUpdate({ qr: '2@code' })
    last().onUpdate({ connection: 'close', code: 408 })
    await round()
    expect(link()).toMatchObject({ status: 'expired' })
    expect(sockets).toHaveLength(1)
  })
})

describe('What the bridge is', () => {
  test.each([
    ['127.0.0.1:4190', { host: '127.0.0.1', port: 4190 }],
    ['[::1]:4190', { host: '::1', port: 4190 }],
    ['unix:/run/bridge.sock', { path: '/run/bridge.sock' }],
    ['0.0.0.0:4190', null],
    ['192.168.1.4:4190', null],
    ['4190', null],
  ])('listens at %s: %o', (text, wanted) => {
    expect(readListen(text)).toEqual(wanted)
  })

  test('is installed by itself: nothing of Wasla depends on it or on what it needs', () => {
    const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
    for (const file of ['package.json', 'package-lock.json', 'src/dashboard/package-lock.json']) {
      expect(read(file)).not.toMatch(/baileys|libsignal/)
    }
    const { dependencies } = JSON.parse(read('bridges/whatsapp-qr/package.json')) as {
      dependencies: object
    }
    expect(dependencies).toEqual({ baileys: '7.0.0-rc14' })
  })
})

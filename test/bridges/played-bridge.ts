/**
 * The bridge's own code except the file that uses Baileys. The service's adapter calls it over its protocol, and the
 * test controls the socket to WhatsApp.
 */
import { request, type Server } from 'node:http'
import { Readable } from 'node:stream'
import { expect } from 'vitest'
import type {
  ChannelAdapter,
  FileToSend,
  PollOutcome,
} from '../../src/modules/channels/channel-adapter.ts'
import { listenLocally } from '../support/local-server.ts'
import { readProviderJson } from '../../src/modules/channels/provider/read-values.ts'
import { createWhatsAppQrAdapter } from '../../src/modules/channels/whatsapp-qr/adapter.ts'
import { createBridgeClient } from '../../src/modules/channels/whatsapp-qr/bridge-client.ts'
import { readStoredLink } from '../../src/modules/channels/whatsapp-qr/link-state.ts'

export const FOLDER = new URL('../../bridges/whatsapp-qr/', import.meta.url)
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
type Bridge = { server: Server; close(giveMs?: number): Promise<void> }
type Deps = { secret: string; name: string; codec: object; connect(of: Played): Promise<object> }
const { createBridge } = (await import(new URL('server.mjs', FOLDER).href)) as {
  createBridge(deps: Deps): Bridge
}

const codec = {
  write: (value: unknown) => JSON.stringify(value),
  read: (text: string) => JSON.parse(text) as unknown,
  newCreds: () => ({ made: 'anew' }),
  readKey: (_type: string, value: unknown) => value,
  idsOf: ({ me }: { me?: string }) => (me === undefined ? {} : { number: OWN }),
}

/** The number of the phone that scans the QR code. */
const OWN = '12025550120'

const channel = { route: 'r', account: 'r', settings: {}, isSimulated: false, credentials: {} }

/** Starts a bridge, and returns it with the service's adapter. */
export async function playBridge() {
  /** Sockets that the bridge has opened, the newest last. */
  const sockets: Played[] = []
  const last = () => sockets.at(-1)!
  const wire = createBridgeClient()
  /**
   * Begins an upload of `bytes` bytes without a body. Returns the status of the answer, and `leave`, which ends the
   * request.
   */
  function beginUpload(bytes: number) {
    const headers = { authorization: `Bearer ${SECRET}`, 'content-length': bytes }
    const url = `${played.url}/v1/numbers/${channel.route}/uploads`
    const began = request(url, { method: 'POST', headers })
    const status = new Promise<number | undefined>((resolve) => {
      began.on('response', (answer) => resolve(answer.statusCode))
      began.on('error', () => resolve(undefined))
    })
    began.flushHeaders()
    return { status, leave: () => began.destroy() }
  }

  const played = {
    sockets,
    last,
    channel,
    /** The error with which the next send fails. */
    failsWith: null as Error | null,
    /** A socket that is ended goes on until this promise resolves. */
    lingers: Promise.resolve(),
    /** The state that Wasla stores of the number. */
    kept: new Map<string, string>(),
    ...(await start()),
    /** Replaces the bridge by a new process, which knows nothing of the number. */
    async restart(): Promise<void> {
      await played.close()
      sockets.length = 0
      Object.assign(played, await start())
    },
    async close(): Promise<void> {
      await played.adapter.close()
      await wire.close()
      await played.bridge.close()
    },
    round,
    /** Reports a message from Baileys under each of these ids. */
    tell(...ids: string[]): void {
      for (const id of ids) last().onEvent('messages.upsert', messageOf(id))
    },
    reported: async (waitMs = 0): Promise<string[]> =>
      (await round(waitMs)).events.flatMap((of) =>
        of.kind === 'message' ? of.providerMessageId : [],
      ),
    /** Ends the connection from the side of WhatsApp. */
    drop: (code: number): void => last().onUpdate({ connection: 'close', code }),
    /** Opens the connection for the phone that scanned. */
    open: (lid?: string): void =>
      last().onUpdate({ connection: 'open', number: OWN, ...(lid !== undefined && { lid }) }),
    link: (): ReturnType<typeof readStoredLink> => readStoredLink(played.kept.get('link')),
    pair,
    send: (
      content: Parameters<ChannelAdapter['send']>[2],
      { file = null, reference = '0f' }: { file?: FileToSend | null; reference?: string } = {},
    ): ReturnType<ChannelAdapter['send']> =>
      played.adapter.send(channel, { number: '12025550121' }, content, {
        ourReference: `o_${reference.repeat(16)}`,
        file,
      }),
    ask,
    beginUpload,
    /** Opens a session as a node does that knows none. */
    openSession: (): Promise<{ session: string }> => ask('open', { state: {} }) as never,
    health: (): Promise<object> => ask('health'),
    /** Returns an adapter with a wrong secret. */
    stranger: (): ChannelAdapter => adapterAt(played.url, 'another'),
  }
  return played

  async function start(): Promise<{ bridge: Bridge; adapter: ChannelAdapter; url: string }> {
    const bridge = createBridge({ secret: SECRET, name: 'The bridge', codec, connect })
    const { port } = await listenLocally(bridge.server)
    const url = `http://127.0.0.1:${port}`
    return { bridge, url, adapter: adapterAt(url, SECRET) }
  }

  function connect(of: Played): Promise<object> {
    const socket: Played = { ...of, sent: [], isEnded: false }
    sockets.push(socket)
    return Promise.resolve({
      start() {},
      send(id: string, to: string, content: object) {
        if (played.failsWith) return Promise.reject(played.failsWith)
        socket.sent.push({ id, to, content })
        return Promise.resolve()
      },
      download: ({ kind }: { kind: string }) =>
        Promise.resolve(kind === 'image' ? Buffer.from('bytes') : 'gone'),
      logout: () => (played.failsWith ? Promise.reject(played.failsWith) : Promise.resolve()),
      end() {
        socket.isEnded = true
        return played.lingers
      },
    })
  }

  /** Calls the bridge by its protocol, without the adapter. */
  async function ask(verb: string, given?: object | Buffer): Promise<object> {
    const path = given ? ['numbers', channel.route, verb] : [verb]
    const what = Buffer.isBuffer(given)
      ? { bytes: { body: Readable.from([given]), length: given.length, type: 'image/png' } }
      : { json: given }
    const asked = await wire.call({ url: played.url, secret: SECRET }, { path, ...what })
    return asked.outcome === 'answered' ? (readProviderJson(asked.bytes) as object) : asked
  }

  /** Polls once, and stores the state that the bridge returns. */
  async function round(waitMs = 0): Promise<Extract<PollOutcome, { outcome: 'polled' }>> {
    const polled = await played.adapter.poll!(channel, {
      recall: (names) =>
        Promise.resolve(new Map([...played.kept].filter(([name]) => names.includes(name)))),
      waitMs,
      signal: new AbortController().signal,
      webhookUrl: null,
      receivedAt: new Date('2026-11-21T10:00:00.000Z'),
    })
    if (polled.outcome !== 'polled') throw new Error(`refused: ${polled.error.code}`)
    for (const [name, value] of Object.entries(polled.keep ?? {})) {
      if (value === null) played.kept.delete(name)
      else played.kept.set(name, value)
    }
    return polled
  }

  async function pair(): Promise<void> {
    // The first poll opens the session, and the second asks for its events.
    await round()
    await round()
    last().onUpdate({ qr: '2@code' })
    await round()
    expect(played.link()).toMatchObject({ status: 'pairing', qr: '2@code' })
    // The first QR code of a connection is valid for a minute.
    expect(played.link()!.qrUntil! - Date.now()).toBeGreaterThan(30_000)
    Object.assign(last().state.creds, { me: 'paired' })
    last().state.keepCreds()
    await last().state.keys.set({ session: { a: 'one', b: 'two' }, 'pre-key': { '1': 'x' } })
    // WhatsApp wants a new connection right after pairing.
    const count = sockets.length
    played.drop(515)
    await expect.poll(() => sockets.length, { timeout: 5_000 }).toBe(count + 1)
    played.open()
    await round()
  }
}

function adapterAt(url: string, secret: string): ChannelAdapter {
  return createWhatsAppQrAdapter({
    baseUrls: { qrBridge: { url, secret }, simulated: {} },
    newReference: () => 'r',
  })
}

export const messageOf = (id: string) => ({
  type: 'notify',
  messages: [
    {
      key: { id, remoteJid: '12025550121@s.whatsapp.net', fromMe: false },
      messageTimestamp: 1_749_416_383,
      message: { conversation: 'hi' },
    },
  ],
})

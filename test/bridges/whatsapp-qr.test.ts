/** The bridge by its protocol: the events it reports, the state it returns, and the sends it makes or refuses. */
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FileToSend } from '../../src/modules/channels/channel-adapter.ts'
import { FOLDER, messageOf, playBridge } from './played-bridge.ts'
import { systemTest } from '../support/system-tests.ts'

const { readListen } = (await import(new URL('read-listen.mjs', FOLDER).href)) as {
  readListen(text: string): object | null
}

const HELLO = { kind: 'text', text: 'hello' } as const

let played: Awaited<ReturnType<typeof playBridge>>
beforeEach(async () => {
  played = await playBridge()
})
afterEach(() => played.close())

describe('The bridge', () => {
  test('answers only clients that know its secret', async () => {
    expect(await played.adapter.check(played.channel)).toEqual({ ok: true, label: 'The bridge' })
    const stranger = played.stranger()
    expect(await stranger.check(played.channel)).toMatchObject({
      ok: false,
      error: { code: 'http_401' },
    })
    await stranger.close()
  })

  test('pairs by a code, and returns all keys to be stored', async () => {
    await played.pair()
    expect(played.link()).toEqual({ status: 'linked', number: '12025550120' })
    expect(JSON.parse(played.kept.get('state.creds')!)).toEqual({ made: 'anew', me: 'paired' })
    const names = JSON.parse(played.kept.get('names')!) as string[]
    expect(names.some((name) => name.startsWith('key/session/'))).toBe(true)
  })

  test("reports the number's own lid without its device", async () => {
    await played.pair()
    played.open('998877665544332:7@lid')
    await played.round()
    expect(played.link()).toMatchObject({ number: '12025550120', lid: '998877665544332@lid' })
  })

  test('stores nothing on disk: a new process goes on from the state that Wasla stored', async () => {
    await played.pair()
    await played.restart()
    // The new process knows no session, so the first poll only brings the stored state.
    await played.round()
    expect(played.sockets).toEqual([])
    await played.round()
    expect(played.last().state.creds).toEqual({ made: 'anew', me: 'paired' })
    expect(await played.last().state.keys.get('session', ['a', 'b', 'c'])).toEqual({
      a: 'one',
      b: 'two',
    })
  })

  test('reports a message until it is acknowledged, and ends a waiting poll when one comes', async () => {
    await played.pair()
    const before = new Map(played.kept)
    const waiting = played.reported(20_000)
    played.tell('A1')
    expect(await waiting).toEqual(['A1'])
    // The state is that of a process that died before it stored its position.
    played.kept = before
    expect(await played.reported()).toEqual(['A1'])
    expect((await played.round()).events).toEqual([])
  })

  test('reports missed messages, also when the clock was set back since the number was last linked', async () => {
    await played.pair()
    played.kept.set('seen', '2026-11-22T10:00:00.000Z')
    await played.round()
    const [message] = messageOf('A1').messages
    const missed = { ...message, messageTimestamp: Date.parse('2026-11-21T10:05:00Z') / 1_000 }
    played.last().onEvent('messages.upsert', { type: 'append', messages: [missed] })
    expect(await played.reported()).toEqual(['A1'])
  })

  test('has one writer for each number: opening it again ends the session before', async () => {
    await played.pair()
    const old = new Map(played.kept)
    played.kept.delete('session')
    await played.round()
    expect(played.last().isEnded).toBe(true)
    const current = played.kept.get('session')
    played.kept = old
    // The old session has ended, so the number must be opened again with the state stored by now.
    await played.round()
    expect(played.kept.get('session')).not.toBe(current)
  })

  test('gives a number that is opened concurrently to the later session, and leaves no connection open', async () => {
    await played.pair()
    const { promise, resolve } = Promise.withResolvers<void>()
    played.lingers = promise
    const first = played.openSession()
    await expect.poll(() => played.last().isEnded).toBe(true)
    const count = played.sockets.length
    // The later session is polled as soon as it exists.
    const second = played.openSession()
    const asked = second.then(({ session }) => played.ask('events', { session }))
    await played.health()
    resolve()
    const [{ session: before }, { session }] = await Promise.all([first, second, asked])
    expect(await played.ask('events', { session })).toMatchObject({
      link: { status: 'connecting' },
    })
    expect(await played.ask('events', { session: before })).toMatchObject({
      error: { code: 'no_session' },
    })
    await expect
      .poll(() => played.sockets.slice(count).map(({ isEnded }) => isEnded))
      .toEqual([false])
  })

  test("sends a text once under the service's id, and a file by its bytes", async () => {
    await played.pair()
    for (let n = 0; n < 2; n += 1) {
      expect(await played.send(HELLO)).toMatchObject({ outcome: 'accepted' })
    }
    expect(played.last().sent).toHaveLength(1)
    expect(played.last().sent[0]).toMatchObject({ to: '12025550121@s.whatsapp.net' })
    const file = {
      id: 'f',
      mediaType: 'image/png',
      size: 5,
      name: null,
      read: () => Promise.resolve(Readable.from([Buffer.from('12345')])),
    } as unknown as FileToSend
    const about = { fileId: 'f', mediaKind: 'image', caption: 'look', fileName: null } as const
    const media = { kind: 'media', ...about } as const
    const sent = await played.adapter.send(played.channel, { lid: '123@lid' }, media, {
      ourReference: `o_${'f'.repeat(32)}`,
      file,
    })
    expect(sent).toMatchObject({ outcome: 'accepted' })
    expect(played.last().sent[1]).toMatchObject({ to: '123@lid', content: { caption: 'look' } })
    expect(played.last().sent[1]!.content.bytes!.toString()).toBe('12345')
  })

  test('refuses a message that names another sender than the linked number', async () => {
    await played.pair()
    const to = { number: '12025550121' }
    const message = (id: string) => ({ id: id.repeat(40), to, text: 'a' })
    const another = { ...message('A'), from: '12025550999' }
    expect(await played.ask('messages', another)).toMatchObject({ error: { code: 'not_linked' } })
    for (const asked of [message('B'), { ...message('C'), from: '12025550120' }]) {
      expect(await played.ask('messages', asked)).toEqual({ id: asked.id })
    }
    expect(played.last().sent).toHaveLength(2)
  })

  test('reports a message as not sent only if it surely was not', async () => {
    expect(await played.send(HELLO)).toMatchObject({
      outcome: 'refused',
      error: { code: 'not_linked', class: 'transient' },
    })
    await played.pair()
    played.failsWith = Object.assign(new Error('closed'), { output: { statusCode: 428 } })
    expect(await played.send(HELLO)).toMatchObject({
      outcome: 'refused',
      error: { code: 'not_connected' },
    })
    played.failsWith = new Error('who knows')
    expect(await played.send(HELLO, { reference: 'aa' })).toEqual({ outcome: 'unknown' })
  })

  test('downloads the media that customers sent', async () => {
    await played.pair()
    const media = (kind: string) => ({
      providerMediaId: JSON.stringify({ kind, mediaKey: 'k', directPath: '/v' }),
    })
    const limits = { maxBytes: 1_000 }
    expect(await played.adapter.fetchMedia!(played.channel, media('image'), limits)).toEqual({
      outcome: 'fetched',
      bytes: Buffer.from('bytes'),
    })
    expect(await played.adapter.fetchMedia!(played.channel, media('video'), limits)).toMatchObject({
      outcome: 'lost',
    })
  })
})

describe('A file that is to be sent', () => {
  const MAX = 101 * 1_048_576
  /** Returns the answer to one more upload, or that of a health check if the upload is let in and waits. */
  async function third() {
    const { status, leave } = played.beginUpload(MAX)
    const answered = await Promise.race([status, played.health()])
    leave()
    return answered
  }

  test('has its memory reserved before it arrives, and released when the upload breaks off', async () => {
    await played.pair()
    const began = [played.beginUpload(MAX), played.beginUpload(MAX)]
    // The two uploads reserve all memory with their headers, before their bodies are read.
    await expect.poll(third).toBe(503)
    expect(await played.beginUpload(MAX + 1).status).toBe(413)
    for (const { leave } of began) leave()
    await expect.poll(third).toMatchObject({ bridge: 'The bridge' })
  })

  test('is forgotten when its send fails, and is uploaded again for the next one', async () => {
    await played.pair()
    played.failsWith = new Error('who knows')
    const { upload } = (await played.ask('uploads', Buffer.from('12345'))) as { upload: string }
    const send = () =>
      played.ask('messages', {
        id: 'A'.repeat(40),
        to: { number: '12025550121' },
        media: { upload, kind: 'image', mimeType: 'image/png' },
      })
    expect(await send()).toEqual({})
    expect(await send()).toMatchObject({ error: { code: 'bad_request' } })
  })
})

describe('A connection that ends', () => {
  test.each([
    [401, 'logged_out'],
    [403, 'banned'],
    [440, 'replaced'],
  ])('with code %i is not opened again: %s', async (code, status) => {
    await played.pair()
    const count = played.sockets.length
    played.drop(code)
    const { events } = await played.round()
    expect(events).toMatchObject([{ kind: 'channel_state', isConnected: false }])
    expect(played.link()).toMatchObject({ status })
    expect(played.sockets).toHaveLength(count)
    expect(played.kept.has('state.creds')).toBe(status !== 'logged_out')
    expect(played.kept.has('session')).toBe(false)
  })

  systemTest.each([428, 408, 503, 500])(
    'with code %i is opened again with its keys',
    async (code) => {
      await played.pair()
      const count = played.sockets.length
      played.drop(code)
      const { problem } = await played.round()
      expect(problem).toMatchObject({ code: 'qr_connecting', params: { code: String(code) } })
      await expect.poll(() => played.sockets.length).toBe(count + 1)
      played.open()
      await played.round()
      expect(played.link()).toMatchObject({ status: 'linked' })
      expect(played.kept.has('state.creds')).toBe(true)
    },
  )

  test('before a scan is not opened again until the next pairing', async () => {
    await played.round()
    await played.round()
    played.last().onUpdate({ qr: '2@code' })
    played.drop(408)
    await played.round()
    expect(played.link()).toMatchObject({ status: 'expired' })
    expect(played.sockets).toHaveLength(1)
  })

  systemTest('right after a scan is opened again', async () => {
    await played.round()
    await played.round()
    played.last().onUpdate({ qr: '2@code' })
    for (const [code, count] of [
      [515, 2],
      [408, 3],
    ] as const) {
      played.drop(code)
      await expect.poll(() => played.sockets.length).toBe(count)
    }
    await played.round()
    expect(played.link()).toMatchObject({ status: 'connecting' })
  })
})

describe('A number that is removed', () => {
  const leave = () => played.adapter.deregistration!.deregister(played.channel)

  test('is removed at WhatsApp', async () => {
    await played.pair()
    await leave()
    await played.round()
    expect(played.link()).toMatchObject({ status: 'logged_out' })
  })

  test('while WhatsApp is unreachable is reported as not removed, and its connection ends all the same', async () => {
    await played.pair()
    const socket = played.last()
    played.failsWith = new Error('Connection Closed')
    await expect(leave()).rejects.toMatchObject({ error: { code: 'not_connected' } })
    expect(socket.isEnded).toBe(true)
  })
})

describe('The bridge as a program', () => {
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

  test('is installed alone: nothing of Wasla depends on it or on its dependencies', () => {
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

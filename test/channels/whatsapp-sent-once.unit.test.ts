import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { generate } from 'selfsigned'
import { Agent } from 'undici'
import type { buildConnector } from 'undici'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Outbound, SendResult } from '../../src/modules/channels/channel-adapter.ts'
import { sendMessage } from '../../src/modules/channels/whatsapp/send.ts'
import { accepted, connectionTo, openClient, rawAnswer, startSockets } from './loopback-meta.ts'
import { freePort } from '../support/free-port.ts'
import { systemTest } from '../support/system-tests.ts'

const TO = { number: '12025550123' }
const HELLO: Outbound = { kind: 'text', text: 'Hello' }
function createAdapter(options: Parameters<typeof openClient>[0] = {}) {
  const client = openClient(options)
  onTestFinished(() => options.dispatcher?.destroy())
  return (baseUrl: string, ourReference: string, signal?: AbortSignal): Promise<SendResult> =>
    sendMessage(client, connectionTo(baseUrl), TO, HELLO, {
      ourReference,
      ...(signal ? { signal } : {}),
    })
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve())
  })
}

function referencesOf(requests: string[]): string[] {
  return requests.map((text) => /"biz_opaque_callback_data":"(\w+)"/.exec(text)?.[1] ?? '')
}

describe('A message that surely was not sent is refused and may be tried again', () => {
  const NOT_SENT = { outcome: 'refused', error: { class: 'transient' } }

  test('when no server listens', async () => {
    const result = await createAdapter()(`http://127.0.0.1:${await freePort()}`, 'msg_1')
    expect(result).toMatchObject({ ...NOT_SENT, error: { code: 'ECONNREFUSED' } })
  })

  test('when the name has no address', async () => {
    const dispatcher = new Agent({
      connect: {
        lookup: (_name, _options, callback) =>
          callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []),
      },
    })
    const result = await createAdapter({ dispatcher })('http://graph.example', 'msg_1')
    expect(result).toMatchObject({ ...NOT_SENT, error: { code: 'ENOTFOUND' } })
  })

  test('when the certificate is not trusted', async () => {
    let requests = 0
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }])
    const server = createTlsServer({ key, cert }, () => {
      requests += 1
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const result = await createAdapter()(`https://127.0.0.1:${port}`, 'msg_1')
    expect(result).toMatchObject(NOT_SENT)
    expect(requests).toBe(0)
  })

  test('when the send is aborted before it begins', async () => {
    const meta = await startSockets(() => {})
    const result = await createAdapter()(meta.url, 'msg_1', AbortSignal.abort())
    expect(result).toMatchObject({ ...NOT_SENT, error: { code: 'aborted' } })
    expect(meta.requests).toEqual([])
  })

  test('when the connection is made after the deadline', async () => {
    const meta = await startSockets((socket) => socket.write(rawAnswer(accepted('wamid.LATE'))))
    const waiting: { socket: Socket; connected: buildConnector.Callback }[] = []
    const slowly: buildConnector.connector = ({ port }, connected) => {
      waiting.push({ socket: connect(Number(port), '127.0.0.1'), connected })
    }
    const dispatcher = new Agent({ connect: slowly })
    const result = await createAdapter({ dispatcher, sendMs: 50 })(meta.url, 'msg_1')
    expect(result).toMatchObject({ ...NOT_SENT, error: { code: 'timeout' } })
    const [{ socket, connected }] = waiting as [(typeof waiting)[0]]
    connected(null, socket)
    await closed(socket)
    expect(meta.requests).toEqual([])
  })

  test('except for an invalid header, which is a wrong setting and not temporary', async () => {
    const meta = await startSockets(() => {})
    const connection = { ...connectionTo(meta.url), accessToken: 'two\nlines of secret' }
    const result = await sendMessage(openClient(), connection, TO, HELLO, { ourReference: 'msg_1' })
    expect(result).toMatchObject({ outcome: 'refused', error: { class: 'other' } })
    expect(JSON.stringify(result)).not.toContain('secret')
    expect(meta.requests).toEqual([])
  })
})

describe('A message is never sent twice automatically', () => {
  const acceptEach = () =>
    startSockets((socket, _, count) => socket.write(rawAnswer(accepted(`wamid.${count}`))))

  test('connections are kept for the next message', async () => {
    const meta = await acceptEach()
    const send = createAdapter()
    for (let index = 0; index < 20; index += 1) {
      expect(await send(meta.url, `msg_${index}`)).toMatchObject({ outcome: 'accepted' })
    }
    // The next message may come before the first connection is free again.
    expect(meta.connections.size).toBeLessThanOrEqual(2)
  })

  test('a kept connection that was closed meanwhile is replaced, and the message is sent once', async () => {
    const meta = await acceptEach()
    const send = createAdapter()
    await send(meta.url, 'msg_1')
    const [first] = meta.connections
    first!.end()
    await closed(first!)
    expect(await send(meta.url, 'msg_2')).toMatchObject({
      outcome: 'accepted',
      providerMessageId: 'wamid.2',
    })
    expect(referencesOf(meta.requests)).toEqual(['msg_1', 'msg_2'])
    expect(meta.connections.size).toBe(2)
  })

  test('a kept connection that fails during a send leaves the outcome unknown', async () => {
    const meta = await startSockets((socket, _, count) =>
      count === 1 ? socket.write(rawAnswer(accepted('wamid.1'))) : socket.resetAndDestroy(),
    )
    const send = createAdapter()
    await send(meta.url, 'msg_1')
    expect(await send(meta.url, 'msg_2')).toEqual({ outcome: 'unknown' })
    expect(referencesOf(meta.requests)).toEqual(['msg_1', 'msg_2'])
  })

  systemTest(
    'many concurrent messages whose connections are cut are sent at most once each',
    async () => {
      const meta = await startSockets((socket, _, count) =>
        count % 3 === 0
          ? socket.resetAndDestroy()
          : socket.write(rawAnswer(accepted(`wamid.${count}`))),
      )
      const send = createAdapter()
      const references = Array.from({ length: 120 }, (_, index) => `msg_${index}`)
      const results = await Promise.all(references.map((reference) => send(meta.url, reference)))
      const seen = referencesOf(meta.requests)
      expect(seen.toSorted()).toEqual(references.toSorted())
      expect(results.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(80)
      expect(results.filter(({ outcome }) => outcome === 'unknown')).toHaveLength(40)
    },
  )
})

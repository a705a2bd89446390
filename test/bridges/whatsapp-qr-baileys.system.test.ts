/** The bridge ends a socket of a fake Baileys, which handles one message after the other, as the real one does. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { copyBridge } from './played-baileys.ts'

type Keys = { get(): Promise<object>; set(data: object): Promise<void> }
type Upsert = { messages: { key: { id: string } }[] }
type Socket = {
  end(): Promise<void>
  start(): void
  send(id: string, to: string, content: object): Promise<void>
}
type Connect = (of: {
  state: { creds: object; keys: Keys }
  onUpdate(update: object): void
  onEvent(event: string, data: Upsert): void
}) => Promise<Socket>

/** A socket that decrypts a message, acknowledges it to WhatsApp and reports it, as Baileys does in one go. */
const BAILEYS = `
  export default ({ auth: { keys } }) => {
    let isOpen = true
    let turn = Promise.resolve()
    const told = {}
    const mutex = (work) => (turn = turn.then(work, work))
    const refused = () => { if (!isOpen) throw new Error('Connection Closed') }
    const played = globalThis.playedBaileys
    played.receive = (id) => void mutex(async () => {
      await keys.set({ session: { [id]: 'moved' } })
      await played.reads(id)
      refused()
      told['messages.upsert']({ type: 'append', messages: [{ key: { id } }] })
    })
    played.drop = () => {
      isOpen = false
      told['connection.update']({ connection: 'close' })
    }
    return {
      ev: { on: (event, listener) => void (told[event] = listener), flush() {} },
      user: undefined,
      ws: { removeAllListeners() {} },
      messageMutex: { mutex },
      async sendMessage(_to, _content, { messageId }) {
        await played.sends()
        refused()
        await keys.set({ session: { [messageId]: 'moved' } })
      },
      async end() {
        isOpen = false
        await played.closes()
      },
    }
  }
`
type Played = {
  receive(id: string): void
  drop(): void
  reads(id: string): Promise<void>
  sends(): Promise<void>
  closes(): Promise<void>
}

const folder = copyBridge(BAILEYS)
const url = pathToFileURL(join(folder, 'baileys.mjs')).href
const { connect } = (await import(/* @vite-ignore */ url)) as { connect: Connect }
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let played: Played
let told: string[]
let moved: string[]
let socket: Socket
beforeEach(async () => {
  const atOnce = () => Promise.resolve()
  played = { receive() {}, drop() {}, reads: atOnce, sends: atOnce, closes: atOnce }
  Object.assign(globalThis, { playedBaileys: played })
  told = []
  moved = []
  socket = await connect({
    state: {
      creds: {},
      keys: {
        get: () => Promise.resolve({}),
        set(data) {
          moved.push(...Object.values(data).flatMap((of: object) => Object.keys(of)))
          return Promise.resolve()
        },
      },
    },
    onUpdate() {},
    onEvent: (_event, { messages }) => void told.push(...messages.map(({ key }) => key.id)),
  })
  socket.start()
})
afterEach(() => Reflect.deleteProperty(globalThis, 'playedBaileys'))

test('A message being read as a connection ends is reported; later ones move no key and are sent again', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  played.reads = () => promise
  played.receive('A')
  const ended = socket.end()
  // Message B came before the connection was to end, and waits for A.
  played.receive('B')
  resolve()
  await ended
  played.receive('C')
  await socket.end()
  expect({ told, moved }).toEqual({ told: ['A'], moved: ['A'] })
})

test('A message over which WhatsApp closes the connection moves no key of the messages that wait', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  played.reads = () => promise
  played.receive('A')
  played.receive('B')
  await Promise.resolve()
  played.drop()
  resolve()
  await socket.end()
  expect(moved).toEqual(['A'])
})

test('A message being sent as a connection ends keeps the keys that it was sent with', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  played.sends = () => promise
  const sent = socket.send('S', 'someone', { text: 'hello' })
  const ended = socket.end()
  resolve()
  await Promise.all([sent, ended])
  expect(moved).toEqual(['S'])
})

test('A connection that is slow to read or close ends all the same, and moves no more keys', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  played.reads = () => promise
  played.closes = () => promise
  played.receive('A')
  await socket.end()
  played.receive('B')
  resolve()
  await socket.end()
  expect(moved).toEqual(['A'])
})

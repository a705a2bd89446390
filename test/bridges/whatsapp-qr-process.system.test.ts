/** The bridge as a separate process, with a fake Baileys. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { createBridgeClient } from '../../src/modules/channels/whatsapp-qr/bridge-client.ts'
import { readProviderJson } from '../../src/modules/channels/provider/read-values.ts'
import { copyBridge } from './played-baileys.ts'

const SECRET = 'a-secret-of-thirty-two-characters'
/**
 * A socket that leaves a rejected promise unhandled, as when the connection closes during a query of Baileys. It
 * reports two messages in one event, holds a third back until it is flushed, and is closed by WhatsApp.
 */
const BAILEYS = `
  const upsert = (...ids) => ({ type: 'notify', messages: ids.map((id) => ({ key: { id } })) })
  export default () => {
    void Promise.reject(new Error('Connection Closed'))
    const told = {}
    const ev = {
      on: (event, listener) => void (told[event] = listener),
      flush: () => told['messages.upsert'](upsert('held back')),
    }
    setTimeout(() => {
      told['messages.upsert'](upsert('one', 'other'))
      const error = { output: { statusCode: 440 } }
      told['connection.update']({ connection: 'close', lastDisconnect: { error } })
    }, 20)
    const messageMutex = { mutex: (work) => work() }
    return { ev, user: undefined, ws: { removeAllListeners() {} }, messageMutex, end() {} }
  }
`

/** Starts the copy of the bridge in a folder, where it listens on the socket `b.sock`. */
function spawnBridge(folder: string) {
  const socket = join(folder, 'b.sock')
  const url = `unix:${socket}`
  const env = { BRIDGE_SECRET: SECRET, BRIDGE_LISTEN: url }
  const child = spawn(process.execPath, ['main.mjs'], { cwd: folder, env })
  onTestFinished(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  return { child, url, socket }
}

const firstLine = (stream: NodeJS.ReadableStream) =>
  new Promise<string>((resolve) => createInterface({ input: stream }).once('line', resolve))

/** Starts a copy of the bridge. Returns the address that it prints, and its first error line. */
async function start() {
  const { child, url } = spawnBridge(copyBridge(BAILEYS))
  const [listens, wrong] = [firstLine(child.stdout), firstLine(child.stderr)]
  await listens
  return { address: { url, secret: SECRET }, wrong }
}

/** Opens a number and polls it for events over the bridge's protocol. */
async function ask(address: { url: string; secret: string }) {
  const bridge = createBridgeClient()
  onTestFinished(() => bridge.close())
  const answerOf = async (verb: string, json: object) => {
    const asked = await bridge.call(address, { path: ['numbers', 'n', verb], json })
    if (asked.outcome !== 'answered') throw new Error(asked.outcome)
    expect(asked.status).toBe(200)
    return readProviderJson(asked.bytes) as {
      session: string
      events: object[]
      link: { status: string }
    }
  }
  const { session } = await answerOf('open', {})
  await answerOf('events', { session })
  return {
    round: () => answerOf('events', { session }),
    health: () => bridge.call(address, { path: ['health'] }),
  }
}

test('the bridge goes on after an unhandled rejection in Baileys, and logs it', async () => {
  const { address, wrong } = await start()
  const { health } = await ask(address)
  expect(await wrong).toContain('Connection Closed')
  const healthy = await health()
  expect(healthy).toMatchObject({ outcome: 'answered', status: 200 })
  if (healthy.outcome === 'answered')
    expect(readProviderJson(healthy.bytes)).toMatchObject({ protocol: 1 })
})

test('the bridge reports each message separately, and flushes Baileys before a connection closes', async () => {
  const { address } = await start()
  const { round } = await ask(address)
  await expect.poll(async () => (await round()).link.status).toBe('replaced')
  const messageOf = (id: string) => ({
    event: 'messages.upsert',
    data: { type: 'notify', messages: [{ key: { id } }] },
  })
  expect((await round()).events).toEqual(['one', 'other', 'held back'].map(messageOf))
})

test('the bridge replaces the socket of an earlier process that was killed', async () => {
  const folder = copyBridge(BAILEYS)
  const killed = spawnBridge(folder)
  await firstLine(killed.child.stdout)
  killed.child.kill('SIGKILL')
  await once(killed.child, 'exit')
  const { child, socket } = spawnBridge(folder)
  expect(await firstLine(child.stdout)).toBe(`The bridge listens on ${socket}`)
})

test('the bridge does not start at the path of another file, which stays', async () => {
  const folder = copyBridge(BAILEYS)
  writeFileSync(join(folder, 'b.sock'), 'notes')
  const { child, socket } = spawnBridge(folder)
  const [code] = await once(child, 'exit')
  expect(code).not.toBe(0)
  expect(readFileSync(socket, 'utf8')).toBe('notes')
})

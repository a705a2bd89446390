/** The bridge as the process that somebody starts, with a Baileys that is played. */
import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { createBridge } from '../../src/channels/whatsapp-qr/bridge-client.ts'
import { readJson } from '../../src/channels/provider/read-values.ts'

const SECRET = 'a-secret-of-thirty-two-characters'
const FOLDER = fileURLToPath(new URL('../../bridges/whatsapp-qr/', import.meta.url))

/** A socket of which a promise is left to nobody, as where the connection closes under a query of its own. */
const BAILEYS = `
  export default () => {
    void Promise.reject(new Error('Connection Closed'))
    return { ev: { on() {}, flush() {} }, user: undefined, end() {} }
  }
  export const Browsers = { ubuntu: () => [] }
  export const BufferJSON = {}
  export const DisconnectReason = { connectionClosed: 428 }
  export const downloadContentFromMessage = () => {}
  export const initAuthCreds = () => ({})
  export const jidNormalizedUser = (jid) => jid
  export const proto = {}
`

let child: ChildProcess | null = null
let folder = ''
afterEach(() => {
  child?.kill()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts a copy of it, and gives the lines that it tells: what it is, and what goes wrong. */
async function start() {
  folder = mkdtempSync(join(tmpdir(), 'bridge-'))
  cpSync(FOLDER, folder, { recursive: true, filter: (path) => !path.includes('node_modules') })
  const baileys = join(folder, 'node_modules', 'baileys')
  mkdirSync(baileys, { recursive: true })
  writeFileSync(join(baileys, 'package.json'), '{"name":"baileys","type":"module","main":"i.js"}')
  writeFileSync(join(baileys, 'i.js'), BAILEYS)
  const url = `unix:${join(folder, 'b.sock')}`
  const env = { BRIDGE_SECRET: SECRET, BRIDGE_LISTEN: url }
  child = spawn(process.execPath, ['main.mjs'], { cwd: folder, env })
  const firstOf = (stream: NodeJS.ReadableStream) =>
    new Promise<string>((resolve) => createInterface({ input: stream }).once('line', resolve))
  const [listens, wrong] = [firstOf(child.stdout!), firstOf(child.stderr!)]
  await listens
  return { address: { url, secret: SECRET }, wrong }
}

test('goes on where Baileys leaves a promise to nobody, and says so', async () => {
  const { address, wrong } = await start()
  const bridge = createBridge()
  const opened = await bridge.ask(address, { path: ['numbers', 'n', 'open'], json: {} })
  expect(opened).toMatchObject({ outcome: 'answered', status: 200 })
  expect(await wrong).toContain('Connection Closed')
  const health = await bridge.ask(address, { path: ['health'] })
  expect(health).toMatchObject({ outcome: 'answered', status: 200 })
  if (health.outcome === 'answered') expect(readJson(health.bytes)).toMatchObject({ protocol: 1 })
  await bridge.close()
})

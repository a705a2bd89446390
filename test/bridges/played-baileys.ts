/** Copies the bridge, with a fake Baileys in place of the real package. */
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FOLDER } from './played-bridge.ts'

/** The exports of Baileys that the bridge imports besides the socket. */
const REST = `
  export const Browsers = { ubuntu: () => [] }
  export const BufferJSON = {}
  export const DisconnectReason = { connectionClosed: 428 }
  export const downloadContentFromMessage = () => {}
  export const initAuthCreds = () => ({})
  export const jidNormalizedUser = (jid) => jid
  export const proto = {}
`

/** Returns the folder of a copy. @param socket Source of the default export of Baileys, which makes a socket. */
export function copyBridge(socket: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'bridge-'))
  const isOurs = (path: string) => !path.includes('node_modules')
  cpSync(fileURLToPath(FOLDER), folder, { recursive: true, filter: isOurs })
  const baileys = join(folder, 'node_modules', 'baileys')
  mkdirSync(baileys, { recursive: true })
  writeFileSync(join(baileys, 'package.json'), '{"name":"baileys","type":"module","main":"i.js"}')
  writeFileSync(join(baileys, 'i.js'), socket + REST)
  return folder
}

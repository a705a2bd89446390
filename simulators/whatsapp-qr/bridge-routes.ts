/** The protocol of the bridge over HTTP, as docs/reference/qr-bridge.md describes it. */
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { SIMULATOR_LIMITS } from '../limits.ts'
import { readFields, readText } from '../json-fields.ts'
import { readJsonBytes, readRequest } from '../read-request.ts'
import { BridgeRefusal, type SimulatedBridge } from './bridge.ts'

const MAX_WAIT_MS = 60_000
const STATE_BYTES = 64 * 1_048_576

/** Creates the request handler that plays the bridge's HTTP protocol. */
export function createBridgeRoutes(
  bridge: SimulatedBridge,
  { secret, signal, isAway }: { secret: string; signal: AbortSignal; isAway(): boolean },
) {
  return async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): Promise<void> {
    if (isAway()) {
      request.socket.destroy()
      return
    }
    try {
      if (!isSecret(request.headers.authorization, secret)) {
        throw new BridgeRefusal(401, 'wrong_secret', 'Show the secret of the bridge')
      }
      const [, number, verb] = /^\/v1\/numbers\/([^/]+)\/([a-z]+)$/.exec(path) ?? []
      if (path === '/v1/health' && request.method === 'GET') {
        return writeJson(response, 200, { protocol: 1, bridge: 'Simulated bridge' })
      }
      if (number === undefined || request.method !== 'POST') {
        throw new BridgeRefusal(404, 'not_found', 'There is nothing here')
      }
      await answerVerb(request, response, decodeURIComponent(number), verb!)
    } catch (error) {
      if (!(error instanceof BridgeRefusal)) throw error
      const { status, code, message } = error
      writeJson(response, status, { error: { code, message } })
    }
  }

  async function answerVerb(
    request: IncomingMessage,
    response: ServerResponse,
    number: string,
    verb: string,
  ): Promise<void> {
    if (verb === 'uploads') {
      const bytes = await readRequest(request, SIMULATOR_LIMITS.uploadBytes)
      if (!bytes) throw new BridgeRefusal(413, 'too_large', 'This file is too large')
      const mimeType = request.headers['content-type'] ?? 'application/octet-stream'
      return writeJson(response, 200, bridge.upload(number, { bytes, mimeType }))
    }
    const bytes = await readRequest(request, STATE_BYTES)
    const asked = readFields(bytes && readJsonBytes(bytes))
    switch (verb) {
      case 'open':
        return writeJson(response, 200, bridge.open(number, textsOf(asked.state)))
      case 'events': {
        const session = bridge.sessionOf(number, readText(asked.session) ?? '')
        const waitMs = Math.min(Number(asked.waitMs) || 0, MAX_WAIT_MS)
        const left = new AbortController()
        response.on('close', () => left.abort())
        const either = AbortSignal.any([signal, left.signal])
        const round = await session.round(Number(asked.after) || 0, waitMs, either)
        // A later opener of the session has received everything.
        bridge.sessionOf(number, session.id)
        return writeJson(response, 200, round)
      }
      case 'messages':
        return send(bridge, response, number, asked)
      case 'media': {
        const found = bridge.media.get(readText(asked.mediaKey) ?? '')
        if (!found) throw new BridgeRefusal(410, 'gone', 'WhatsApp has it no more')
        if (found.length > Number(asked.mostBytes)) {
          throw new BridgeRefusal(413, 'too_large', 'This file is too large')
        }
        response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(found)
        return
      }
      case 'logout':
        bridge.logOut(number)
        return writeJson(response, 200, {})
      default:
        throw new BridgeRefusal(404, 'not_found', 'There is nothing here')
    }
  }
}

function send(
  bridge: SimulatedBridge,
  response: ServerResponse,
  number: string,
  asked: Record<string, unknown>,
): void {
  const to = readFields(asked.to)
  const id = readText(asked.id)
  const media = readFields(asked.media)
  const upload = readText(media.upload)
  const address = readText(to.number) ?? readText(to.lid)
  const text = readText(asked.text) ?? readText(media.caption)
  if (id === null || address === null || (text === null && upload === null)) {
    throw new BridgeRefusal(400, 'bad_request', 'id, to and text or media are needed')
  }
  const kind = readText(media.kind) ?? 'document'
  const from = readText(asked.from)
  const became = bridge.send(number, { id, from, to: address, text: text ?? '', upload, kind })
  // No client gets the answer, as if the bridge died after sending.
  if (became === 'hang') response.destroy()
  else writeJson(response, 200, { id })
}

function textsOf(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(readFields(value)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
}

function isSecret(authorization: string | undefined, secret: string): boolean {
  const [given, wanted] = [Buffer.from(authorization ?? ''), Buffer.from(`Bearer ${secret}`)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

function writeJson(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-simulator': '1' })
  response.end(JSON.stringify(json))
}

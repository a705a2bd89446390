import type { IncomingMessage } from 'node:http'
import { TELEGRAM_SIMULATOR_LIMITS } from './limits.ts'
import { readJsonBytes, readRequest } from '../read-request.ts'
import { BotApiError, badRequest } from './bot-api-error.ts'

/** The parameters of a call of the Bot API. */
export type CallParameters = {
  /**
   * Returns a parameter, or undefined if it is missing. A value that looks like JSON is parsed, in whatever form it
   * was sent.
   */
  get(name: string): unknown
  text(name: string): string | undefined
  number(name: string): number | undefined
  /** Returns an uploaded file by its field. */
  file(name: string): { bytes: Buffer; mimeType: string; name: string } | undefined
}

type Given = Map<string, unknown>

/**
 * Reads the parameters of a call from its query, form or JSON.
 * @throws BotApiError
 */
export async function readCall(request: IncomingMessage, url: URL): Promise<CallParameters> {
  const given: Given = new Map(url.searchParams)
  const bytes = await readRequest(request, TELEGRAM_SIMULATOR_LIMITS.requestBytes)
  if (bytes === null) throw new BotApiError(413, 'Request Entity Too Large')
  const type = request.headers['content-type'] ?? ''
  if (bytes.length > 0) {
    if (type.startsWith('application/json')) addJson(given, bytes)
    else await addForm(given, bytes, type)
  }
  const files = new Map<string, { bytes: Buffer; mimeType: string; name: string }>()
  for (const [name, value] of given) {
    if (!(value instanceof File)) continue
    const mimeType = value.type.split(';', 1)[0]!
    files.set(name, { bytes: Buffer.from(await value.arrayBuffer()), mimeType, name: value.name })
    given.delete(name)
  }
  const get = (name: string) => {
    const value = given.get(name)
    if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
    return readJsonBytes(Buffer.from(value)) ?? value
  }
  return {
    get,
    text(name) {
      const value = given.get(name)
      return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
    },
    number(name) {
      const value = given.get(name)
      const number = value === undefined || value === '' ? Number.NaN : Number(value)
      return Number.isFinite(number) ? number : undefined
    },
    file(name) {
      // A value may refer to another part of the form.
      const value = given.get(name)
      const named = typeof value === 'string' ? /^attach:\/\/(.+)$/.exec(value)?.[1] : undefined
      return files.get(named ?? name)
    },
  }
}

function addJson(given: Given, bytes: Buffer): void {
  const json = readJsonBytes(bytes)
  if (typeof json !== 'object' || json === null) throw badRequest("can't parse JSON")
  for (const [name, value] of Object.entries(json)) if (value !== null) given.set(name, value)
}

async function addForm(given: Given, bytes: Buffer, type: string): Promise<void> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
    .formData()
    .catch(() => null)
  if (!form) throw badRequest("can't parse the form")
  for (const [name, value] of form) given.set(name, value)
}

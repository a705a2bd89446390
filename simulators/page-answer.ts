import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { SECOND_MS } from './time.ts'
import { SIMULATOR_LIMITS } from './limits.ts'
import { readJsonBytes, readRequest } from './read-request.ts'

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-simulator': '1',
}

/** A file of the page, with its media type. */
export type PageFile = { content: Buffer; type: string }

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
}

/** Reads a file of the simulator's page. */
export function readPageFile(name: string): PageFile {
  const content = readFileSync(join(import.meta.dirname, 'page', name))
  return { content, type: TYPES[name.split('.').at(-1)!]! }
}

/** Answers with a file of the simulator's page. */
export function writeFile(response: ServerResponse, { content, type }: PageFile): void {
  response.writeHead(200, { ...HEADERS, 'content-type': type })
  response.end(content)
}

/** Answers with JSON. */
export function writeJson(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { ...HEADERS, 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(json))
}

/**
 * Answers a request of the simulator's page that performs an action. `read` parses it or returns the reason why it is
 * invalid. `act` executes it and may throw an error for the page to show.
 */
export async function answerAction<Action extends object>(
  request: IncomingMessage,
  response: ServerResponse,
  read: (body: unknown) => Action | string,
  act: (action: Action) => unknown,
): Promise<void> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    writeJson(response, 415, { error: 'Only application/json is read here' })
    return
  }
  const bytes = await readRequest(request, SIMULATOR_LIMITS.requestBytes)
  const action = read(bytes === null ? undefined : readJsonBytes(bytes))
  if (typeof action === 'string') {
    response.setHeader('connection', 'close')
    writeJson(response, 400, { error: action })
    return
  }
  try {
    writeJson(response, 200, act(action) ?? {})
  } catch (error) {
    writeJson(response, 409, { error: error instanceof Error ? error.message : 'Not possible' })
  }
}

const BEAT_MS = 20 * SECOND_MS
const CHANGE = 'event: change\ndata: {}\n\n'

/** Creates a stream of notifications for open pages about changes. */
export function createChangeNotifier() {
  const readers = new Set<ServerResponse>()
  const beat = setInterval(() => send(': still here\n\n'), BEAT_MS)
  beat.unref()

  function send(text: string): void {
    for (const reader of readers) {
      // A page with an unread notification will refresh anyway.
      if (!reader.writableNeedDrain) reader.write(text)
    }
  }

  return {
    notifyChange: () => send(CHANGE),
    listen(response: ServerResponse): void {
      if (readers.size >= SIMULATOR_LIMITS.pages) {
        writeJson(response, 503, { error: 'Too many pages are open' })
        return
      }
      response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' })
      response.write(CHANGE)
      readers.add(response)
      response.on('close', () => readers.delete(response))
    },
    stop(): void {
      clearInterval(beat)
      for (const reader of readers) reader.end()
    },
  }
}

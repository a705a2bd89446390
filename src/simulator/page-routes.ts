import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import { SECOND_MS } from '../limits/units.ts'
import { SIMULATOR_LIMITS } from './limits.ts'
import type { Numbers } from './business-number.ts'
import type { CustomerActions } from './customer-actions.ts'
import type { Ledger } from './ledger.ts'
import { isOwnPage } from './loopback.ts'
import { viewChat, viewPhones } from './page-view.ts'
import { doAction, readAction } from './read-action.ts'
import { readJsonBytes, readRequest } from './read-request.ts'
import type { StatusLadder } from './status-ladder.ts'

const FILES = [
  ['/simulator', 'index.html', 'text/html; charset=utf-8'],
  ['/simulator/page.css', 'page.css', 'text/css; charset=utf-8'],
  ['/simulator/chat.css', 'chat.css', 'text/css; charset=utf-8'],
  ['/simulator/page.js', 'page.js', 'text/javascript; charset=utf-8'],
] as const

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-simulator': '1',
}

const BEAT_MS = 20 * SECOND_MS

/**
 * The phone page at `/simulator`, and the API it uses below `/simulator/api/`, which nobody but the
 * page itself and programs of this machine may use.
 */
export function createPage(options: {
  ledger: Ledger
  numbers: Numbers
  clock: Clock
  actions: CustomerActions
  ladder: StatusLadder
  /** Customers answer by themselves, where nobody answers for them. */
  canAnswerAlone: boolean
}) {
  const { ledger, numbers, clock, actions, ladder, canAnswerAlone } = options
  const { book } = ledger
  const files = new Map<string, { content: Buffer; type: string }>(
    FILES.map(([path, name, type]) => {
      const content = readFileSync(join(import.meta.dirname, 'page', name))
      return [path, { content, type }]
    }),
  )
  const readers = new Set<ServerResponse>()
  const beat = setInterval(() => tell(': still here\n\n'), BEAT_MS)
  beat.unref()

  function tell(text: string): void {
    for (const reader of readers) {
      // A page that has not read the last news will look again anyway.
      if (!reader.writableNeedDrain) {
        reader.write(text)
      }
    }
  }

  const stopListening = ledger.onCommit((entries) => {
    const hasNews = entries.some(({ kind }) => kind !== 'template')
    if (hasNews) {
      tell('event: change\ndata: {}\n\n')
    }
  })

  function listen(response: ServerResponse): void {
    if (readers.size >= SIMULATOR_LIMITS.pages) {
      writeJson(response, 503, { error: 'Too many pages are open' })
      return
    }
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' })
    response.write('event: change\ndata: {}\n\n')
    readers.add(response)
    response.on('close', () => readers.delete(response))
  }

  async function act(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
    if (type !== 'application/json') {
      writeJson(response, 415, { error: 'Only application/json is read here' })
      return
    }
    const bytes = await readRequest(request, SIMULATOR_LIMITS.requestBytes)
    const action = readAction(bytes === null ? undefined : readJsonBytes(bytes))
    if (typeof action === 'string') {
      response.setHeader('connection', 'close')
      writeJson(response, 400, { error: action })
      return
    }
    try {
      writeJson(response, 200, doAction(action, actions, ladder))
    } catch (error) {
      writeJson(response, 409, { error: error instanceof Error ? error.message : 'Not possible' })
    }
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ): Promise<void> {
    const { host, origin } = request.headers
    if (!isOwnPage({ ...(host ? { host } : {}), ...(origin ? { origin } : {}) })) {
      writeJson(response, 403, { error: 'Only the page of this simulator may do that' })
      return
    }
    const query = url.searchParams
    const path = `${request.method} ${url.pathname.replace(/\/$/, '')}`
    const file = files.get(url.pathname.replace(/\/$/, ''))
    if (request.method === 'GET' && file) {
      response.writeHead(200, { ...HEADERS, 'content-type': file.type })
      response.end(file.content)
    } else if (path === 'GET /simulator/api/phones') {
      const phones = viewPhones(book, numbers, query.get('phoneNumberId'))
      writeJson(response, 200, { ...phones, canAnswerAlone })
    } else if (path === 'GET /simulator/api/chat') {
      const [id, customer] = [query.get('phoneNumberId') ?? '', query.get('customer') ?? '']
      writeJson(response, 200, viewChat(book, id, customer, clock.now().getTime()))
    } else if (path === 'GET /simulator/api/changes') {
      listen(response)
    } else if (path === 'POST /simulator/api/actions') {
      await act(request, response)
    } else {
      writeJson(response, 404, { error: 'There is nothing here' })
    }
  }

  return {
    answer,
    stop(): void {
      clearInterval(beat)
      stopListening()
      for (const reader of readers) {
        reader.end()
      }
    },
  }
}

function writeJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { ...HEADERS, 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(value))
}

/**
 * A scripted model on loopback: `/v1/chat/completions`, whole and in pieces, `/v1/messages`, and
 * `/v1/audio/transcriptions`. It answers by turns, of all requests or of those that hold a text, and keeps
 * what it was sent.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { listenLocally } from './local-server.ts'
import { say, toCompletion, toEvents, toMessage, type Turn } from './model-turns.ts'

const HEARING = '/v1/audio/transcriptions'

export type AskedOfModel = {
  path: string
  headers: IncomingMessage['headers']
  /** The raw request, headers and body: tests search it for what it must not contain. */
  wire: string
  body: {
    model: string
    messages: { role: string; content: unknown; tool_calls?: object[] }[]
    system?: unknown
    tools?: object[]
    tool_choice?: unknown
    stream?: boolean
  }
}

/** A recording that the server received. */
type HeardByModel = {
  headers: IncomingMessage['headers']
  /** Fields of the form, and its file as Latin-1. */
  form: { model?: string; response_format?: string; file?: string; fileName?: string }
}

/** `tls`: over https with this key and certificate. */
export async function startModelServer({ tls }: { tls?: { key: string; cert: string } } = {}) {
  const queue: Turn[] = []
  const toHear: Turn[] = []
  const queues: { text: string; turns: Turn[] }[] = []
  let writtenByGone = 0
  let held = Promise.resolve()
  const stopping = new AbortController()
  const server = {
    /** The URL ends with `/v1`, without a slash. */
    baseUrl: '',
    /** Runs when a request has arrived whose response never ends. */
    whenHanging: () => {},
    asked: [] as AskedOfModel[],
    /** Recordings that it was to write down. */
    heard: [] as HeardByModel[],
    /** Writes the next recordings down so, in this order; where there is none left, as `say('Hello.')`. */
    scriptHeard: (...turns: Turn[]) => void toHear.push(...turns),
    /** Makes requests wait for their response until the function that it returns is called. */
    hold() {
      let release = () => {}
      held = new Promise((resolve) => (release = resolve))
      return release
    },
    /** The response when no script has a turn left. */
    otherwise: say('Hello.') as Turn | ((asked: AskedOfModel) => Turn),
    /** Answers the next requests so, in this order. */
    script: (...turns: Turn[]) => void queue.push(...turns),
    /** The same for requests whose body holds the text: a conversation's own script. */
    scriptFor: (text: string, ...turns: Turn[]) => void queues.push({ text, turns }),
    /** Bytes that were written to its sockets, of all answers. */
    bytesWritten: () =>
      [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, writtenByGone),
    openSockets: () => sockets.size,
    async close() {
      stopping.abort()
      await close()
    },
  }
  const nextTurn = (asked: AskedOfModel): Turn => {
    const own = queues.find(({ text, turns }) => turns.length > 0 && asked.wire.includes(text))
    const turn = own ? own.turns.shift() : queue.shift()
    if (turn) return turn
    return typeof server.otherwise === 'function' ? server.otherwise(asked) : server.otherwise
  }
  const answering = (number: number): Answering => ({
    number,
    signal: stopping.signal,
    isTls: tls !== undefined,
    whenHanging: () => server.whenHanging(),
  })
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    void readAsked(request).then((asked) => {
      if (asked.path === HEARING) {
        server.heard.push({ headers: asked.headers, form: readForm(asked) })
        const heard = () => toHear.shift() ?? say('Hello.')
        return void held.then(() => answer(response, asked, heard(), answering(0)))
      }
      const number = server.asked.push(asked)
      const turn = nextTurn(asked)
      void held.then(() => answer(response, asked, turn, answering(number)))
    })
  }
  const http = tls ? createTlsServer(tls, onRequest) : createServer(onRequest)
  http.on('connection', (socket: Socket) => {
    socket.on('close', () => (writtenByGone += socket.bytesWritten))
  })
  const { port, sockets, close } = await listenLocally(http)
  server.baseUrl = `${tls ? 'https' : 'http'}://127.0.0.1:${port}/v1`
  return server
}

export type ModelServer = Awaited<ReturnType<typeof startModelServer>>

async function readAsked(request: IncomingMessage): Promise<AskedOfModel> {
  const isForm = request.headers['content-type']?.startsWith('multipart/') === true
  const text = (await buffer(request)).toString(isForm ? 'latin1' : 'utf8')
  const { url = '', headers, rawHeaders } = request
  const wire = `${url}\n${rawHeaders.join('\n')}\n${text}`
  const body = JSON.parse(isForm ? '{}' : text || '{}') as AskedOfModel['body']
  return { path: url, headers, wire, body }
}

function readForm({ headers, wire }: AskedOfModel): HeardByModel['form'] {
  const boundary = /boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1] ?? ''
  const form: Record<string, string> = {}
  for (const part of wire.split(`--${boundary}`).slice(1, -1)) {
    const [head = '', ...rest] = part.split('\r\n\r\n')
    const name = / name="([^"]+)"/.exec(head)?.[1] ?? ''
    form[name] = rest.join('\r\n\r\n').slice(0, -2)
    const fileName = /filename="([^"]+)"/.exec(head)?.[1]
    if (fileName !== undefined) form['fileName'] = fileName
  }
  return form
}

type Answering = {
  number: number
  signal: AbortSignal
  isTls: boolean
  whenHanging: () => void
}

function answer(
  response: ServerResponse,
  asked: AskedOfModel,
  turn: Turn,
  { number, signal, isTls, whenHanging }: Answering,
): void {
  response.on('error', () => undefined)
  switch (turn.kind) {
    case 'hang':
      return whenHanging()
    case 'reset':
      // A socket of TLS cannot be reset, only left.
      if (isTls) response.socket?.destroy()
      else response.socket?.resetAndDestroy()
      return
    case 'drip':
      response.writeHead(200, { 'content-type': 'application/json' })
      dripInto(response, signal)
      return whenHanging()
    case 'large':
      response.writeHead(200, {
        'content-type': 'application/json',
        ...(turn.isSized && { 'content-length': String(turn.bytes) }),
      })
      pour(response, turn.bytes)
      return
    case 'raw':
      response.writeHead(turn.status, turn.headers)
      response.end(turn.body === 'ECHO' ? echoOf(asked) : turn.body)
      return
    case 'answer':
      return answerWith(response, asked, turn, number)
  }
}

function answerWith(
  response: ServerResponse,
  { path, body }: AskedOfModel,
  turn: Extract<Turn, { kind: 'answer' }>,
  number: number,
): void {
  if (path === '/v1/chat/completions' && body.stream === true) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(toEvents(turn, number))
    return
  }
  const answers: Record<string, () => object> = {
    [HEARING]: () => ({ text: turn.text }),
    '/v1/messages': () => toMessage(turn, number),
    '/v1/chat/completions': () => toCompletion(turn, number),
  }
  const json = answers[path]?.()
  response.writeHead(json ? 200 : 404, { 'content-type': 'application/json' })
  response.end(JSON.stringify(json ?? { error: { message: 'no such path' } }))
}

/** Returns an error that contains the key and the whole prompt. */
const echoOf = ({ headers, wire }: AskedOfModel): string =>
  JSON.stringify({
    error: {
      type: 'error',
      message: `refused ${headers.authorization ?? ''} ${String(headers['x-api-key'] ?? '')}: ${wire}`,
    },
  })

const DRIP_EVERY_MS = 20

function dripInto(response: ServerResponse, signal: AbortSignal): void {
  const timer = setInterval(() => response.write(' '), DRIP_EVERY_MS)
  const end = () => clearInterval(timer)
  response.on('close', end)
  signal.addEventListener('abort', end, { once: true })
}

const POURED = Buffer.alloc(65_536, ' ')

function pour(response: ServerResponse, bytes: number): void {
  let left = bytes
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= POURED.length
      if (!response.write(POURED)) return void response.once('drain', more)
    }
    response.end()
  }
  more()
}

/**
 * A line to a provider on which what a test says goes wrong with the next message that is sent over it:
 * answered by somebody else, not answered, or cut once the provider has taken it. All else passes.
 */
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { serveLocally } from './local-server.ts'

export type Answer = { status: number; headers?: Record<string, string>; body: string }

export type LineFault =
  /** In the place of the provider, who hears nothing of it. */
  | { kind: 'answer'; answer: Answer }
  /** Nobody answers, and the provider hears nothing. The test is told that the message has come here. */
  | { kind: 'hang'; whenHanging: () => void }
  /** The provider has taken it; its answer is lost. */
  | { kind: 'cut' }
  /** The provider has taken it; its answer comes so much later. */
  | { kind: 'slow'; ms: number }

/** What a message is sent to, of any provider that we know. */
const IS_SEND = /\/(?:messages|sendMessage)$/

/**
 * @param target the provider's base URL, whose path the line has too
 * @param afflicted the paths on which things go wrong
 */
export async function startFaultLine(target: string, afflicted = IS_SEND) {
  const { origin, pathname } = new URL(target)
  let coming: LineFault | null = null
  let lasting: LineFault | null = null
  let sends = 0

  const { url, close } = await serveLocally((request, response, body) => {
    const isSend = request.method === 'POST' && afflicted.test(request.url!.split('?')[0]!)
    const fault = isSend ? (coming ?? lasting) : null
    if (isSend) {
      sends += 1
      coming = null
    }
    if (fault?.kind === 'hang') return fault.whenHanging()
    if (fault?.kind === 'answer') return write(response, fault.answer)
    pass(request, body, response, fault)
  })

  function pass(
    request: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
    fault: LineFault | null,
  ): void {
    const { method, headers } = request
    const on = ask(`${origin}${request.url}`, { method, headers }, (answer) => {
      if (fault?.kind === 'cut') {
        answer.resume().on('end', () => response.destroy())
        return
      }
      const tell = () => answer.pipe(response.writeHead(answer.statusCode!, answer.headers))
      if (fault?.kind === 'slow') setTimeout(tell, fault.ms)
      else tell()
    })
    on.on('error', () => response.destroy())
    response.on('close', () => on.destroy())
    on.end(body)
  }

  return {
    url: `${url}${pathname}`.replace(/\/$/, ''),
    /** Of the next message alone. */
    next(fault: LineFault) {
      coming = fault
    },
    /** Of every message from now on; null ends it. */
    always(fault: LineFault | null) {
      lasting = fault
    },
    /** Messages, or what else is afflicted, that came here, however they went on. */
    sends: () => sends,
    close,
  }
}

export type FaultLine = Awaited<ReturnType<typeof startFaultLine>>

function write(response: ServerResponse, { status, headers = {}, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body)
}

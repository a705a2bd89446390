/**
 * A connection to a provider on which a test chooses the fault of the next message. The message is answered by
 * the proxy, is not answered, or loses its connection once the provider has accepted it. Everything else
 * passes.
 */
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { serveLocally } from './local-server.ts'

export type Answer = { status: number; headers?: Record<string, string>; body: string }

export type LineFault =
  /** The proxy answers in place of the provider, which receives nothing. */
  | { kind: 'answer'; answer: Answer }
  /**
   * The message gets no response, and the provider does not receive it. The test is notified that it has
   * arrived here.
   */
  | { kind: 'hang'; whenHanging: () => void }
  /** The provider has accepted it; its response is lost. */
  | { kind: 'cut' }
  /** The provider has accepted it; its response is delayed by this time. */
  | { kind: 'slow'; ms: number }

/** The paths to which messages are sent, of every provider that the service knows. */
const IS_SEND = /\/(?:messages|sendMessage)$/

/**
 * @param target the provider's base URL, whose path the proxy has too
 * @param afflicted the paths on which faults happen
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
    /** Sets the fault of the next message alone. */
    next(fault: LineFault) {
      coming = fault
    },
    /** Sets the fault of every message from now on; null ends it. */
    always(fault: LineFault | null) {
      lasting = fault
    },
    /** Returns how many messages, or requests to the afflicted paths, arrived here, with or without a fault. */
    sends: () => sends,
    close,
  }
}

export type FaultLine = Awaited<ReturnType<typeof startFaultLine>>

function write(response: ServerResponse, { status, headers = {}, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body)
}

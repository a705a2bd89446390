/**
 * Responses to requests that the HTTP parser refuses or that time out. On hook URLs they have the three fields of
 * every hook response, also where the address was not known yet.
 */
import { maxHeaderSize, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { HookResponse } from '../contract/hook-response.ts'
import { fact } from '../core/facts/fact.ts'
import { refusalResponse } from '../modules/hooks/check-request.ts'
import { HOOK_LIMITS } from '../core/limits/hooks.ts'
import { HOOKS_PREFIX } from './hook-handler.ts'

const REASONS = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
}
type Status = keyof typeof REASONS

const STATUS_OF: Partial<Record<string, Status>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** The request in progress on each connection. */
const inProgress = new WeakMap<Socket, IncomingMessage>()

/** Remembers the request in progress on a connection, for an error that follows. */
export function noteRequest(request: IncomingMessage): void {
  inProgress.set(request.socket, request)
}

/** Ends a connection whose request failed in the parser, with a response unless one has begun. */
export function refuseUnparsed(
  error: Error & { code?: string; rawPacket?: Buffer; bytesParsed?: number },
  socket: Socket,
): void {
  const { _httpMessage: response } = socket as { _httpMessage?: { headersSent: boolean } }
  if (!socket.writable || error.code === 'ECONNRESET' || response?.headersSent) {
    socket.destroy()
    return
  }
  endUnanswered(socket, STATUS_OF[error.code ?? ''] ?? 400, pathOfUnparsed(error, socket))
}

/**
 * Sends a response with this status on a connection that no request handler will answer, and ends the connection. `path`
 * is null when it is unknown.
 */
export function endUnanswered(socket: Socket, status: Status, path: string | null): void {
  const isHook = path === null || path === HOOKS_PREFIX || path.startsWith(`${HOOKS_PREFIX}/`)
  const body = isHook ? JSON.stringify(hookAnswer(status)) : ''
  const type = isHook ? 'Content-Type: application/json; charset=utf-8\r\n' : ''
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status]}\r\n${type}Content-Length: ${Buffer.byteLength(body)}\r\n` +
      `Cache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  )
  socket.destroySoon()
}

function hookAnswer(status: Status): HookResponse {
  switch (status) {
    case 400:
      return refusalResponse('invalid_request', fact('hook_not_http'))
    case 408:
      return refusalResponse(
        'request_timeout',
        fact('hook_too_slow', { seconds: HOOK_LIMITS.requestMs / 1_000 }),
      )
    case 413:
      return refusalResponse(
        'payload_too_large',
        fact('hook_body_too_large', { max: HOOK_LIMITS.bodyBytes }),
      )
    case 431:
      return refusalResponse('invalid_request', fact('hook_head_too_large', { max: maxHeaderSize }))
  }
}

/** Returns the path of a request's URL, without its query. */
export const pathOf = (url = '') => url.split('?', 1)[0]!

/** Returns the path of an unparsed head from its first line, and that of a body from its request. */
function pathOfUnparsed({ rawPacket }: { rawPacket?: Buffer }, socket: Socket): string | null {
  const line = rawPacket?.toString('latin1', 0, 2_048) ?? ''
  const target = /^[A-Z-]{2,20} (?:[a-z]+:\/\/[^/\s]*)?(\/[^\s?#]*)/i.exec(line)?.[1]
  if (target !== undefined) return target
  const request = inProgress.get(socket)
  return request && !request.complete ? pathOf(request.url) : null
}

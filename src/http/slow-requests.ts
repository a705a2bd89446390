import type { IncomingMessage, ServerResponse } from 'node:http'
import { endUnanswered, pathOf } from './unparsed-requests.ts'
import { FILE_LIMITS } from '../core/limits/files.ts'
import { HOOK_LIMITS } from '../core/limits/hooks.ts'

/** Node has one limit for the requests of a server: the longest, which only an upload may take. */
export const LONGEST_REQUEST_MS = FILE_LIMITS.uploadRequestMs

/** Files of members: to send, of what the assistant knows, and lists of contacts; and those of visitors. */
const UPLOAD =
  /^(?:\/api\/companies\/[^/?]+\/(?:files|knowledge\/files|contact-imports)|\/widget\/v1\/uploads)(?:\?|$)/

/**
 * Ends a request that has not come whole in its time, which is long only for the upload of a file: that one is held
 * to a least number of bytes a second where it is read. Spec: reading H7.
 */
export function endWhenSlow(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return
  if (request.method === 'POST' && UPLOAD.test(request.url ?? '')) return
  const timer = setTimeout(() => {
    if (request.complete) return
    if (response.headersSent) request.socket.destroy()
    else endUnanswered(request.socket, 408, pathOf(request.url))
  }, HOOK_LIMITS.requestMs)
  request.once('close', () => clearTimeout(timer))
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { endUnanswered, pathOf } from './unparsed-requests.ts'
import { FILE_LIMITS } from '../core/limits/files.ts'
import { HOOK_LIMITS } from '../core/limits/hooks.ts'

/**
 * The longest time in which a request may arrive: Node has one limit for all requests, and uploads take longest.
 */
export const LONGEST_REQUEST_MS = FILE_LIMITS.uploadRequestMs

/** The routes of uploads: files of members (to send, or as knowledge), lists of contacts, and files of visitors. */
const UPLOAD =
  /^(?:\/api\/companies\/[^/?]+\/(?:files|knowledge\/files|contact-imports)|\/widget\/v1\/uploads)(?:\?|$)/

/**
 * Ends a request that is not complete in time. Uploads are exempt here: their reader requires a minimum rate instead.
 *
 * Spec: reading H7.
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

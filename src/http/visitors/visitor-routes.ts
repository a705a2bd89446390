/**
 * The routes of a visitor's page, which authenticates by a token: their conversation, their files, a ticket for their
 * stream.
 */
import { mediaTypeOf } from '../media-type.ts'

import { Hono } from 'hono'
import { OpenSession, SendVisitorMessage } from '../../contract/visitor.ts'
import { fact } from '../../core/facts/fact.ts'
import type { FileStore } from '../../modules/files/file-store.ts'
import { createTimeSlicer } from '../../modules/inbound/time-slicer.ts'
import { BODY_LIMITS } from '../../core/limits/http.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/limits/units.ts'
import { STREAM_LIMITS, VISITOR_LIMITS } from '../../core/limits/visitors.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'
import { ServiceError } from '../../core/service-error.ts'
import { readMessagePage } from '../../modules/visitors/visitor-messages.sql.ts'
import { openSession } from '../../modules/visitors/open-session.ts'
import {
  sendVisitorMessage,
  type IngestMessage,
} from '../../modules/visitors/send-visitor-message.ts'
import { loadSite, type Site } from '../../modules/visitors/site.ts'
import { issueTicket } from '../../modules/visitors/tickets.ts'
import { storeUpload, loadVisitorFile } from '../../modules/visitors/uploads.ts'
import { findVisitor, keyOfToken } from '../../modules/visitors/visitor.ts'
import { createAddressLimit } from '../ip-rate-limiter.ts'
import { createBodyBudget } from '../body-memory-budget.ts'
import type { HttpDeps } from '../http-deps.ts'
import { openStoredFile } from '../open-stored-file.ts'
import { parseInput } from '../parse-input.ts'
import { readBytes, parseJsonBody, type VisitorContext, type VisitorEnv } from './visitor-env.ts'
import { readUuid } from '../../rules/text/uuid.ts'

/** Creates the API routes of a widget's visitor: conversation, uploads and the ticket for a stream. */
export function createVisitorRoutes(deps: HttpDeps, ingest: IngestMessage): Hono<VisitorEnv> {
  const { db, clock } = deps
  const app = new Hono<VisitorEnv>()
  const budget = createBodyBudget(VISITOR_LIMITS.budgetBytes, { keepsForKnown: false })
  const uploadBudget = createBodyBudget(BODY_LIMITS.fileBudgetBytes, { keepsForKnown: false })
  const slicer = createTimeSlicer()
  const said = createAddressLimit(VISITOR_LIMITS.messagesPerAddressPerMinute)
  const saidBy = createAddressLimit(VISITOR_LIMITS.messagesPerVisitorPerMinute)
  const begun = createAddressLimit(VISITOR_LIMITS.talksPerAddressPerHour, HOUR_MS)
  const uploaded = createAddressLimit(VISITOR_LIMITS.uploadsPerAddressPerHour, HOUR_MS)
  const uploadedParts = createAddressLimit(
    VISITOR_LIMITS.uploadedBytesOfAddressPerDay / VISITOR_LIMITS.uploadedBytesCountedBy,
    DAY_MS,
    'pool',
  )

  /** Returns the widget and the token of the visitor. @throws not_signed_in */
  async function readCaller(c: VisitorContext): Promise<{ site: Site; token: string }> {
    const [, token = ''] = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '') ?? []
    const key = keyOfToken(token)
    if (key === null) throw new ServiceError('not_signed_in', fact('visitor_token_needed'))
    return { site: await loadSite(db.kysely, 'web_widget', key), token }
  }

  function admit(limit: typeof said, name: string): void {
    if (limit.admit(name, clock.now())) return
    throw new ServiceError('rate_limited', fact('too_many_requests'), { retryAfterMs: MINUTE_MS })
  }

  app.post('/sessions', async (c) => {
    const input = parseInput(OpenSession, await readInput(c))
    const site = await loadSite(db.kysely, 'web_widget', input.widgetKey)
    return c.json(await openSession(deps, site, input.visitorToken ?? null))
  })
  app.post('/messages', async (c) => {
    admit(said, c.var.address)
    const input = parseInput(SendVisitorMessage, await readInput(c))
    const { site, token } = await readCaller(c)
    admit(saidBy, tokenHash(token).toString('base64url'))
    const mayBegin = () => begun.admit(c.var.address, clock.now())
    return c.json(await sendVisitorMessage({ ...deps, ingest, mayBegin }, site, token, input), 202)
  })
  app.get('/messages', async (c) => {
    const { site, token } = await readCaller(c)
    const visitor = await findVisitor(db.kysely, site, token)
    const given = c.req.query('before') ?? ''
    const before = MESSAGE_ID.test(given) ? given : null
    const { messages, hasMore } = visitor?.conversationId
      ? await readMessagePage(db.kysely, { conversationId: visitor.conversationId, before })
      : { messages: [], hasMore: false }
    return c.json({ messages: messages.map(({ message }) => message), hasMore })
  })
  app.post('/uploads', async (c) => {
    admit(uploaded, c.var.address)
    if (mediaTypeOf(c) !== 'application/octet-stream') {
      throw new ServiceError('unsupported_media_type', fact('file_body_type'))
    }
    const { site, token } = await readCaller(c)
    const limits = { limit: VISITOR_LIMITS.uploadBytes, budget: uploadBudget, slicer }
    const bytes = await readBytes(c, limits)
    const parts = Math.ceil(bytes.length / VISITOR_LIMITS.uploadedBytesCountedBy)
    const now = clock.now()
    if (!uploadedParts.admit(c.var.address, now, parts)) {
      throw new ServiceError('limit_reached', fact('visitor_uploads_full'))
    }
    const upload = { token, name: c.req.query('name'), bytes }
    const kept = await storeUpload(deps, site, upload).catch((error: unknown) => {
      uploadedParts.takeBack(c.var.address, now, parts)
      throw error
    })
    return c.json(kept, 201)
  })
  app.get('/files/:fileId', async (c) => {
    const { site, token } = await readCaller(c)
    const fileId = readUuid(c.req.param('fileId'))
    if (fileId === null) throw new ServiceError('not_found', fact('no_such_file'))
    const file = await loadVisitorFile(db.kysely, site, { token, fileId })
    return sendFile(deps.files, c, file)
  })
  app.post('/tickets', async (c) => {
    const { site, token } = await readCaller(c)
    const visitor = await findVisitor(db.kysely, site, token)
    // A visitor without messages has nothing to receive.
    if (!visitor?.conversationId) throw new ServiceError('conflict', fact('ticket_used_up'))
    const ticket = await issueTicket(deps, visitor.id)
    return c.json({ ticket, expiresInSeconds: STREAM_LIMITS.ticketMs / 1_000 }, 201)
  })
  return app

  async function readInput(c: VisitorContext): Promise<unknown> {
    if (mediaTypeOf(c) !== 'application/json') {
      throw new ServiceError('unsupported_media_type', fact('body_type_not_json'))
    }
    return parseJsonBody(await readBytes(c, { limit: VISITOR_LIMITS.bodyBytes, budget }))
  }
}

const MESSAGE_ID = /^[mo]_[A-Za-z0-9_-]{1,64}$/

async function sendFile(
  files: FileStore,
  c: VisitorContext,
  file: { id: string; companyId: string; mediaType: string; size: number },
): Promise<Response> {
  // The body of a HEAD response is never read, so an open stream would never be closed.
  const bytes = c.req.method === 'HEAD' ? null : await openStoredFile(files, file)
  // The service's own page fetches the file by script; opened as an address, it is saved.
  c.header('content-type', file.mediaType)
  c.header('content-disposition', 'attachment')
  c.header('content-security-policy', "sandbox; default-src 'none'")
  c.header('cross-origin-resource-policy', 'same-origin')
  c.header('content-length', String(file.size))
  return bytes ? c.body(bytes) : c.body(null)
}

import type { Context } from '../../infra/context.ts'
import type { VisitorSession } from '../../contract/visitor.ts'
import { readNowMs, readMessagePage } from './visitor-messages.sql.ts'
import type { Site } from './site.ts'
import { findVisitor, touchVisitor, keyOfToken, makeToken } from './visitor.ts'

/**
 * Returns the first state of a widget: the visitor's conversation if their token is known here, or else a new token. A
 * token of another widget is unknown here. A visitor who only looks is not stored.
 *
 * Spec: Channels › The website's chat.
 */
export async function openSession(
  context: Pick<Context, 'db' | 'ids' | 'clock'>,
  site: Site,
  token: string | null,
): Promise<VisitorSession> {
  const { db, ids } = context
  const isOfSite = token !== null && keyOfToken(token) === site.channel.route
  const visitor = isOfSite ? await findVisitor(db.kysely, site, token) : undefined
  // The position is read before the page: a message in between appears twice rather than never.
  const position = String(await readNowMs(db.kysely))
  if (!visitor) {
    const visitorToken = isOfSite ? token : makeToken(ids, site)
    return { visitorToken, visitor: null, messages: [], hasMore: false, position }
  }
  const visitorToken = await touchVisitor(context, site, visitor, token!)
  const { conversationId, name, email } = visitor
  const page = conversationId
    ? await readMessagePage(db.kysely, { conversationId, before: null })
    : { messages: [], hasMore: false }
  return {
    visitorToken,
    visitor: conversationId ? { name, email } : null,
    messages: page.messages.map(({ message }) => message),
    hasMore: page.hasMore,
    position,
  }
}

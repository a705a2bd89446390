/**
 * Streams of visitors that this process serves. A trigger notifies of every message that a visitor may read, in whatever
 * process it was written; notified conversations are read together. Messages and erasures that were missed while not
 * listening are looked up once the process listens again.
 */
import type { Connection } from '../../infra/database/connect.ts'
import { listen, type Listener } from '../../infra/database/listen.ts'
import type { Context } from '../../infra/context.ts'
import { STREAM_LIMITS } from '../../core/limits/visitors.ts'
import { loadNewMessages, type ShownMessage } from './visitor-messages.sql.ts'

/** The channel of notifications about messages that a visitor may read. */
const MESSAGE_SHOWN = 'wasla_visitor_notified'
/** The channel of notifications about erased visitors. */
export const VISITOR_ERASED = 'wasla_visitor_erased'

/** A visitor's page that reads new messages. */
export type StreamReader = {
  visitorId: string
  conversationId: string
  /** The time up to which the stream has sent messages, in ms of the database's clock. */
  positionMs: number
  /** Receives messages that the stream has not sent, the oldest first. */
  send(messages: readonly ShownMessage[]): void
  /** Ends the stream once its visitor is erased. Their later messages belong to another conversation. */
  end(): void
}

/** A conversation to read from a time, with its streams. A stream that is opened meanwhile may need an earlier time. */
type ConversationToRead = { conversationId: string; sinceMs: number; streams: readonly Stream[] }

type Stream = StreamReader & {
  /** The times in ms of recently sent messages, by id. They are not sent again. */
  sentAtMs: Map<string, number>
}

export type VisitorStreams = ReturnType<typeof createVisitorStreams>

/** Creates the streams of new messages to visitors' widgets, fed by PostgreSQL notifications. */
export function createVisitorStreams(
  { db, log }: Pick<Context, 'db' | 'log'>,
  connection: Connection,
) {
  const byConversation = new Map<string, Set<Stream>>()
  const perVisitor = new Map<string, number>()
  let inAll = 0
  let listener: Listener | null = null
  let isStopped = false
  const reading = createReader(log, read)
  const looking = createReader(log, async (ids) => {
    await endErased(
      db,
      ids.flatMap((id) => [...(byConversation.get(id) ?? [])]),
    )
    return []
  })
  const look = (ids: Iterable<string>) =>
    reading.add([...ids].filter((id) => byConversation.has(id)))
  /** Looks up conversations whose notifications may have been missed. */
  const lookUpAgain = (ids: Iterable<string>) => {
    looking.add(ids)
    look(ids)
  }

  function start(): Listener {
    return listen(connection, {
      channels: [MESSAGE_SHOWN, VISITOR_ERASED],
      onNotification: (channel, conversationId) =>
        channel === MESSAGE_SHOWN ? look([conversationId]) : endAll(conversationId),
      onReconnected: () => lookUpAgain([...byConversation.keys()]),
      onError: (error, isFirst) =>
        log[isFirst ? 'warn' : 'debug']({ err: error }, 'listening for visitor messages failed'),
    })
  }

  function endAll(conversationId: string): void {
    for (const stream of byConversation.get(conversationId) ?? []) stream.end()
  }

  /** Reads one page of each new and each unfinished conversation. Returns those with more messages. */
  async function read(conversationIds: readonly string[], begun: readonly ConversationToRead[]) {
    const fresh = conversationIds.map((conversationId): ConversationToRead => {
      const streams = [...(byConversation.get(conversationId) ?? [])]
      const from = Math.min(...streams.map(({ positionMs }) => positionMs))
      return { conversationId, sinceMs: from - STREAM_LIMITS.overlapMs, streams }
    })
    const toRead = [...begun, ...fresh].filter(({ conversationId }) =>
      byConversation.has(conversationId),
    )
    if (toRead.length === 0) return []
    return sendPages(byConversation, toRead, await loadNewMessages(db.kysely, toRead))
  }

  function close(stream: Stream): void {
    const streams = byConversation.get(stream.conversationId)
    if (!streams?.delete(stream)) return
    if (streams.size === 0) byConversation.delete(stream.conversationId)
    inAll -= 1
    const left = perVisitor.get(stream.visitorId)! - 1
    if (left === 0) perVisitor.delete(stream.visitorId)
    else perVisitor.set(stream.visitorId, left)
  }

  return {
    /** Returns true if this visitor may open one more stream. */
    hasRoom: (visitorId: string) =>
      !isStopped &&
      inAll < STREAM_LIMITS.inAll &&
      (perVisitor.get(visitorId) ?? 0) < STREAM_LIMITS.perVisitor,

    /** Sends a reader the missed messages, then new ones. Returns a function that ends the stream. */
    open(reader: StreamReader): () => void {
      listener ??= start()
      const stream: Stream = { ...reader, sentAtMs: new Map() }
      const streams = byConversation.get(reader.conversationId) ?? new Set()
      byConversation.set(reader.conversationId, streams.add(stream))
      perVisitor.set(reader.visitorId, (perVisitor.get(reader.visitorId) ?? 0) + 1)
      inAll += 1
      // Notifications are complete only from now on, and only while the listener is listening.
      const isListening = listener.listeningSinceMs() !== null
      if (isListening) lookUpAgain([reader.conversationId])
      else void listener.ready.then(() => lookUpAgain([reader.conversationId]))
      return () => close(stream)
    },

    size: () => inAll,

    async stop(): Promise<void> {
      isStopped = true
      await Promise.all([reading.stop(), looking.stop()])
      await listener?.close()
    },
  }
}

async function endErased({ kysely }: Context['db'], streams: readonly Stream[]): Promise<void> {
  if (streams.length === 0) return
  const visitors = await kysely
    .selectFrom('visitor')
    .select('id')
    .where('id', 'in', [...new Set(streams.map(({ visitorId }) => visitorId))])
    .execute()
  const existing = new Set(visitors.map(({ id }) => id))
  for (const stream of streams) if (!existing.has(stream.visitorId)) stream.end()
}

/**
 * Sends the new messages of a page of each conversation. Returns the conversations that may have more, even if nothing
 * was new.
 */
function sendPages(
  byConversation: ReadonlyMap<string, ReadonlySet<Stream>>,
  toRead: readonly ConversationToRead[],
  messages: readonly ShownMessage[],
): ConversationToRead[] {
  const pages = Map.groupBy(messages, ({ conversationId }) => conversationId)
  return toRead.flatMap(({ conversationId, sinceMs, streams }) => {
    const page = pages.get(conversationId) ?? []
    const open = streams.filter((stream) => byConversation.get(conversationId)?.has(stream))
    for (const stream of open) sendNew(stream, page)
    if (page.length < STREAM_LIMITS.messagesPerRead || open.length === 0) return []
    const nextMs = Math.max(page.at(-1)!.shownMs, sinceMs + 1)
    return [{ conversationId, sinceMs: nextMs, streams: open }]
  })
}

function sendNew(stream: Stream, messages: readonly ShownMessage[]): void {
  const fresh = messages.filter(
    ({ message, shownMs }) =>
      !stream.sentAtMs.has(message.id) && shownMs >= stream.positionMs - STREAM_LIMITS.overlapMs,
  )
  if (fresh.length === 0) return
  for (const { message, shownMs } of fresh) stream.sentAtMs.set(message.id, shownMs)
  stream.positionMs = Math.max(stream.positionMs, fresh.at(-1)!.shownMs)
  const oldest = stream.positionMs - STREAM_LIMITS.overlapMs
  for (const [id, atMs] of stream.sentAtMs) if (atMs < oldest) stream.sentAtMs.delete(id)
  stream.send(fresh)
}

/**
 * Reads notified conversations in rounds; a failed round is repeated. A conversation that one round does not finish
 * continues in the next ones, together with newly notified ones, so that a long history delays no other visitor.
 */
function createReader(
  log: Context['log'],
  read: (
    conversationIds: readonly string[],
    begun: readonly ConversationToRead[],
  ) => Promise<readonly ConversationToRead[]>,
) {
  const due = new Set<string>()
  const begun: ConversationToRead[] = []
  const state = { isStopped: false }
  let round: Promise<void> | null = null
  let again: NodeJS.Timeout | null = null

  function start(): void {
    if (round !== null || again !== null || due.size === 0 || state.isStopped) return
    round = readDue().finally(() => {
      round = null
      start()
    })
  }

  /**
   * Reads due conversations. A notification during a round is read in the next one; for an unfinished conversation,
   * once that is finished.
   */
  async function readDue(): Promise<void> {
    while (due.size + begun.length > 0 && !state.isStopped) {
      const max = STREAM_LIMITS.conversationsPerRead
      const isBegun = new Set(begun.map(({ conversationId }) => conversationId))
      const unfinished = begun.splice(0, max / 2)
      const some = [...due].filter((id) => !isBegun.has(id)).slice(0, max - unfinished.length)
      for (const id of some) due.delete(id)
      try {
        begun.push(...(await read(some, unfinished)))
      } catch (error) {
        log.warn({ err: error }, 'reading visitor messages failed: retried after a delay')
        for (const id of [...some, ...unfinished.map((one) => one.conversationId)]) due.add(id)
        again = setTimeout(() => {
          again = null
          start()
        }, STREAM_LIMITS.retryMs)
        return
      }
    }
  }

  return {
    add(conversationIds: Iterable<string>): void {
      for (const id of conversationIds) due.add(id)
      start()
    },
    async stop(): Promise<void> {
      state.isStopped = true
      if (again) clearTimeout(again)
      await round
    },
  }
}

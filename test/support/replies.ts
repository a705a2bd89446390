/** Replies of the assistant as they are left when they have ended, without a model that was asked. */
import { createHash } from 'node:crypto'
import { fact, type Fact } from '../../src/facts/fact.ts'
import { storeFact } from '../../src/facts/stored-fact.ts'
import type { ReplyState } from '../../src/vocabulary/assistant-setup.ts'
import type { World } from './service.ts'

type Left = {
  companyId: string
  conversationId: string
  state?: ReplyState
  why?: Fact
  detail?: string
  /** The message that it answers: the newest of the customer. */
  messageId?: string
}

/** It ends now. Resolves to its id. */
export async function leaveReply(
  world: World,
  { companyId, conversationId, state = 'sent', why = fact('reply_sent'), detail, messageId }: Left,
): Promise<string> {
  const { db, ids, clock } = world.service.context
  const now = clock.now()
  const id = ids.uuid()
  const message = messageId
    ? { id: messageId }
    : await db.kysely
        .selectFrom('message')
        .select('id')
        .where('conversationId', '=', conversationId)
        .where('direction', '=', 'in')
        .orderBy('createdAt', 'desc')
        .executeTakeFirstOrThrow()
  await db.kysely
    .insertInto('assistantReply')
    .values({
      id,
      companyId,
      conversationId,
      state,
      firstMessageId: message.id,
      notedMessageId: message.id,
      notedAt: now,
      coveredMessageId: message.id,
      startedAt: new Date(now.getTime() - 5_000),
      thinkingAt: new Date(now.getTime() - 2_000),
      endedAt: now,
      endReason: storeFact(why),
      modelRequests: 2,
      tokensIn: 4_808,
      tokensOut: 135,
      ...(detail === undefined ? {} : { detail }),
    })
    .execute()
  return id
}

/** A search, two requests to models of which one failed, and a text that was mended. */
export async function leaveSteps(
  world: World,
  { companyId, replyId, found }: { companyId: string; replyId: string; found: string },
): Promise<void> {
  const { db, clock } = world.service.context
  const at = (ms: number) => new Date(clock.now().getTime() - 2_000 + ms)
  const house = `Rules of the house. ${found}`
  const sha256 = createHash('sha256').update(house).digest()
  await db.kysely
    .insertInto('promptPart')
    .values({ companyId, sha256, text: house, lastUsedAt: clock.now() })
    .onConflict((on) => on.doNothing())
    .execute()
  const input = JSON.stringify({ parts: [sha256.toString('hex')], changing: `Now: ${found}` })
  const call = { id: 'call_1', name: 'search_knowledge', input: JSON.stringify({ words: [found] }) }
  const chunk = {
    number: 1,
    chunkId: 'x',
    sourceId: null,
    title: found,
    heading: found,
    body: found,
  }
  const of = { replyId, companyId, epoch: 1 }
  await db.kysely
    .insertInto('assistantStep')
    .values([
      {
        ...of,
        number: 1,
        kind: 'model',
        state: 'done',
        input,
        told: '',
        data: JSON.stringify({
          calls: [call],
          finish: 'tools',
          tried: [{ model: 'first-model', failure: 'server_error' }],
        }),
        tokensIn: 2_310,
        tokensOut: 64,
        startedAt: at(0),
        endedAt: at(900),
      },
      {
        ...of,
        number: 2,
        kind: 'tool',
        state: 'done',
        name: call.name,
        input: call.input,
        told: found,
        data: JSON.stringify({
          callId: call.id,
          isDone: true,
          data: { chunks: [{ ...chunk, score: 0.83 }] },
        }),
        startedAt: at(900),
        endedAt: at(938),
      },
      {
        ...of,
        number: 3,
        kind: 'guard',
        state: 'failed',
        name: 'language',
        failure: 'not_in_arabic',
        startedAt: at(1_000),
        endedAt: at(1_000),
      },
    ])
    .execute()
}

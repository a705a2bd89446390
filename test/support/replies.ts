/** Replies of the assistant as the service leaves them when they have ended, written without a model. */
import { createHash } from 'node:crypto'
import { fact, type Fact } from '../../src/core/facts/fact.ts'
import { serializeFact } from '../../src/core/facts/stored-fact.ts'
import type { ReplyState } from '../../src/core/vocabulary/assistant-setup.ts'
import { defined } from './defined.ts'
import { addReply, addReplyStep } from './records/assistant.ts'
import { messagesOf } from './records/messages.ts'
import { insertOrUpdate } from './records/records.ts'
import type { World } from './test-service.ts'

type Left = {
  companyId: string
  conversationId: string
  state?: ReplyState
  why?: Fact
  detail?: string
  /** The message that it answers: the newest of the customer. */
  messageId?: string
}

/** Adds a reply that ends now. Resolves to its id. */
export async function leaveReply(
  world: World,
  { companyId, conversationId, state = 'sent', why = fact('reply_sent'), detail, messageId }: Left,
): Promise<string> {
  const endedAt = world.service.context.clock.now()
  const before = (ms: number) => new Date(endedAt.getTime() - ms)
  const written = await messagesOf(world, { conversationId, direction: 'in' })
  const id = messageId ?? written.at(-1)!.id
  const messages = { firstMessageId: id, lastMessageId: id, answeredMessageId: id }
  const times = { startedAt: before(5_000), thinkingAt: before(2_000), endedAt }
  const used = { modelRequests: 2, tokensIn: 4_808, tokensOut: 135 }
  const end = { state, endReason: serializeFact(why), ...defined({ detail }) }
  return addReply(world, { companyId, conversationId }, { ...messages, ...times, ...used, ...end })
}

/** Adds steps to a reply: a search, two requests to models of which one failed, and a text that was corrected. */
export async function leaveSteps(
  world: World,
  { companyId, replyId, found }: { companyId: string; replyId: string; found: string },
): Promise<void> {
  const { clock } = world.service.context
  const at = (ms: number) => new Date(clock.now().getTime() - 2_000 + ms)
  const house = `Rules of the house. ${found}`
  const sha256 = createHash('sha256').update(house).digest()
  const part = { companyId, sha256, text: house, lastUsedAt: clock.now() }
  await insertOrUpdate(world, 'promptPart', ['companyId', 'sha256'], part, part)
  const input = JSON.stringify({ parts: [sha256.toString('hex')], changing: `Now: ${found}` })
  const call = { id: 'call_1', name: 'search_knowledge', input: JSON.stringify({ words: [found] }) }
  const from = { chunkId: 'x', sourceId: null, title: found, heading: found, body: found }
  const chunks = [{ number: 1, ...from, score: 0.83 }]
  const tried = [{ model: 'first-model', failure: 'server_error' }]
  const of = { companyId, replyId }
  const asked = JSON.stringify({ calls: [call], finish: 'tools', tried })
  const request = { input, result: '', data: asked, tokensIn: 2_310, tokensOut: 64 }
  await addReplyStep(world, of, { ...request, startedAt: at(0), endedAt: at(900) })
  const data = JSON.stringify({ callId: call.id, isDone: true, data: { chunks } })
  const search = { kind: 'tool', name: call.name, input: call.input, result: found, data }
  await addReplyStep(world, of, { number: 2, ...search, startedAt: at(900), endedAt: at(938) })
  const repair = { kind: 'guard', state: 'failed', name: 'language', failure: 'not_in_arabic' }
  await addReplyStep(world, of, { number: 3, ...repair, startedAt: at(1_000), endedAt: at(1_000) })
}

/**
 * Conversations with the demonstration's assistant before the pictures. They show an answer from the knowledge, an
 * order cancelled after a yes, a booked visit, and a customer who wants a person. It also adds an unreadable
 * document, and a model of the account.
 */
import { readFileSync } from 'node:fs'
import type { Started } from '../../src/start.ts'
import { demonstrationFiles } from '../../demonstration/files.ts'
import { startModelServer, type ModelServer } from '../../test/support/model-server.ts'
import { call } from '../../test/support/model-turns.ts'
import type { Ask } from './seed-activity.ts'

type Row = { id: string; kind: string; state: string }
type Page = { items: Row[] }

const NOURA = '12025550145'
const OMAR = '12025550144'
const WITHIN_MS = 30_000
/** Delay between messages, because phones have times in seconds. */
const APART_MS = 1_500

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Ids of the replies to a customer's agreement and booking, and of an unreadable source. */
export type SeededReplies = { failedSource: string; agreedReply: string; bookedReply: string }

/**
 * Writes to the assistant as customers, and waits for its replies. Returns the ids that the pictures need.
 * @throws when the assistant does not answer
 */
export async function seedConversations(
  { demonstration }: Started,
  ask: Ask,
): Promise<SeededReplies> {
  const { whatsApp: simulator } = demonstration!.simulators
  const says = async (from: string, text: string) => {
    await wait(APART_MS)
    const before = await ended(ask)
    simulator.sendText({ from, text })
    const until = performance.now() + WITHIN_MS
    while ((await ended(ask)) === before) {
      if (performance.now() > until) throw new Error(`Nothing was answered to ${text}`)
      await wait(200)
    }
    return (await ask<Page>('GET', 'assistant/replies')).items[0]!.id
  }
  for (const from of [NOURA, OMAR]) simulator.answerByHand({ from, isByHand: true })
  const { id } = await ask<Row>(
    'POST',
    'knowledge/files?name=prices.pdf',
    Buffer.from(`%PDF-1.7 ${'junk'.repeat(100)}`),
  )
  await says(OMAR, 'Where is my order 1044?')
  const offer = await says(OMAR, 'I want to book a visit to the showroom')
  const bookedReply = await says(OMAR, `at ${await firstTime(ask, offer)} please`)
  await says(OMAR, 'I want to talk to a person')
  await says(NOURA, 'ألغوا الطلب 1044')
  const agreedReply = await says(NOURA, 'نعم')
  await says(NOURA, 'كم سعر التوصيل؟')
  await giveFeedback(ask)
  return { failedSource: id, agreedReply, bookedReply }
}

/** Returns the first free time that a reply offered. */
async function firstTime(ask: Ask, reply: string): Promise<string> {
  const { said } = await ask<{ said: { text: string }[] }>('GET', `assistant/replies/${reply}`)
  return /\d{2}:\d{2}/.exec(said[0]!.text)![0]
}

/** Returns how many replies have ended. */
async function ended(ask: Ask): Promise<number> {
  const { items } = await ask<Page>('GET', 'assistant/replies')
  return items.filter(({ state }) => !['gathering', 'thinking', 'sending'].includes(state)).length
}

async function giveFeedback(ask: Ask): Promise<void> {
  const { items } = await ask<Page>('GET', 'assistant/replies')
  await ask('PUT', `assistant/replies/${items[0]!.id}/feedback`, {
    isGood: false,
    note: 'التوصيل داخل الرياض خلال يومين.',
  })
}

/** Starts a model server and adds it to the account's models. The server receives only the test question. */
export async function addModel(dataFolder: string, ask: Ask): Promise<ModelServer> {
  const { certificateFile, keyFile } = demonstrationFiles(dataFolder)
  const [cert, key] = [readFileSync(certificateFile, 'utf8'), readFileSync(keyFile, 'utf8')]
  const server = await startModelServer({ tls: { key, cert } })
  server.otherwise = call('read_line', { line: 7 })
  await ask('POST', '/models', {
    kind: 'openai_compatible',
    modelName: 'a-model-of-our-own',
    baseUrl: server.baseUrl,
    key: 'sk-only-for-pictures-1234',
  })
  return server
}

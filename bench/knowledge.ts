/**
 * Measures searches of knowledge: 50 companies of 1,000 chunks each in a new embedded PostgreSQL. The questions have
 * one to twelve words in Arabic and English, a third of them misspelt, and alternate between companies.
 *
 *   npm run bench:knowledge [-- COMPANIES [CHUNKS [QUESTIONS]]]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connectDatabase } from '../src/infra/database/connect.ts'
import { startEmbeddedPostgres } from '../src/infra/database/embedded/start-embedded-postgres.ts'
import { migrate } from '../src/infra/database/migrate.ts'
import { transaction } from '../src/infra/database/transaction.ts'
import { createIds, systemRandom } from '../src/core/ids.ts'
import { prepareSource } from '../src/modules/knowledge/prepare-chunks.ts'
import { searchKnowledge } from '../src/modules/knowledge/search-knowledge.ts'
import { replaceChunks } from '../src/modules/knowledge/index-chunks.ts'

const COMPANIES = Number(process.argv[2] ?? 50)
const CHUNKS = Number(process.argv[3] ?? 1_000)
const QUESTIONS = Number(process.argv[4] ?? 500)
const WARM_UP = 50
const CHUNKS_OF_SOURCE = 50
const WORDS_OF_CHUNK = 60
const VOCABULARY = 6_000

/** The seed of the random numbers, which are the same in every run. */
let seed = 20_261_123
const below = (limit: number) => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
  return Math.floor((seed / 2 ** 32) * limit)
}
const ARABIC = 'ابتثجحخدرزسشصضطعغفقكلمنهوي'
const LATIN = 'abcdefghijklmnoprstuvwy'
const word = (at: number) => {
  const letters = at % 3 === 0 ? LATIN : ARABIC
  return Array.from({ length: 3 + below(5) }, () => letters[below(letters.length)]).join('')
}
const words = Array.from({ length: VOCABULARY }, (_, at) => word(at))
/** Returns a random word by a distribution like a language's: few words make most of a text. */
const anyWord = () => words[Math.floor(VOCABULARY * (below(10_000) / 10_000) ** 3)]!
const misspelt = (text: string) => {
  const at = 1 + below(text.length - 1)
  return text.slice(0, at) + text[at] + text.slice(at)
}
const sentence = (length: number) => Array.from({ length }, anyWord).join(' ')

const folder = mkdtempSync(path.join(tmpdir(), 'wasla-knowledge-'))
const server = await startEmbeddedPostgres({ dataFolder: folder, settings: { fsync: 'off' } })
const db = connectDatabase({ ...server.connection, applicationName: 'bench' })
try {
  await migrate(db.pool)
  const companies = await fill()
  await db.pool.query('vacuum analyze')
  await measure(companies)
} finally {
  await db.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function fill(): Promise<string[]> {
  const now = new Date()
  const ids = createIds({ now: () => new Date() }, systemRandom)
  const startedAtMs = performance.now()
  const accountId = ids.uuid()
  await db.kysely
    .insertInto('account')
    .values({ id: accountId, plan: 'pro', createdAt: now })
    .execute()
  const companies: string[] = []
  for (let company = 0; company < COMPANIES; company++) {
    const companyId = ids.uuid()
    companies.push(companyId)
    const values = { id: companyId, accountId, name: `Shop ${company}`, createdAt: now }
    await db.kysely.insertInto('company').values(values).execute()
    for (let made = 0; made < CHUNKS; made += CHUNKS_OF_SOURCE) {
      const blocks = Array.from({ length: CHUNKS_OF_SOURCE }, () => [
        { kind: 'heading' as const, text: sentence(3) },
        { kind: 'text' as const, text: sentence(WORDS_OF_CHUNK) },
      ]).flat()
      const prepared = prepareSource('Shop', blocks)
      const sourceId = ids.uuid()
      await transaction(db, async (tx) => {
        const source = {
          id: sourceId,
          companyId,
          kind: 'text',
          title: 'Shop',
          state: 'ready',
          revision: 1,
          servedRevision: 1,
          chunkCount: prepared.chunks.length,
          createdAt: now,
          updatedAt: now,
        }
        await tx.insertInto('knowledgeSource').values(source).execute()
        await replaceChunks(tx, { ids }, { companyId, sourceId, revision: 1 }, prepared)
      })
    }
  }
  const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(1)
  console.log(`${COMPANIES} companies of ${CHUNKS} chunks were written in ${seconds} s`)
  return companies
}

async function measure(companies: readonly string[]): Promise<void> {
  const times: number[] = []
  let found = 0
  for (let question = -WARM_UP; question < QUESTIONS; question++) {
    const companyId = companies[below(companies.length)]!
    const wording = Array.from({ length: 1 + below(12) }, () =>
      below(3) === 0 ? misspelt(anyWord()) : anyWord(),
    ).join(' ')
    const startedAtMs = performance.now()
    const chunks = await searchKnowledge(db.kysely, { companyId, wordings: [wording] })
    if (question < 0) continue
    times.push(performance.now() - startedAtMs)
    if (chunks.length > 0) found += 1
  }
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => `${sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(1)} ms`
  console.log(`${QUESTIONS} questions, ${found} with something found`)
  console.log(`p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, most ${at(1)}`)
}

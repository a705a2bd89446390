import type { Database } from '../../src/infra/database/connect.ts'
import { searchKnowledge } from '../../src/modules/knowledge/search-knowledge.ts'
import { prepareChunks } from '../../src/modules/knowledge/prepare-chunks.ts'
import { replaceChunks } from '../../src/modules/knowledge/index-chunks.ts'
import { synonymRowOf } from '../../src/modules/knowledge/synonyms.ts'
import { addAccount, addCompany } from '../support/records/accounts.ts'
import { addSources } from '../support/records/knowledge.ts'
import { insert, recordsIn } from '../support/records/records.ts'
import { expressible, unknownInCase, whyUnknown, words } from './cases.ts'
import { startPrivateDatabase } from './private-database.ts'
import type { ConformanceCase, Report } from './report.ts'

type Shop = {
  name: string
  synonyms: Record<string, string[]>
  chunks: { id: string; language: string; heading: string; body: string }[]
}
type RetrievalFile = { target: { anyOf: number }; shops: Record<string, Shop> }
type RetrievalCase = {
  id: string
  shop: string
  question: string
  expect: { anyOf: string[] } | { none: true }
  hard?: string
}
type Group = 'ordinary' | 'hard' | 'empty'
type Answer = { asked: RetrievalCase; ids: string[]; isRight: boolean }

const AMONG_FIRST = 3
const whyNotExpressed = (one: RetrievalCase) =>
  whyUnknown(unknownInCase(one, words('shop language question hard')))

/** Measures the search: the file fails if fewer of its ordinary questions are answered than its target. */
export async function run(cases: ConformanceCase[], report: Report, file: unknown): Promise<void> {
  const { shops, target } = file as RetrievalFile
  const database = await startPrivateDatabase()
  try {
    const setUp = await setUpShops(database.db, shops)
    const answers: Answer[] = []
    for (const one of expressible(cases, report, whyNotExpressed)) {
      const answer = await answerOf(database.db, setUp, one).catch(String)
      if (typeof answer === 'string') report.fail(one.id, answer)
      else answers.push(answer)
    }
    await tell(answers, report, target.anyOf)
  } finally {
    await database.drop()
  }
}

type SetUp = { companies: Map<string, string>; places: Map<string, { shop: string; id: string }> }

/** Makes a company of each shop, with its knowledge. */
export async function setUpShops(db: Database, shops: Record<string, Shop>): Promise<SetUp> {
  const world = recordsIn(db)
  const { ids } = world.service.context
  const companies = new Map<string, string>()
  const places: SetUp['places'] = new Map()
  const served = { revision: 1, servedRevision: 1, chunkCount: 1 }
  for (const [shop, { name, synonyms, chunks }] of Object.entries(shops)) {
    const accountId = await addAccount(world)
    const { companyId } = await addCompany(world, { accountId }, { name })
    companies.set(shop, companyId)
    for (const { id, heading, body } of chunks) {
      const sourceId = ids.uuid()
      await addSources(world, { companyId }, [{ id: sourceId, title: heading, ...served }])
      const source = { companyId, sourceId, revision: 1 }
      const prepared = prepareChunks(heading, [{ heading, body }])
      await replaceChunks(db.kysely, { ids }, source, prepared)
      places.set(sourceId, { shop, id })
    }
    for (const [word, means] of Object.entries(synonyms)) {
      await insert(world, 'synonym', { companyId, ...synonymRowOf({ word, means }) })
    }
  }
  await db.pool.query('analyze')
  return { companies, places }
}

/** Returns the answer to a question, or why it is wrong for another reason, such as a chunk of another shop. */
async function answerOf(
  db: Database,
  { companies, places }: SetUp,
  asked: RetrievalCase,
): Promise<Answer | string> {
  const companyId = companies.get(asked.shop)
  if (companyId === undefined) return `there is no shop ${asked.shop}`
  const found = await searchKnowledge(db.kysely, { companyId, wordings: [asked.question] })
  const at = found.map(({ sourceId }) => places.get(sourceId)!)
  const foreign = at.find(({ shop }) => shop !== asked.shop)
  if (foreign) return `a chunk of ${foreign.shop} was found: ${foreign.id}`
  const ids = at.map(({ id }) => id)
  const { expect } = asked
  const isRight =
    'none' in expect
      ? ids.length === 0
      : ids.slice(0, AMONG_FIRST).some((id) => expect.anyOf.includes(id))
  return { asked, ids, isRight }
}

async function tell(answers: readonly Answer[], report: Report, target: number): Promise<void> {
  const groupOf = ({ asked }: Answer): Group =>
    'none' in asked.expect ? 'empty' : asked.hard === undefined ? 'ordinary' : 'hard'
  const groups = Map.groupBy(answers, groupOf)
  const counted = (name: Group) => {
    const group = groups.get(name) ?? []
    return `${group.filter(({ isRight }) => isRight).length} of ${group.length}`
  }
  console.log(
    `retrieval: ${counted('ordinary')} found, ${counted('hard')} hard, ${counted('empty')} empty`,
  )
  for (const answer of answers) {
    if (answer.isRight) continue
    const { asked, ids } = answer
    const wanted = 'none' in asked.expect ? 'none' : asked.expect.anyOf.join(' or ')
    console.log(
      `  missed ${groupOf(answer)} ${asked.id} ${asked.question}: ${wanted}, got ${ids.join(', ')}`,
    )
  }
  const ordinary = groups.get('ordinary') ?? []
  const right = ordinary.filter(({ isRight }) => isRight).length
  const isMet = right >= target * ordinary.length
  for (const answer of answers) {
    const isFailed = !isMet && !answer.isRight && groupOf(answer) === 'ordinary'
    if (isFailed) report.fail(answer.asked.id, `missed, and the share of ${target} is not met`)
    else await report.check(answer.asked.id, () => true, [true])
  }
}

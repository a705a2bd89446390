import type { Database } from '../../src/infra/database/connect.ts'
import { searchKnowledge } from '../../src/modules/knowledge/search-knowledge.ts'
import { searchTerms } from '../../src/rules/text/search-terms.ts'
import { unknownField } from './known-fields.ts'
import { startPrivateDatabase } from './private-database.ts'
import type { ConformanceCase, Report } from './report.ts'
import { setUpShops } from './retrieval.ts'

type Expected = { share?: boolean; count?: number; ascii?: boolean; throws?: false }
type TermsCase = {
  id: string
  texts?: [string, string]
  text?: string
  expect: Expected
  also_accept?: Expected[]
}

const KNOWN = ['texts', 'text', 'language', 'expect', 'also_accept']
const KNOWN_OF_EXPECTED = ['share', 'count', 'ascii', 'throws']

/** What texts are searched by. Where a hostile one must not throw, it is also searched for. */
export async function run(cases: ConformanceCase[], report: Report): Promise<void> {
  const hostile: TermsCase[] = []
  for (const one of cases as TermsCase[]) {
    const accepted = [one.expect, ...(one.also_accept ?? [])]
    const unknown = [
      unknownField(one, KNOWN),
      ...accepted.map((expected) => unknownField(expected, KNOWN_OF_EXPECTED)),
    ].find((field) => field !== null)
    if (unknown !== undefined) report.fail(one.id, `the runner has no word for "${unknown}"`)
    else if (one.expect.throws !== undefined) hostile.push(one)
    else await report.check(one.id, () => seen(one), accepted)
  }
  if (hostile.length > 0) await searchFor(hostile, report)
}

/** Of a case, what it expects something of. */
function seen({ text, texts, expect }: TermsCase): Expected {
  if (texts) {
    const [some, others] = texts.map((one) => new Set(searchTerms(one)))
    return { share: !some!.isDisjointFrom(others!) }
  }
  const terms = searchTerms(text!)
  return {
    ...(expect.count === undefined ? {} : { count: new Set(terms).size }),
    ...(expect.ascii === undefined
      ? {}
      : { ascii: terms.every((term) => /^\p{ASCII}*$/u.test(term)) }),
  }
}

async function searchFor(hostile: readonly TermsCase[], report: Report): Promise<void> {
  const database = await startPrivateDatabase()
  try {
    const companyId = await setUpShop(database.db)
    for (const { id, text } of hostile) {
      const search = async () => {
        searchTerms(text!)
        await searchKnowledge(database.db.kysely, { companyId, wordings: [text!] })
        return 'no error'
      }
      await report.check(id, search, ['no error'])
    }
  } finally {
    await database.drop()
  }
}

async function setUpShop(db: Database): Promise<string> {
  const chunks = [
    { id: 'c1', language: 'ar', heading: 'التوصيل', body: 'التوصيل خلال يومين داخل الرياض.' },
    { id: 'c2', language: 'en', heading: 'Returns', body: 'Returns are free within 14 days.' },
  ]
  const shop = { name: 'A shop', synonyms: { شحن: ['توصيل'] }, chunks }
  return (await setUpShops(db, { shop })).companies.get('shop')!
}

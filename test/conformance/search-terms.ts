import type { Database } from '../../src/infra/database/connect.ts'
import { searchKnowledge } from '../../src/modules/knowledge/search-knowledge.ts'
import { searchTerms } from '../../src/rules/text/search-terms.ts'
import { acceptedBy, runRule, unknownIn, unknownInCase, words } from './cases.ts'
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

const KNOWN = words('texts text language')
const KNOWN_OF_EXPECTED = words('share count ascii throws')

/** Runs cases of search terms. A hostile text that must not throw is also searched for. */
export async function run(cases: ConformanceCase[], report: Report): Promise<void> {
  const isHostile = ({ expect }: TermsCase) => expect.throws !== undefined
  const needsSearch = (cases as unknown as TermsCase[]).some(isHostile)
  const database = needsSearch ? await startPrivateDatabase() : null
  const companyId = database && (await setUpShop(database.db))
  const search = async ({ text }: TermsCase): Promise<Expected> => {
    await searchKnowledge(database!.db.kysely, { companyId: companyId!, wordings: [text!] })
    return { throws: false }
  }
  try {
    await runRule<TermsCase>(cases, report, {
      unknown: (one) => [
        ...unknownInCase(one, KNOWN),
        ...acceptedBy(one).flatMap((expected) => unknownIn(expected, KNOWN_OF_EXPECTED)),
      ],
      read: async (one) => ({ ...seen(one), ...(isHostile(one) && (await search(one))) }),
    })
  } finally {
    await database?.drop()
  }
}

/** Returns the result that a case has an expectation of. */
function seen({ text, texts, expect }: TermsCase): Expected {
  if (texts) {
    const [some, others] = texts.map((one) => new Set(searchTerms(one)))
    return { share: !some!.isDisjointFrom(others!) }
  }
  const terms = searchTerms(text!)
  const isAscii = terms.every((term) => /^\p{ASCII}*$/u.test(term))
  return {
    ...(expect.count !== undefined && { count: new Set(terms).size }),
    ...(expect.ascii !== undefined && { ascii: isAscii }),
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

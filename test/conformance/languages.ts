import type { AdmittedRequest } from '../../src/modules/hooks/check-request.ts'
import { planBatch } from '../../src/modules/hooks/plan-batch.ts'
import { createIds, systemRandom } from '../../src/core/ids.ts'
import { readJson } from '../../src/rules/text/json-text.ts'
import { readLanguage } from '../../src/rules/messaging/language-reading.ts'
import { readAt } from '../../src/rules/hooks/path-expression.ts'
import type { ConformanceCase, Report } from './report.ts'

type LanguageCase = {
  id: string
  input?: unknown
  expect: string
  also_accept?: unknown[]
  contactLanguage?: string | null
  expectWithContact?: string | null
}

export async function run(cases: ConformanceCase[], report: Report): Promise<void> {
  for (const one of cases as LanguageCase[]) {
    // The second answer is the run's language, if the case gives the contact one.
    const ofRun = one.expectWithContact === undefined ? [] : [one.expectWithContact]
    const accepted = [one.expect, ...(one.also_accept ?? [])].map((answer) => [answer, ...ofRun])
    await report.check(one.id, () => read(one), accepted)
  }
}

function read({ input, contactLanguage, expectWithContact }: LanguageCase): unknown[] {
  const body = readJson(JSON.stringify(input === undefined ? {} : { language: input }))
  if (!body.ok) throw new Error('its value is not JSON')
  const language = readLanguage(readAt(body.value, ['language']))
  const ofRun =
    expectWithContact === undefined ? [] : [languageOfRun(language, contactLanguage ?? null)]
  return [language ?? 'fallback', ...ofRun]
}

const now = new Date('2026-11-21T09:00:00.000Z')
const ids = createIds({ now: () => now }, systemRandom)

/** Returns the language of the run that a hook request starts for a known contact. */
function languageOfRun(
  language: AdmittedRequest['language'],
  contactLanguage: string | null,
): string | null {
  const hook = {
    company: { id: ids.uuid(), name: 'Shop' },
    flow: { id: ids.uuid(), publishedVersionId: ids.uuid() },
    channel: { id: ids.uuid() },
    plan: 'business',
    templatesPerDay: null,
  } as AdmittedRequest['hook']
  const phone = '+966501234567'
  const asked = { hook, idempotencyKey: null, refusal: null, phone, name: null, variables: {} }
  const known = {
    runOfKey: null,
    contactId: ids.uuid(),
    identityId: ids.uuid(),
    contactName: null,
    contactLanguage,
    isOptedOut: false,
    rememberedOptOutAt: null,
    knownKinds: ['number' as const],
    unshownKinds: [],
    isSplit: false,
    formerSince: null,
    held: [],
    conversationId: null,
    filedUnder: null,
    accountTemplates: 0,
    customerTemplates: 0,
  }
  const { writes } = planBatch({ ids, now }, [{ ...asked, language }], [known])
  return writes.runs[0]!.language
}

/** The settings of a company's assistant. Spec: Assistant › Settings. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { AuditView } from '../../src/contract/dashboard/account.ts'
import type { AssistantView } from '../../src/contract/dashboard/assistant.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { ASSISTANT_SETUP_LIMITS as LIMITS } from '../../src/core/limits/assistant-setup.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { addUnreadableModel, putModel } from '../support/records/models.ts'
import type { Shop } from '../support/shop.ts'

let shop: Shop
let owner: Member
let at: string
const world = await openWorld()

beforeEach(async () => {
  ;({ shop, owner } = await ownedShop(world))
  at = `/companies/${shop.companyId}/assistant`
})

const show = async () => (await owner.ask<AssistantView>('GET', at)).body
const edit = (json: object, by = owner) => by.ask<AssistantView>('PATCH', at, json)
const refused = async (json: object) =>
  (await owner.ask('PATCH', at, { revision: 0, ...json })).body

const NO_TEXTS = {
  ar: { inHours: null, outOfHours: null },
  en: { inHours: null, outOfHours: null },
}
const TOLD = {
  isOn: false,
  name: 'Noor',
  profile: 'Dresses by measure in Riyadh.',
  guidance: 'Never name a price that is not in the list.',
  tone: 'formal',
  language: 'en',
  debounceMs: 5_000,
  texts: {
    ar: { inHours: 'سيرد عليك زميل حالًا.', outOfHours: null },
    en: { inHours: null, outOfHours: 'We are closed until nine.' },
  },
  leadCriteria: 'Who asks for a wedding dress.',
  qualifyAt: 60,
  handsOverQualified: false,
  readableFields: [],
  tags: ['wedding'],
}

describe('Settings', () => {
  test("are by default: off, 3 s of waiting, and the service's own sentences", async () => {
    expect(await show()).toEqual({
      isOn: false,
      name: null,
      profile: '',
      guidance: '',
      tone: 'friendly',
      language: 'ar',
      debounceMs: 3_000,
      texts: NO_TEXTS,
      leadCriteria: '',
      qualifyAt: 70,
      handsOverQualified: true,
      transcribes: false,
      readsImages: false,
      readableFields: [],
      tags: [],
      able: { transcribes: false, readsImages: false },
      state: 'off',
      revision: 0,
      updatedAt: null,
      ours: expect.any(Object),
    })
  })

  test('change only where they are named, and the revision rises', async () => {
    expect((await edit({ revision: 0, ...TOLD })).body).toMatchObject({ ...TOLD, revision: 1 })
    const { body } = await edit({ revision: 1, tone: 'short' })
    expect(body).toMatchObject({ ...TOLD, tone: 'short', revision: 2 })
    expect(await show()).toEqual(body)
  })

  test('are not changed by a member who saved an older revision', async () => {
    await edit({ revision: 0, name: 'Noor' })
    const late = await owner.ask('PATCH', at, { revision: 0, name: 'Sami' })
    expect(late).toMatchObject({
      status: 409,
      body: { code: 'stale', reason: 'assistant_changed' },
    })
    expect(await show()).toMatchObject({ name: 'Noor', revision: 1 })
  })

  test('keep the first of several concurrent changes', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, n) => edit({ revision: 0, name: `Noor ${n}` })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
  })

  test('show that the assistant does not answer when it is on without a usable model', async () => {
    expect((await edit({ revision: 0, isOn: true })).body).toMatchObject({ state: 'no_model' })
    await addUnreadableModel(world, shop)
    expect(await show()).toMatchObject({ state: 'on' })
    await putModel(world, shop, { broken: '{"code":"x"}' })
    expect(await show()).toMatchObject({ isOn: true, state: 'no_model' })
  })

  test('have limits for texts, which a refusal names', async () => {
    const long = (max: number) => 'ن'.repeat(max + 1)
    const { errors } = await refused({
      name: '',
      profile: long(LIMITS.profileChars),
      guidance: long(LIMITS.guidanceChars),
      leadCriteria: long(LIMITS.leadCriteriaChars),
      tone: 'rude',
      language: 'fr',
      debounceMs: LIMITS.debounceMs + 1,
      qualifyAt: 101,
      tags: ['one', 'one'],
      texts: { ...NO_TEXTS, ar: { inHours: long(LIMITS.textChars), outOfHours: null } },
    })
    expect(errors?.map(({ field, code }) => [field, code])).toEqual([
      ['name', 'too_short'],
      ['profile', 'too_long'],
      ['guidance', 'too_long'],
      ['tone', 'not_a_choice'],
      ['language', 'not_a_choice'],
      ['debounceMs', 'too_big'],
      ['texts.ar.inHours', 'too_long'],
      ['leadCriteria', 'too_long'],
      ['qualifyAt', 'too_big'],
      ['tags', 'value_twice'],
    ])
    expect(errors?.[1]?.message).toContain('4000')
  })

  test('allow only fields of contacts that the company has', async () => {
    const path = `/companies/${shop.companyId}/contact-fields`
    await owner.ask('POST', path, { key: 'size', label: 'Size', kind: 'text' })
    expect((await edit({ revision: 0, readableFields: ['size'] })).status).toBe(200)
    const { errors } = await refused({ revision: 1, readableFields: ['size', 'iban'] })
    expect(errors).toMatchObject([
      { field: 'readableFields', code: 'unknown_contact_field', params: { key: 'iban' } },
    ])
    const unstorable = await refused({ revision: 1, readableFields: ['\0'] })
    expect(unstorable.errors).toMatchObject([{ code: 'unknown_contact_field' }])
  })

  test('can be read by an Agent and not changed, and the audit names fields without their values', async () => {
    const agent = await signedIn(world, { ...shop, role: 'agent' })
    expect((await agent.ask('GET', at)).status).toBe(200)
    expect((await edit({ revision: 0, isOn: true }, agent)).status).toBe(403)
    await edit({ revision: 0, isOn: true, guidance: 'Secret sauce' })
    const { items } = (await owner.ask<Page<AuditView>>('GET', `/audit?action=assistant.edited`))
      .body
    expect(items).toMatchObject([
      { subjectKind: 'assistant', detail: { fields: ['isOn', 'guidance'], isOn: true } },
    ])
    expect(JSON.stringify(items)).not.toContain('Secret sauce')
  })
})

/** The parts of a hook request that are read, and their results. */
import { beforeEach, describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import type { Plan } from '../../src/core/vocabulary/accounts.ts'
import { addFlow } from '../support/add-flow.ts'
import { postHook, ORDER } from '../support/post-hook.ts'
import { makeProject } from '../support/records/accounts.ts'
import { contactWith } from '../support/records/contacts.ts'
import { runOf } from '../support/records/runs.ts'
import { createOwnShop, createShop } from '../support/shop.ts'
import { systemDescribe } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'

const world = await openWorld()
const shop = await createShop(world)

// Sixty requests a minute for each test.
beforeEach(() => world.clock.advance(MINUTE_MS))

let serial = 0
const newPhone = () => `+96650888${String(++serial).padStart(4, '0')}`
const runStarted = async (id: string | null) => {
  const run = await runOf(world, id!)
  return { ...run, variables: JSON.parse(run.variables) as Record<string, string | null> }
}
const contactOf = (phone: string) => contactWith(world, shop, phone)

describe('Only the URL and the body are needed', () => {
  test.each<[string, Record<string, string>]>([
    ['no Authorization header', {}],
    ['a wrong one', { authorization: 'Bearer nobody-knows-it' }],
    ['one that cannot be read', { authorization: 'Basic ???' }],
    ['an API key', { 'x-api-key': 'sk_live_of_somebody' }],
    ['a cookie', { cookie: 'wasla_session=of-nobody' }],
  ])('the answer is the same with %s', async (_, headers) => {
    expect(await postHook(shop.hookUrl, ORDER, headers)).toMatchObject({
      http: 202,
      status: 'accepted',
    })
  })

  test('a type of the body is needed: without a Content-Type it is refused 415', async () => {
    const response = await fetch(shop.hookUrl, {
      method: 'POST',
      body: new TextEncoder().encode(JSON.stringify(ORDER)),
    })
    expect([response.status, await response.json()]).toEqual([
      415,
      { id: null, status: 'unsupported_media_type', detail: expect.any(String) },
    ])
  })
})

describe('The language of a run', () => {
  const order = (phone: string, language: unknown) => ({
    ...ORDER,
    customer: { name: 'Sara', phone, ...(language === undefined ? {} : { language }) },
  })
  const languageOf = async (phone: string, language: unknown) =>
    (await runStarted((await postHook(shop.hookUrl, order(phone, language))).id)).language

  test.each([['fr'], [7], [undefined]])('%j falls back to the contact’s own', async (language) => {
    const [arabic, english] = [newPhone(), newPhone()]
    expect(await languageOf(arabic, 'ar')).toBe('ar')
    expect(await languageOf(english, 'en')).toBe('en')
    expect(await languageOf(arabic, language)).toBe('ar')
    expect(await languageOf(english, language)).toBe('en')
  })

  test('from the request applies to the run, and the contact keeps its own', async () => {
    const phone = newPhone()
    await languageOf(phone, 'ar')
    expect(await languageOf(phone, 'EN-us')).toBe('en')
    expect(await contactOf(phone)).toMatchObject({ language: 'ar' })
    expect(await languageOf(phone, undefined)).toBe('ar')
  })

  test('is none when neither says one', async () => {
    expect(await languageOf(newPhone(), 'fr')).toBe(null)
  })
})

describe('The phone', () => {
  const answerTo = (phone: string) => postHook(shop.hookUrl, `{"customer":{"phone":${phone}}}`)

  test.each(['["+966501234567"]', '[-966501234567]', '{}', 'true'])('is not %s', async (phone) => {
    expect(await answerTo(phone)).toMatchObject({ http: 422, status: 'invalid_phone', id: null })
  })

  test.each(['966501234567', '966501234567.0', '9.66501234567e11'])('may be %s', async (phone) => {
    expect(await answerTo(phone)).toMatchObject({ http: 202, status: 'accepted' })
    expect(await contactOf('+966501234567')).toMatchObject({ name: null, language: null })
  })
})

describe('A kept value', () => {
  const keep = async (value: unknown) => {
    const body = { ...ORDER, order: { number: value } }
    return (await runStarted((await postHook(shop.hookUrl, body)).id)).variables.order
  }

  test('is cut from 1,001 characters to 1,000: a character is a code point', async () => {
    expect(await keep('😀'.repeat(1_000))).toBe('😀'.repeat(1_000))
    expect(await keep('😀'.repeat(1_001))).toBe('😀'.repeat(1_000))
  })

  test('is a number as it is written, and may be zero', async () => {
    for (const written of ['1e400', '0']) {
      const phone = `"phone":"${newPhone()}"`
      const body = `{"customer":{${phone}},"order":{"number":${written}}}`
      const { variables } = await runStarted((await postHook(shop.hookUrl, body)).id)
      expect(variables.order).toBe(written)
    }
  })
})

systemDescribe('One URL', () => {
  test('leaves another URL of the account alone once it has had its 60 requests', async () => {
    const other = await addFlow(world, shop)
    const answers = await Promise.all(
      Array.from({ length: 61 }, () => postHook(shop.hookUrl, '{}')),
    )
    expect(answers.filter(({ http }) => http === 429)).toHaveLength(1)
    expect(await postHook(shop.hookUrl, ORDER)).toMatchObject({ http: 429, status: 'rate_limited' })
    expect(await postHook(other.hookUrl, ORDER)).toMatchObject({ http: 202 })
  })
})

describe('A project', () => {
  test.each<[Plan, Plan, number]>([
    ['business', 'free', 202],
    ['free', 'business', 403],
    ['pro', 'business', 403],
  ])('has the plan of its account: on %s, not on %s, it is %i', async (of, notOf, http) => {
    const project = await createOwnShop(world, { plan: notOf })
    await makeProject(world, project, await createOwnShop(world, { plan: of }))
    expect((await postHook(project.hookUrl, ORDER)).http).toBe(http)
  })
})

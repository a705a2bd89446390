/**
 * The evaluation's own code: its cases, the code that plays and judges them, and its figures. No language model
 * is called.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { makeFolder } from '../support/own-folder.ts'
import { GROUPS, type Case, type EvaluationShop } from '../../scripts/evaluate/case-form.ts'
import { createEvaluationWorld } from '../../scripts/evaluate/evaluation-world.ts'
import { checkCase } from '../../scripts/evaluate/check-case.ts'
import { playCase, type Played } from '../../scripts/evaluate/play-case.ts'
import { EVALUATION, readCases, WrongCase } from '../../scripts/evaluate/read-cases.ts'
import { scoresOf, formatResults, type CaseResult } from '../../scripts/evaluate/format-results.ts'
import { startScriptedModel } from '../../simulators/index.ts'
import { API_TOKEN } from '../support/shop-api.ts'
import { createTestDatabase } from '../support/database.ts'

const { shop, cases } = readCases(EVALUATION)
const caseOf = (id: string): Case => cases.find((one) => one.id === id)!

describe('The cases', () => {
  test('are 80, of every group, in the Arabic of the Gulf, Egypt and the Levant and in English', () => {
    expect(cases).toHaveLength(80)
    for (const group of GROUPS) {
      const own = cases.filter((one) => one.group === group)
      expect([group, new Set(own.map(({ language }) => language)).size]).toEqual([group, 4])
      expect(own.length).toBeGreaterThanOrEqual(10)
    }
  })

  test('name services and requests that the shop has', () => {
    const services = shop.services.map(({ name }) => name)
    const unknown = cases.flatMap(({ id, end, shop: own = {} }) => {
      const answered = Object.keys({ ...shop.api, ...own.api })
      const named = [...(end.booked ?? []), ...(own.booked ?? [])].map(({ service }) => service)
      return [
        ...named.filter((service) => !services.includes(service)),
        ...[...end.changes, ...(end.reads ?? [])].filter((one) => !answered.includes(one)),
      ].map((what) => `${id}: ${what}`)
    })
    expect(unknown).toEqual([])
  })

  test('are chosen by group or id', () => {
    expect(readCases(EVALUATION, 'booking').cases).toHaveLength(10)
    expect(readCases(EVALUATION, 'policy-07').cases.map(({ id }) => id)).toEqual(['policy-07'])
    expect(() => readCases(EVALUATION, 'poetry')).toThrow(
      new WrongCase('--only poetry: no case has this id or group'),
    )
  })

  test('report all their mistakes together, by file, case, field and rule', () => {
    const folder = makeFolder('cases')
    cpSync(EVALUATION, folder, { recursive: true })
    const file = path.join(folder, 'cases/booking.json')
    const wrong = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>[]
    wrong[0] = { ...wrong[0], langauge: 'gulf' }
    wrong[1] = { ...wrong[1], id: 'booking-03' }
    wrong[3] = { ...wrong[3], end: { changes: ['cancel 1044'] } }
    writeFileSync(file, JSON.stringify(wrong))
    writeFileSync(path.join(folder, 'cases/extra.json'), '{')
    const told = whyNotRead(folder)
    expect(told).toMatch(/booking\.json, booking-01: .*langauge/)
    expect(told).toMatch(/booking\.json, booking-04: end\.changes\.0: must be a method and a path/)
    expect(told).toMatch(/booking-03: there are two cases of this id/)
    expect(told).toMatch(/extra\.json: cannot be read/)
  })
})

function whyNotRead(folder: string): string {
  try {
    readCases(folder)
  } catch (error) {
    if (error instanceof WrongCase) return error.message
    throw error
  }
  return ''
}

describe('A case that is played', async () => {
  const { baseUrl, close } = await startScriptedModel()
  const { db, connection } = await createTestDatabase()
  await db.close()
  const around = await createEvaluationWorld(
    { connection, drop: () => Promise.resolve() },
    { kind: 'openai_compatible', modelName: 'scripted', baseUrl, key: null, isScripted: true },
  )
  afterAll(async () => {
    await around.close()
    await close()
  })
  const play = (one: Case, on: EvaluationShop = shop) => playCase(around, on, one)

  const SCRIPTED = ['agreement-01', 'agreement-06', 'booking-06', 'handover-06', 'identity-02']
  test.each(SCRIPTED)('%s: the script passes it', async (id) => {
    const one = caseOf(id)
    expect(checkCase(one, await play(one))).toEqual([])
  })

  test('fails when its end is not the expected one, and says in what', async () => {
    const one = caseOf('booking-05')
    const played = await play(one)
    expect(checkCase(one, played)).toEqual([])
    const end: Case['end'] = {
      changes: ['POST /orders/1044/cancel'],
      reads: ['GET /orders/1044'],
      handover: ['customer_upset'],
      booked: [{ service: 'Showroom visit', inDays: 2, at: '11:00' }],
      cancelled: 0,
      lead: true,
      toldLast: [['ما لم يُقل']],
      script: 'latin',
      messages: { min: 9, max: 9 },
    }
    const at = played.at(2, '11:00').toISOString()
    expect(checkCase({ ...one, end }, played)).toEqual([
      "the shop's API was to change POST /orders/1044/cancel, and changed nothing",
      "the shop's API was not asked GET /orders/1044",
      'it was to hand over as customer_upset: nothing',
      `booked was to be Showroom visit ${at}, and is nothing`,
      '0 appointments were to be cancelled: 1 are',
      'no lead was noted',
      'the last answer has none of: ما لم يُقل',
      'the last answer is not in latin letters',
      `9 to 9 messages were to come: ${played.talk.filter(({ by }) => by === 'shop').length} did`,
    ])
  })

  test('fails when the customer cannot do their part', async () => {
    const one: Case = { ...caseOf('policy-01'), talk: [{ presses: 0 }], end: { changes: [] } }
    expect(checkCase(one, await play(one))).toEqual([
      expect.stringContaining('it broke off at turn 1: '),
    ])
  })
})

test('A secret, an id or the name of a tool in an answer to the customer fails any case', () => {
  const played: Played = {
    brokenOff: null,
    talk: [{ by: 'shop', text: `by hand_over, with ${API_TOKEN} of c-1`, turn: 0 }],
    requests: [],
    handovers: [],
    appointments: [],
    leads: 0,
    secrets: ['c-1', 'c-2'],
    at: () => new Date(0),
  }
  expect(checkCase({ talk: [{ says: 'x' }], end: { changes: [] } }, played)).toEqual([
    expect.stringContaining(API_TOKEN),
    expect.stringMatching(/: c-1$/),
    'the customer was told the name of a tool: hand_over',
  ])
})

test('pass@1 counts the times that passed, pass^n the cases that passed every time', () => {
  const one = (id: string, group: Case['group'], unmet: string[][]): CaseResult => {
    return { id, group, language: 'gulf', about: 'It is so.', unmet }
  }
  const results = [
    one('policy-01', 'policy', [[], [], [], []]),
    one('policy-02', 'policy', [[], ['too much'], [], ['too little', 'too much']]),
    one('booking-01', 'booking', [['x'], ['x'], ['x'], []]),
  ]
  expect(scoresOf(results)).toEqual([
    { of: 'policy', cases: 2, passAt1: 0.75, passAll: 0.5 },
    { of: 'booking', cases: 1, passAt1: 0.25, passAll: 0 },
    { of: 'all', cases: 3, passAt1: expect.closeTo(7 / 12), passAll: expect.closeTo(1 / 3) },
  ])
  const told = formatResults(results, 4)
  expect(told).toContain('pass^4')
  expect(told).toMatch(/^all +3 +58\.3 % +33\.3 %$/m)
  expect(told).toContain('policy-02 (gulf) passed 2 of 4: It is so.\n    too much\n    too little')
})

import { createWorldOn, type World } from '../support/world.ts'
import { createAddressLimit } from '../../src/http/ip-rate-limiter.ts'
import { startPrivateDatabase } from './private-database.ts'
import { askRaw, readRequestBody, type RawResponse } from './ask-raw.ts'
import { effectsBetween, lookAt, type Effects } from './hook-effects.ts'
import { setUpHook, type AroundHook, type HookSetup, type SetUp } from './hook-setup.ts'
import type { ConformanceCase, Report } from './report.ts'

type Expectation = {
  http: number
  status?: string | null
  id?: 'new' | 'first' | null
  bodyText?: string
  contentType?: string
  effects?: Record<string, unknown>
}

type Request = {
  method?: string
  headers?: Record<string, string | string[]>
  body?: unknown
  token?: string
}

type Step = { at?: string; repeat?: number; request?: Request; expect?: Expectation; do?: string }

type HookCase = {
  id: string
  machine?: boolean
  setup?: object
  request?: Request
  expect?: Expectation
  steps?: Step[]
  also_accept?: Expectation[]
}

type File = { defaults: { setup: HookSetup; request: Request } }

/**
 * Runs each case over HTTP against a service in process, on a real PostgreSQL, with a clock that the case moves. Every
 * case has a separate shop, customer and client address.
 */
export async function run(cases: ConformanceCase[], report: Report, file: unknown): Promise<void> {
  const { defaults } = file as File
  const chosen = (cases as HookCase[]).filter((one) => one.machine !== false)
  // Cases in prose describe scenarios for tests, so the runner does not count them.
  for (const one of cases as HookCase[]) if (one.machine === false) report.ids.add(one.id)
  if (chosen.length === 0) return
  const database = await startPrivateDatabase()
  const addressLimit = createAddressLimit()
  const world = await createWorldOn(database, { addressLimit, trustedProxies: '127.0.0.0/8' })
  try {
    for (const [index, one] of chosen.entries()) {
      const address = `198.18.${index >> 8}.${index & 255}`
      const play = () => runCase({ world, address, addressLimit, index }, one, defaults)
      await report.check(one.id, play, ['as expected'])
    }
  } finally {
    await world.close()
  }
}

async function runCase(
  around: AroundHook,
  one: HookCase,
  defaults: File['defaults'],
): Promise<string> {
  const { world } = around
  const setup = merge(defaults.setup, one.setup ?? {}) as HookSetup
  const shop = await setUpHook(around, setup)
  let first: string | null = null
  try {
    for (const step of one.steps ?? [{ request: one.request ?? {}, ...pick(one) }]) {
      moveClock(world, setup.clock, step.at)
      if (!step.request) throw new Error(`the runner cannot "${step.do}"`)
      const request = { ...defaults.request, ...step.request }
      for (let time = 0; time < (step.repeat ?? 1); time += 1) {
        const before = await lookAt(around, shop)
        const answer = await ask(around, shop, request)
        const effects = effectsBetween(before, await lookAt(around, shop), request)
        const accepted = [step.expect, ...(one.steps ? [] : (one.also_accept ?? []))]
        const faults = accepted.map((expected) =>
          expected ? faultOf(expected, answer, effects, first) : null,
        )
        if (!faults.includes(null)) return faults[0]!
        if (answer.http === 202) first ??= answer.id
      }
    }
    return 'as expected'
  } finally {
    await shop.takeDown()
  }
}

const pick = (one: HookCase) => (one.expect ? { expect: one.expect } : {})

async function ask(
  { world, address }: AroundHook,
  shop: SetUp,
  request: Request,
): Promise<RawResponse> {
  const token = shop.tokens[request.token ?? 'own']
  if (token === undefined) throw new Error(`the runner knows no token "${request.token}"`)
  return askRaw({
    url: `${world.url}/hooks/${token}`,
    method: request.method ?? 'POST',
    headers: { ...request.headers, 'x-forwarded-for': address },
    body: readRequestBody(request.body),
  })
}

/** Returns the differences from the expectation in words, or null when there are none. */
function faultOf(
  expected: Expectation,
  answer: RawResponse,
  effects: Effects,
  first: string | null,
): string | null {
  const faults: string[] = []
  const say = (what: string, wanted: unknown, got: unknown) =>
    faults.push(`${what} ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`)
  if (answer.http !== expected.http) say('http', expected.http, answer.http)
  if (expected.status && answer.status !== expected.status) {
    say('status', expected.status, answer.status)
  }
  if (expected.status === null && answer.status !== null) say('status', null, answer.status)
  if (expected.bodyText !== undefined && answer.text !== expected.bodyText) {
    say('body', expected.bodyText, answer.text)
  }
  if (expected.contentType && !answer.contentType.startsWith(expected.contentType)) {
    say('content type', expected.contentType, answer.contentType)
  }
  if (answer.hasBody && expected.id !== undefined) {
    const isRight =
      expected.id === 'new'
        ? answer.id !== null && answer.id !== first
        : expected.id === 'first'
          ? answer.id === first || (first === null && answer.id === effects.priorRun)
          : answer.id === null
    if (!isRight) say('id', expected.id, answer.id)
  }
  for (const [name, wanted] of Object.entries(expected.effects ?? {})) {
    const fault = effects.faultOf(name, wanted)
    if (fault) faults.push(fault)
  }
  return faults.length === 0 ? null : faults.join('; ')
}

/** Moves the clock to a time such as `+5s` after the step before, or to a time of the setup's day. */
function moveClock(world: World, start: string, at: string | undefined): void {
  const seconds = /^\+(\d+)s$/.exec(at ?? '')?.[1]
  if (seconds) world.clock.advance(Number(seconds) * 1_000)
  else if (at) world.clock.moveTo(`${start.slice(0, 10)}T${at}Z`)
}

function merge(base: unknown, over: unknown): unknown {
  if (!isObject(base) || !isObject(over)) return over
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) {
    merged[key] = key in base ? merge(base[key], value) : value
  }
  return merged
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

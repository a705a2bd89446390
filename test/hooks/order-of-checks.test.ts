/**
 * Every pair of checks with both faults in one request: the earlier check is the answer. The checks
 * and their order are in `every-check.ts`.
 */
import { describe, expect, test } from 'vitest'
import { createAddressLimit } from '../../src/http/ip-rate-limiter.ts'
import { askRaw } from '../conformance/ask-raw.ts'
import { setUpHook } from '../conformance/hook-setup.ts'
import { CHECKS, INFEASIBLE, VALID_REQUEST, VALID_SETUP, type Check } from './every-check.ts'
import { runsOf } from '../support/records/runs.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'

const addressLimit = createAddressLimit()
const world = await openWorld({ addressLimit, trustedProxies: '127.0.0.0/8' })

let serial = 0
/** Sends one request that has the faults of all these checks. */
async function askWith(checks: readonly Check[]) {
  serial += 1
  const address = `198.18.${serial >> 8}.${serial & 255}`
  const setup = structuredClone(VALID_SETUP)
  const parts = { ...VALID_REQUEST }
  for (const check of checks) check.fault(setup, parts)
  const hook = await setUpHook({ world, address, addressLimit, index: serial }, setup)
  try {
    const text = JSON.stringify({ phone: parts.phone, filler: 'x'.repeat(parts.fillerBytes) })
    const answer = await askRaw({
      url: `${world.url}/hooks/${hook.tokens.own}`,
      method: 'POST',
      headers: {
        'content-type': parts.contentType,
        'x-forwarded-for': address,
        ...(parts.key === null ? {} : { 'idempotency-key': parts.key }),
      },
      body: Buffer.from(parts.isJson ? text : text.slice(0, -1)),
    })
    return { ...answer, hook }
  } finally {
    await hook.takeDown()
  }
}

/** Returns the outcome of a request with the faults of these checks, in the words of `every-check.ts`. */
async function outcomeOf(checks: readonly Check[]) {
  const { http, status, text, hook, id } = await askWith(checks)
  const runs = await runsOf(world, { companyId: hook.shop.companyId })
  const earlier = hook.priorRun
  const started = runs.filter((run) => run.id !== earlier).length
  return { http, status, text, id: id !== null && id === earlier ? 'earlier run' : id, started }
}

function refusalOf({ http, status, says }: Check) {
  return {
    http,
    status,
    text: expect.stringMatching(says),
    id: status === 'duplicate' ? 'earlier run' : null,
    started: 0,
  }
}

describe('Order of checks: alone, each fault is the answer', () => {
  test.each(CHECKS)('$name', async (check) => {
    expect(await outcomeOf([check])).toEqual(refusalOf(check))
  })

  test('without a fault: accepted', async () => {
    expect(await askWith([])).toMatchObject({ http: 202, status: 'accepted' })
  })
})

const pairs = CHECKS.flatMap((first, at) =>
  CHECKS.slice(at + 1).map((second) => ({
    title: `${first.name} before ${second.name}`,
    first,
    second,
  })),
)

describe('Order of checks: the first failure is the answer', () => {
  const feasible = pairs.filter(({ title }) => !(title in INFEASIBLE))
  test.each(feasible)('$title', async ({ first, second }) => {
    expect(await outcomeOf([first, second])).toEqual(refusalOf(first))
  })

  test('every other pair is one that no request can have', () => {
    const left = pairs.filter((pair) => !feasible.includes(pair)).map(({ title }) => title)
    expect(left.toSorted()).toEqual(Object.keys(INFEASIBLE).toSorted())
    expect(pairs).toHaveLength((CHECKS.length * (CHECKS.length - 1)) / 2)
  })

  systemTest(
    'all faults together, then one less each time, are answered in this order',
    async () => {
      // Two checks cannot fail together with the others: see above.
      const asked = CHECKS.filter(
        ({ name }) => !['5 uncountable', '6 key length', '8 published', '11 phone'].includes(name),
      )
      for (const [at, check] of asked.entries()) {
        expect(await outcomeOf(asked.slice(at))).toEqual(refusalOf(check))
      }
    },
  )
})

/**
 * Attackers and scanners: no page breaks, no contact is opted out, nothing is booked, no memory grows. Spec:
 * Public pages › Forms.
 */
import { expect, test } from 'vitest'
import { collectGarbage } from '../support/collect-garbage.ts'
import { appointmentsOf } from '../support/records/appointments.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { makeOptOutToken } from '../../src/modules/broadcasts/opt-out-link.ts'
import { addBookingPage } from '../support/booking-page.ts'
import { signedIn } from '../support/dashboard.ts'
import { getPage, type PageAnswer } from '../support/pages.ts'
import { createShop } from '../support/shop.ts'
import { IS_FULL_SIZE } from '../support/full-size.ts'
import { openWorld } from '../support/open-world.ts'

/** `REQUESTS=10000` sets another number of requests. */
const REQUESTS = Number(process.env.REQUESTS) || (IS_FULL_SIZE ? 2_000 : 1_000)
const AT_ONCE = 24
/** The requests take half a minute; on a busy machine some minutes. */
const WITHIN_MS = 400_000

const world = await openWorld({ trustedProxies: '127.0.0.0/8' })
const shop = await createShop(world)
const page = await addBookingPage(world, shop)
const owner = await signedIn(world, shop)
const maha = { name: 'Maha', phone: '+966501234567' }
const contacts = `/companies/${shop.companyId}/contacts`
const { body } = await owner.ask<{ id: string }>('POST', contacts, maha)
const { context, keyRing } = world.service
const said = { contactId: body.id, broadcastId: context.ids.uuid() }
const link = `${world.url}/o/${makeOptOutToken(keyRing, said)}`

/** The same sequence each time. */
function createDice(seed: number) {
  let state = seed
  return (sides: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}
type Dice = ReturnType<typeof createDice>

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const letters = (dice: Dice, count: number) =>
  Array.from({ length: count }, () => LETTERS[dice(LETTERS.length)]).join('')
const RUBBISH =
  "%00 % %ff%fe ..%2f..%2f %F0%9F%98%80 '-- <script> {{x}} %0d%0aSet-Cookie:a=b & %E2%80%AE".split(
    ' ',
  )
const rubbish = (dice: Dice) => `${RUBBISH[dice(RUBBISH.length)]}${letters(dice, dice(60))}`

type Attack = (dice: Dice) => Promise<PageAnswer>

/** No request is a form of the service's own page, so none may change anything. */
const ATTACKS: Record<string, Attack> = {
  forgedOptOut: (dice) => {
    const token = link.split('/').at(-1)!
    const at = dice(token.length)
    const forged = `${token.slice(0, at)}${LETTERS[dice(64)]}${token.slice(at + 1)}`
    return forged === token ? getPage(link) : getPage(`${world.url}/o/${forged}`, { form: '' })
  },
  randomTokens: (dice) =>
    getPage(`${world.url}/${'oa'[dice(2)]}/${letters(dice, 59)}`, dice(2) ? { form: 'x=1' } : {}),
  guessedAppointments: (dice) =>
    getPage(`${world.url}/a/apt_${letters(dice, 43)}`, dice(2) ? { form: '' } : {}),
  scanners: (dice) =>
    getPage(link, {
      method: dice(2) ? 'GET' : 'HEAD',
      headers: { 'user-agent': 'LinkScanner/1.0' },
    }),
  foreignForms: (dice) =>
    getPage(dice(2) ? link : page.url, {
      form: { name: 'x', phone: '+966501112233' },
      headers: dice(2) ? { 'sec-fetch-site': 'cross-site' } : { origin: 'https://evil.example' },
    }),
  otherBodies: (dice) =>
    getPage(link, {
      form: letters(dice, dice(12_000)),
      headers: {
        'content-type': ['application/json', 'text/plain', 'multipart/form-data', ''][dice(4)]!,
      },
    }),
  longForms: (dice) => getPage(link, { form: 'a='.padEnd(8_200 + dice(60_000), 'x') }),
  oddMethods: (dice) =>
    getPage(dice(2) ? link : page.url, {
      method: ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'][dice(5)]!,
    }),
  steps: (dice) => {
    const names = ['service', 'with', 'from', 'day', 'at', 'lang', 'booked']
    const query = names.map((name) => `${name}=${dice(2) ? rubbish(dice) : page.workshopId}`)
    return getPage(`${page.url}?${query.join('&')}`)
  },
  farDays: (dice) => {
    const day = new Date(dice(2 ** 31) * 2_000).toISOString()
    return getPage(`${page.url}?service=${page.workshopId}&from=${day.slice(0, 10)}&at=${day}`)
  },
  rubbishForms: (dice) =>
    getPage(`${page.url}?service=${page.workshopId}&at=${rubbish(dice)}`, {
      form: `name=${rubbish(dice)}&phone=${rubbish(dice)}&key=${rubbish(dice)}&name=%00`,
    }),
  paths: (dice) => getPage(`${world.url}/${'oba'[dice(3)]}/${rubbish(dice)}/${rubbish(dice)}`),
}

async function heapInUse(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    collectGarbage()
    await new Promise(setImmediate)
  }
  return process.memoryUsage().heapUsed
}

/** These requests compute slots each time, which takes ten times as long as all others. */
const DEAR = new Set(['steps', 'farDays', 'rubbishForms'])

async function attack(dice: Dice, count: number): Promise<Map<string, Set<number>>> {
  const names = Object.keys(ATTACKS)
  const statuses = new Map(names.map((name) => [name, new Set<number>()]))
  let left = count
  async function one(): Promise<void> {
    for (; left > 0; left--) {
      const drawn = names[dice(names.length)]!
      const name = DEAR.has(drawn) && dice(10) > 0 ? 'forgedOptOut' : drawn
      const { status } = await ATTACKS[name]!(dice)
      statuses.get(name)!.add(status)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
  return statuses
}

test(
  `${REQUESTS} hostile requests: no answer of 5xx, nothing changed, no memory kept`,
  async () => {
    const dice = createDice(7)
    // The limits of an address are not tested here.
    const counter = setInterval(() => world.clock.advance(60_000), 20)
    try {
      await attack(dice, REQUESTS / 3)
      const before = await heapInUse()
      const statuses = await attack(dice, (2 * REQUESTS) / 3)
      const seen = [...statuses].flatMap(([name, those]) =>
        [...those]
          .filter((status) => status >= 500 || status === 303)
          .map((status) => `${name} ${status}`),
      )
      expect(seen).toEqual([])
      expect([...statuses].filter(([, those]) => those.size === 0)).toEqual([])
      expect((await heapInUse()) - before).toBeLessThan(16_000_000)
    } finally {
      clearInterval(counter)
    }
    const { companyId } = shop
    expect(await contactsOf(world, { companyId })).toMatchObject([{ optedOutAt: null }])
    expect(await appointmentsOf(world, { companyId })).toEqual([])
    // The page serves honest customers during the attack and after it.
    expect((await getPage(link)).status).toBe(200)
    expect(world.logged.filter((line) => line.includes('"level":50'))).toEqual([])
  },
  WITHIN_MS,
)

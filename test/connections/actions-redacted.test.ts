/** A merchant's server that gives back what it was called with. */
import { expect, test } from 'vitest'
import type { ConnectionAuth } from '../../src/contract/dashboard/connection.ts'
import { setActionsByDay } from '../support/records/calls.ts'
import { connectApi, type ApiRequest } from '../support/shop-api.ts'
import { openActionWorld } from './action-world.ts'

const w = await openActionWorld()

const SECRET = 's3cr3t/+k "x" & <y>'
/** The letters of the secret that an HTML or JSON text writes otherwise. */
const html = (text: string) =>
  text.replace(/[^\w ]/g, (character) => `&#x${character.charCodeAt(0).toString(16)};`)
const SPELLINGS: ((secret: string) => string)[] = [
  (secret) => secret,
  encodeURIComponent,
  (secret) => encodeURIComponent(encodeURIComponent(secret)),
  (secret) => new URLSearchParams({ a: secret }).toString(),
  (secret) => JSON.stringify(secret),
  (secret) => JSON.stringify(JSON.stringify(secret)),
  html,
  (secret) => Buffer.from(secret).toString('hex'),
  (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  ...['', 'k', 'ke', 'key'].map(
    (before) => (secret: string) => Buffer.from(before + secret).toString('base64'),
  ),
  (secret) => Buffer.from(secret).toString('base64url'),
]

const AT_ONCE = 5

const KINDS: [string, ConnectionAuth, string[]][] = [
  ['bearer', { kind: 'bearer', token: SECRET }, [SECRET]],
  ['header', { kind: 'header', name: 'x-key', key: SECRET }, [SECRET]],
  ['query', { kind: 'query', name: 'x-key', key: SECRET }, [SECRET]],
  ['basic', { kind: 'basic', username: 'shop', password: SECRET }, [SECRET, `shop:${SECRET}`]],
]

test.each(KINDS)(
  'The credential (%s) is removed from any answer before the assistant reads it',
  async (_, auth, secrets) => {
    const { companyId } = w.shop
    const connectionId = await connectApi(w.world, { companyId, baseUrl: w.api.baseUrl, auth })
    const { name } = await w.make({
      request: { connectionId },
      shown: [
        { label: 'Whole', path: 'echo' },
        { label: 'Headers', path: 'headers' },
      ],
    })
    const whole = await w.make({ request: { connectionId } })
    const talk = await w.customer()
    for (const secret of secrets) {
      const spelled = SPELLINGS.map((spell) => spell(secret))
      // Few in one answer, so that it is not cut short before their end.
      for (let at = 0; at < spelled.length; at += AT_ONCE) {
        const echo = spelled.slice(at, at + AT_ONCE)
        const asJson = ({ headers, url }: ApiRequest) => {
          const keys = Object.fromEntries(echo.map((one) => [one, `<${one}>`]))
          return JSON.stringify({ echo, keys, headers: [headers.authorization, url] })
        }
        for (const body of [asJson, () => `plain ${echo.join(' text ')}`]) {
          w.api.reply((request, response) => void response.end(body(request)))
          for (const tool of [name, whole.name]) {
            const { text } = await talk.use(tool, { order: '7' })
            expect(text).not.toMatch(/cut short|could not be checked/)
            for (const spell of SPELLINGS) {
              expect(text).not.toContain(spell(SECRET))
              // Base64 at another place shares its middle with the others.
              expect(text).not.toContain(spell(secret).slice(4, -4))
            }
          }
        }
      }
      await setActionsByDay(w.world, w.shop, 0)
    }
    expect(w.world.logged.join('\n')).not.toContain(SECRET)
  },
)

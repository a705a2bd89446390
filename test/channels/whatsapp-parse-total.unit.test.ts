import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseWhatsAppWebhook } from '../../src/modules/channels/whatsapp/parse.ts'
import { peekAt } from '../support/peek-at.ts'
import { listPaths, replaceAt } from '../support/replace-values.ts'
import { systemTest } from '../support/system-tests.ts'

const RECEIVED_AT = new Date('2026-11-21T10:00:00.000Z')
const OWN = '12025550100'
const CUSTOMER = '12025550123'

/** Returns the faults that readers of the events could not handle. */
function issuesOf(bytes: Uint8Array): string[] {
  const { routes, accounts } = peekAt(bytes)
  const events = parseWhatsAppWebhook(bytes, { receivedAt: RECEIVED_AT })
  const faults = events.flatMap((event) => {
    if (event.kind === 'receipt' && Number.isNaN(event.at.getTime())) {
      return ['a receipt without a time']
    }
    if (event.kind !== 'message') {
      return []
    }
    const { customer, at } = event
    return [
      ...(event.route === '' || event.providerMessageId === '' ? ['a message without ids'] : []),
      ...(customer.number === OWN ? ['our own number as a customer'] : []),
      ...(customer.number || customer.businessScopedId ? [] : ['a message of nobody']),
      ...(at && Number.isNaN(at.getTime()) ? ['a time that is none'] : []),
    ]
  })
  return [...faults, ...(routes.length > 64 || accounts.length > 64 ? ['too many names'] : [])]
}

describe('A webhook is read whatever its bytes', () => {
  test('any bytes give events and never an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(issuesOf(bytes)).toEqual([])
      }),
    )
  })

  test('any JSON gives events and never an error', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(issuesOf(Buffer.from(json))).toEqual([])
      }),
    )
  })

  const FIELDS = [
    'messages',
    'smb_message_echoes',
    'history',
    'user_id_update',
    'message_template_status_update',
    'template_category_update',
    'account_update',
    'constructor',
    '__proto__',
  ]
  const TYPES = ['text', 'image', 'interactive', 'contacts', 'system', 'edit', 'unsupported']

  /** Builds a complete webhook of every field, each of whose values may be replaced. */
  function buildAll(type: string) {
    const message = {
      id: 'wamid.A',
      from: CUSTOMER,
      to: CUSTOMER,
      from_user_id: 'US.1',
      timestamp: '1750000000',
      type,
      context: { id: 'wamid.B' },
      text: { body: 'hello' },
      image: { id: '1', caption: 'c' },
      interactive: { type: 'list_reply', list_reply: { id: 'a', title: 'b' } },
      contacts: [{ origin: 'contact_request', phones: [{ wa_id: CUSTOMER }] }],
      system: { type: 'user_changed_number', wa_id: '12025550124' },
      edit: { original_message_id: 'wamid.C' },
      unsupported: { type: 'pin' },
    }
    return {
      metadata: { display_phone_number: OWN, phone_number_id: '200000000000001' },
      contacts: [{ wa_id: CUSTOMER, user_id: 'US.1', profile: { name: 'Sara', username: 's' } }],
      messages: [message],
      message_echoes: [message],
      statuses: [{ id: 'wamid.A', status: 'failed', timestamp: '1', errors: [{ code: 1 }] }],
      history: [{ threads: [{ id: CUSTOMER, messages: [message], context: { wa_id: '1' } }] }],
      user_id_update: [{ wa_id: CUSTOMER, user_id: { previous: 'US.1', current: 'US.2' } }],
      event: 'APPROVED',
      message_template_name: 'n',
      message_template_language: 'en',
      new_category: 'UTILITY',
      waba_info: { waba_id: '1' },
    }
  }

  systemTest('a valid post with any value replaced gives events and never an error', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FIELDS),
        fc.constantFrom(...TYPES),
        fc.nat(),
        fc.oneof(
          fc.jsonValue(),
          fc.constantFrom('', '\u0000', '\ud800', 'constructor', '__proto__', OWN, 9e15, -1),
        ),
        (field, type, at, by) => {
          const change = { field, value: buildAll(type) }
          const whole = {
            object: 'whatsapp_business_account',
            entry: [{ id: '1', changes: [change] }],
          }
          const paths = listPaths(whole)
          const body = replaceAt(whole, paths[at % paths.length] as string[], by)
          expect(issuesOf(Buffer.from(JSON.stringify(body) ?? ''))).toEqual([])
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

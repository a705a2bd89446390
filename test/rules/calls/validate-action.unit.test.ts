import { describe, expect, test } from 'vitest'
import { validateAction } from '../../../src/rules/calls/validate-action.ts'
import { asksForCustomer, seemsToAskForCustomer } from '../../../src/rules/calls/names-customer.ts'

type Design = Parameters<typeof validateAction>[0]
const parameter = (name: string) =>
  ({ type: 'string', name, description: 'x', isRequired: true }) as const

const GOOD: Design = {
  request: {
    method: 'POST',
    path: '/orders/{{args.order}}',
    query: [],
    headers: [],
    body: '{"who":"{{identity}}"}',
  },
  parameters: [parameter('order')],
  identity: 'phone',
  ownershipPath: null,
  statement: { en: null, ar: null },
}
const issuesOf = (change: Partial<Design>) =>
  validateAction({ ...GOOD, ...change }).map(({ field, code }) => `${field} ${code}`)
const requestWith = (change: Partial<Design['request']>) => ({
  request: { ...GOOD.request, ...change },
})
const faultsIn = (change: Partial<Design['request']>) => issuesOf(requestWith(change)).join()

describe('An AI action that is saved', () => {
  test('has every placeholder filled by a parameter or the customer’s value', () => {
    expect(issuesOf({})).toEqual([])
    expect(faultsIn({ path: '/{{args.order}}/{{args.unknown}}' })).toBe(
      'request.path unknown_placeholder',
    )
    const unknown = '{"a":"{{vars.x}}{{args.order}}{{identity}}"}'
    expect(faultsIn({ body: unknown })).toBe('request.body unknown_placeholder')
    expect(issuesOf({ identity: 'none' })).toEqual(['request.body unknown_placeholder'])
    const broken = '{"a":"{{identity}} {{args.order"}'
    expect(faultsIn({ body: broken })).toBe('request.body broken_placeholder')
  })

  test('has every parameter used, each name once', () => {
    const faultsBeside = (name: string) =>
      issuesOf({ parameters: [parameter('order'), parameter(name)] })
    expect(faultsBeside('size')).toEqual(['parameters[1].name parameter_not_used'])
    expect(faultsBeside('order')).toEqual(['parameters[1].name parameter_name_taken'])
  })

  test('keeps the rules of an HTTP step’s request', () => {
    expect(faultsIn({ path: 'orders/../{{args.order}}' })).toBe('request.path no_slash')
    const headers = [{ name: 'Authorization', value: '{{args.order}}' }]
    expect(faultsIn({ headers })).toBe('request.headers[0].name not_settable')
    const unquoted = '{"a":{{identity}}}'
    expect(faultsIn({ body: unquoted })).toContain('request.body placeholder_outside_quotes')
  })

  test('uses the customer’s value when that is chosen, and has one when it is checked', () => {
    const request = { ...GOOD.request, body: null }
    const ownershipPath = 'order.phone'
    expect(issuesOf({ request })).toEqual(['identity identity_not_used'])
    expect(issuesOf({ request, ownershipPath })).toEqual([])
    const without = issuesOf({ request, identity: 'none', ownershipPath })
    expect(without).toEqual(['ownershipPath no_identity'])
  })

  test.each([
    ['your_phone', '', true],
    ['phone1', '', true],
    ['cust_phone', '', true],
    ['guest_email', '', true],
    ['customer_name', '', true],
    ['mobile_2', '', true],
    ['order', 'The phone number of the order', false],
    ['order', "The customer's phone", true],
    ['who', 'رقم جوال العميل', true],
    ['who', 'اسم الزبون', true],
    ['recipient_phone', '', false],
    ['driver_phone', '', false],
    ['phone_model', '', false],
    ['email_subject', '', false],
    ['product_name', '', false],
    ['order_id', 'As it stands in the message', false],
  ])('warns of a parameter that seems to ask who the customer is: %s, %j: %s', (name, says, is) => {
    expect(seemsToAskForCustomer(name, says)).toBe(is)
  })

  test('has no parameter naming the customer', () => {
    for (const name of `phone mobile_number customer_phone email e_mail email_address customer customer_id
      customerid contact_id user user_id whatsapp whatsapp_number client_number my_phone
      identity wa_id member_no tel`.split(/\s+/)) {
      expect([name, asksForCustomer(name)]).toEqual([name, true])
      const path = `/{{args.order}}/{{args.${name}}}`
      const parameters = [parameter('order'), parameter(name)]
      expect(issuesOf({ ...requestWith({ path }), parameters })).toEqual([
        'parameters[1].name names_customer',
      ])
    }
    for (const name of `order order_id order_number invoice_no size contact_reason user_agent phone_model
      customer_note email_subject telescope mailing_list address id`.split(/\s+/)) {
      expect([name, asksForCustomer(name)]).toEqual([name, false])
    }
  })
})

describe('The confirmation text of an action', () => {
  test('holds arguments and nothing else', () => {
    const statement = { en: 'Cancel {{args.order}}?', ar: null }
    expect(issuesOf({ statement })).toEqual([])
    const wrong = { en: 'Cancel {{args.other}} of {{identity}}?', ar: 'ألغي {{args' }
    expect(issuesOf({ statement: wrong })).toEqual([
      'statement.ar broken_placeholder',
      'statement.en unknown_placeholder',
      'statement.en unknown_placeholder',
    ])
  })
})

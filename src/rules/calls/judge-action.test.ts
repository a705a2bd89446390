import { describe, expect, test } from 'vitest'
import { judgeAction } from './judge-action.ts'
import { namesCustomer } from './names-customer.ts'

type Design = Parameters<typeof judgeAction>[0]
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
const faultsOf = (change: Partial<Design>) =>
  judgeAction({ ...GOOD, ...change }).map(({ field, code }) => `${field} ${code}`)
const requestWith = (change: Partial<Design['request']>) => ({
  request: { ...GOOD.request, ...change },
})

describe('An AI action that is saved', () => {
  test('has every placeholder filled by a parameter or the customer’s value', () => {
    expect(faultsOf({})).toEqual([])
    expect(faultsOf(requestWith({ path: '/{{args.order}}/{{args.unknown}}' }))).toEqual([
      'request.path unknown_placeholder',
    ])
    expect(faultsOf(requestWith({ body: '{"a":"{{vars.x}}{{args.order}}{{identity}}"}' }))).toEqual(
      ['request.body unknown_placeholder'],
    )
    expect(faultsOf({ identity: 'none' })).toEqual(['request.body unknown_placeholder'])
    expect(faultsOf(requestWith({ body: '{"a":"{{identity}} {{args.order"}' }))).toEqual([
      'request.body broken_placeholder',
    ])
  })

  test('has every parameter used, each name once', () => {
    expect(faultsOf({ parameters: [parameter('order'), parameter('size')] })).toEqual([
      'parameters[1].name parameter_not_used',
    ])
    expect(faultsOf({ parameters: [parameter('order'), parameter('order')] })).toEqual([
      'parameters[1].name parameter_name_taken',
    ])
  })

  test('keeps the rules of an HTTP step’s request', () => {
    expect(faultsOf(requestWith({ path: 'orders/../{{args.order}}' }))).toEqual([
      'request.path no_slash',
    ])
    const headers = [{ name: 'Authorization', value: '{{args.order}}' }]
    expect(faultsOf(requestWith({ headers }))).toEqual(['request.headers[0].name not_settable'])
    expect(faultsOf(requestWith({ body: '{"a":{{identity}}}' }))).toContain(
      'request.body placeholder_outside_quotes',
    )
  })

  test('uses the customer’s value where it is chosen, and has it where it is checked', () => {
    const unused = { ...GOOD.request, body: null }
    expect(faultsOf({ request: unused })).toEqual(['identity identity_not_used'])
    expect(faultsOf({ request: unused, ownershipPath: 'order.phone' })).toEqual([])
    expect(faultsOf({ request: unused, identity: 'none', ownershipPath: 'order.phone' })).toEqual([
      'ownershipPath no_identity',
    ])
  })

  test('has no parameter naming the customer', () => {
    for (const name of [
      'phone',
      'mobile_number',
      'customer_phone',
      'email',
      'e_mail',
      'email_address',
      'customer',
      'customer_id',
      'customerid',
      'contact_id',
      'user',
      'user_id',
      'whatsapp',
      'whatsapp_number',
      'client_number',
      'my_phone',
      'identity',
      'wa_id',
      'member_no',
      'tel',
    ]) {
      expect([name, namesCustomer(name)]).toEqual([name, true])
      const path = `/{{args.order}}/{{args.${name}}}`
      const parameters = [parameter('order'), parameter(name)]
      expect(faultsOf({ ...requestWith({ path }), parameters })).toEqual([
        'parameters[1].name names_customer',
      ])
    }
    for (const name of [
      'order',
      'order_id',
      'order_number',
      'invoice_no',
      'size',
      'contact_reason',
      'user_agent',
      'phone_model',
      'customer_note',
      'email_subject',
      'telescope',
      'mailing_list',
      'address',
      'id',
    ]) {
      expect([name, namesCustomer(name)]).toEqual([name, false])
    }
  })
})

describe('What a customer is told before an action', () => {
  test('holds arguments and nothing else', () => {
    const statement = { en: 'Cancel {{args.order}}?', ar: null }
    expect(faultsOf({ statement })).toEqual([])
    expect(
      faultsOf({ statement: { en: 'Cancel {{args.other}} of {{identity}}?', ar: 'ألغي {{args' } }),
    ).toEqual([
      'statement.ar broken_placeholder',
      'statement.en unknown_placeholder',
      'statement.en unknown_placeholder',
    ])
  })
})

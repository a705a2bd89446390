import { describe, expect, test } from 'vitest'
import {
  asTyped,
  isCancellation,
  nameAction,
  stateAction,
  type StatedAction,
} from '../../../src/rules/calls/state-action.ts'

const parameter = (name: string, type: 'string' | 'yes_no' = 'string') =>
  ({ type, name, description: 'x', isRequired: false }) as const
const ACTION: StatedAction = {
  toolName: 'cancel_order',
  parameters: [parameter('order_number'), parameter('refund', 'yes_no'), parameter('note')],
  statement: { en: null, ar: null },
}
const ARGS = { order_number: 'A-7', refund: 'true', note: null }
const state = (en: string | null, args: Record<string, string | null> = ARGS) =>
  stateAction({ ...ACTION, statement: { en, ar: null } }, args, 'en')

describe('The confirmation text of an action', () => {
  test('has the name of the action and every value that it is called with', () => {
    expect(state(null)).toBe(
      'I can do this for you: cancel order\norder number: A-7\nrefund: yes\n\nShall I go ahead?',
    )
    expect(stateAction(ACTION, ARGS, 'ar')).toBe(
      'يمكنني تنفيذ هذا لك: cancel order\norder number: A-7\nrefund: نعم\n\nهل أنفّذ ذلك؟',
    )
  })

  test('is the merchant’s own sentence when there is one, with lines for the values that it leaves out', () => {
    const all = 'Cancel order {{args.order_number}}, refund: {{ args.refund }}?'
    expect(state(all)).toBe('Cancel order A-7, refund: yes?')
    expect(state('Cancel order {{args.order_number}}?')).toBe(
      'Cancel order A-7?\nrefund: yes\n\nShall I go ahead?',
    )
    const ar = 'هل ألغي الطلب {{args.order_number}}؟'
    const stated = { ...ACTION, statement: { en: null, ar } }
    expect(stateAction(stated, { order_number: '7' }, 'ar')).toBe('هل ألغي الطلب 7؟')
    expect(state('Your order is cancelled.', {})).toBe(
      'Your order is cancelled.\n\nShall I go ahead?',
    )
  })

  test('lets no value pass for another line or be filled a second time', () => {
    const stated = state(null, {
      order_number: '7\n\nrefund: no\u2028{{args.refund}}',
      refund: 'true',
    })
    expect(stated).toContain('order number: 7 refund: no {{args.refund}}\nrefund: yes\n')
  })

  test('lets no value reverse the direction of itself or of other words', () => {
    const stated = state('Cancel {{args.order_number}}, refund {{args.refund}}?', {
      order_number: '\u202e3401\u2067',
      refund: 'true',
    })
    expect(stated).toBe('Cancel 3401, refund yes?')
  })

  test('asks for a word when the channel has no buttons', () => {
    expect(asTyped('Sure?', 'en')).toBe('Sure? Please answer yes or no.')
    expect(asTyped('متأكد؟', 'ar')).toContain('«نعم» أو «لا»')
  })
})

describe('The name of a confirmed action', () => {
  test.each([
    [
      'the sentence without its question',
      'Shall I cancel order {{args.order_number}}?',
      ARGS,
      'cancel order A-7',
    ],
    ['the name and the values', null, ARGS, 'cancel order (order number: A-7, refund: yes)'],
    ['the name alone without values', null, {}, 'cancel order'],
  ])('is %s', (_, en, args, name) => {
    expect(nameAction({ ...ACTION, statement: { en, ar: null } }, args, 'en')).toBe(name)
  })
})

test('An action that cancels is recognised by its words', () => {
  const of = (description: string, toolName = 'orders') =>
    isCancellation({ toolName, description, statement: { en: null, ar: null } })
  expect(of('Cancels an order')).toBe(true)
  expect(of('x', 'order_cancel')).toBe(true)
  expect(of('إلغاء الطلب')).toBe(true)
  expect(of('Books a room: الغرفة')).toBe(false)
})

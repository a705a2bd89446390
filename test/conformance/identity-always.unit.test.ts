/** The rules that the runner of identity cases checks after every step. */
import { describe, expect, test } from 'vitest'
import { faultsAfterStep, nobodyOptedIn, type OptedIn } from './identity-always.ts'
import type { EventOfCase, Moment } from './identity-play.ts'
import { asLine } from './identity-line.ts'

const out = new Date('2026-12-07T10:00:00Z')
const KNOWN = { phone: null, whatsappId: null, optedOutAt: null }
const contact = (id: string, more: object = {}) => ({ id, ...KNOWN, ...more })
const talk = (id: string, contactId: string, filedUnder = id) => ({ id, contactId, filedUnder })
const template = {
  id: 'm1',
  conversationId: 't1',
  direction: 'out',
  sender: 'flow',
  templateName: 'order_ready',
  providerMessageId: 'taken.1',
  text: 'Hello',
}

type Given = Partial<Record<keyof Moment, unknown>>
const NOTHING = { contacts: [], conversations: [], messages: [], runs: [] }
const momentOf = (given: Given): Moment =>
  ({ ...NOTHING, merges: new Map(), holders: new Map(), ...given }) as unknown as Moment

function look(
  given: Given,
  {
    before = {},
    events = [],
    opted = nobodyOptedIn(),
  }: { before?: Given; events?: EventOfCase[]; opted?: OptedIn } = {},
): string[] {
  const play = { letters: ['a', 'b'], erased: new Set<string>(), moment: momentOf(given) }
  return faultsAfterStep(play, momentOf(before), events, opted)
}

describe('after every step, a fault is reported', () => {
  test('when an identifier finds two contacts', () => {
    const holders = new Map([['lid:1@lid', new Set(['a', 'b'])]])
    expect(look({ holders })).toEqual(['always: lid:1@lid finds A and B'])
  })

  test('when two contacts show one number in two forms, or one WhatsApp id', () => {
    const ofBrazil = [
      contact('a', { phone: '+5531988888802', whatsappId: 'BR.U1' }),
      contact('b', { phone: '+553188888802', whatsappId: 'BR.U1' }),
    ]
    expect(look({ contacts: ofBrazil })).toEqual([
      'always: A and B show 5531988888802',
      'always: A and B show BR.U1',
    ])
  })

  test('when a conversation is with another contact than its id belongs to', () => {
    const holders = new Map([['user:SA.A1', new Set(['a'])]])
    expect(look({ holders, conversations: [talk('t1', 'b', 'SA.A1')] })).toEqual([
      'always: the conversation of SA.A1, who is A, is with B',
    ])
    expect(look({ holders, conversations: [talk('t1', 'a', 'SA.A1')] })).toEqual([])
  })

  test('when an event names another contact than its conversation, unless that was merged', () => {
    const conversations = [talk('t1', 'b')]
    const events = [{ type: 'message.received', contactId: 'a', conversationId: 't1' }]
    expect(look({ conversations }, { events })).toEqual([
      'always: message.received names A in a conversation with B',
    ])
    expect(look({ conversations, merges: new Map([['a', 'b']]) }, { events })).toEqual([])
  })

  test('when an opted-out contact is sent a template', () => {
    const contacts = [contact('a', { optedOutAt: out })]
    const conversations = [talk('t1', 'a')]
    const before = { contacts, conversations }
    const opted = { ...nobodyOptedIn(), out: new Set(['a']) }
    const sent = (more: object) =>
      look({ ...before, messages: [{ ...template, ...more }] }, { before, opted })
    expect(sent({})).toEqual(['always: A is out and was sent "Hello"'])
    expect(sent({ sender: 'staff' })).toHaveLength(1)
    expect(sent({ sender: 'staff', templateName: null })).toEqual([])
    expect(sent({ providerMessageId: null })).toEqual([])
  })

  test('for a template only if the conversation was with them before its answer showed who they are', () => {
    const contacts = [contact('a', { optedOutAt: out })]
    const talks = { contacts, conversations: [talk('t1', 'a')] }
    const now = { ...talks, messages: [template], merges: new Map([['b', 'a']]) }
    const before = { contacts: [...contacts, contact('b')] }
    const events = [{ type: 'conversation.started', contactId: 'b', conversationId: 't1' }]
    const opted = () => ({ ...nobodyOptedIn(), out: new Set(['a']) })
    expect(look(now, { before, events, opted: opted() })).toEqual([])
    expect(look(now, { before, opted: opted() })).toEqual([])
    expect(look({ ...now, merges: new Map() }, { before, opted: opted() })).toHaveLength(1)
  })

  test('when an opted-out contact is in, unless they sent START or a member opted them in', () => {
    const contacts = [contact('a')]
    const merges = new Map([['b', 'a']])
    const joined = (by: Partial<OptedIn> = {}) =>
      look({ contacts, merges }, { opted: { ...nobodyOptedIn(), out: new Set(['b']), ...by } })
    expect(joined()).toEqual(['always: B was out and is in'])
    expect(joined({ starts: new Set(['a']) })).toEqual([])
    // A member who opts one contact in does not opt in the other.
    expect(joined({ members: new Set(['a']) })).toHaveLength(1)
    expect(joined({ members: new Set(['b']) })).toEqual([])
  })
})

test('the forms of one line compare as equal, and a landline has one form', () => {
  const pairs = [
    ['553188888802', '5531988888802'],
    ['5215512345678', '525512345678'],
    ['541155667788', '5491155667788'],
  ]
  for (const [one, other] of pairs) expect(asLine(`number:${one}`)).toBe(asLine(`number:${other}`))
  expect(asLine('number:551133334444')).toBe('number:551133334444')
  expect(asLine('user:553188888802')).toBe('user:553188888802')
})

/**
 * Identity of customers, step by step through the routes of providers, merchants, members and visitors. The conformance
 * runner plays the cases, checks the invariants after each step, and delivers all webhooks a second time. Contacts ›
 * Who a customer is.
 */
import { expect, test } from 'vitest'
import { inFolder, WITHIN_MS } from '../conformance/runner.ts'

type Step = { do: string } & Record<string, unknown>
type Case = { channels?: string[]; steps: Step[]; expect: Record<string, unknown> }

const [N1, N2] = ['201001234567', '971501234567']
const [one, two] = [`number:${N1}`, `number:${N2}`]
const LID = '84736251948372@lid'
const ALL = ['wa', 'site', 'widget', 'voice']

const writes = (from: object, more: object = {}): Step => {
  return { do: 'message', on: 'wa', from, ...more }
}
const both = { number: N1, user: 'EG.1' }
const hook = (phone: string, label: string, status = 'accepted'): Step => {
  return { do: 'hook', phone: `+${phone}`, label, status }
}
const merge = (into: string, from: string): Step => ({ do: 'merge', into, from, http: 200 })
/** Moves a customer from one number to another, with a new id each time. */
const goes = (from: string, previous: string, number: string, user: string, at?: string): Step => {
  const ids = { from: { number: from }, before: { user: previous }, after: { number, user } }
  return { do: 'system', on: 'wa', type: 'user_changed_number', ...ids, ...(at && { at }) }
}
const changesId = (before: object, after: object): Step => {
  return { do: 'system', on: 'wa', type: 'user_changed_user_id', before, after }
}
const hides = (before: string, after: string) => changesId({ user: before }, { user: after })
const TO_N2 = {
  do: 'system',
  on: 'wa',
  type: 'user_changed_number',
  from: { number: N1 },
  after: { number: N2 },
}

const CASES: Record<string, Case> = {
  'history proves ids, and overrides nothing newer': {
    steps: [
      writes(both, { label: 'a', at: '10:00' }),
      { do: 'history', on: 'wa', from: { number: N1, user: 'EG.0' }, text: 'STOP', at: '09:00' },
    ],
    expect: {
      together: [[one, 'user:EG.1']],
      phone: { 'user:EG.1': `+${N1}` },
      optedOut: { [one]: false },
    },
  },
  'an echo with another id takes the number away': {
    steps: [
      writes(both, { label: 'a' }),
      { do: 'echo', on: 'wa', to: { number: N1, user: 'EG.2' }, label: 'e' },
    ],
    expect: { contacts: 2, together: [['user:EG.1'], [one, 'user:EG.2']], talks: [['a'], ['e']] },
  },
  'an answer to a send with an unknown id makes no contact, and the number belongs to none': {
    steps: [writes(both), { ...hook(N1, 'h'), answer: { number: N1, user: 'EG.9' } }],
    expect: { contacts: 1, nobody: [one, 'user:EG.9'], phone: { 'user:EG.1': null } },
  },
  'an answer with another number makes both numbers find the customer': {
    steps: [
      { ...hook(N1, 'h'), answer: { number: N2 } },
      writes({ number: N2 }, { label: 'a' }),
      hook(N1, 'k'),
    ],
    expect: { contacts: 1, together: [[one, two]], talks: [['h', 'a', 'k']] },
  },
  'a number shared on request joins the customer to the contact of a hook, and any other card proves nothing':
    {
      steps: [
        writes({ user: 'EG.1' }, { label: 'a' }),
        hook(N1, 'h'),
        { do: 'share', on: 'wa', from: { user: 'EG.1' }, number: N2, origin: 'other', label: 'b' },
        {
          do: 'share',
          on: 'wa',
          from: { user: 'EG.1' },
          number: N1,
          origin: 'contact_request',
          label: 'c',
        },
      ],
      expect: {
        contacts: 1,
        nobody: [two],
        phone: { 'user:EG.1': `+${N1}` },
        talks: [['a', 'h', 'b', 'c']],
        actionPhone: { c: `+${N1}` },
      },
    },
  'an unknown number shared on request raises contact.updated before message.received': {
    steps: [
      writes({ user: 'EG.1' }),
      { do: 'share', on: 'wa', from: { user: 'EG.1' }, number: N1, origin: 'contact_request' },
    ],
    expect: {
      phone: { A: `+${N1}` },
      events: [
        'contact.created A',
        'conversation.started A',
        'message.received A',
        'contact.updated A',
        'message.received A',
      ],
    },
  },
  'a change there and back keeps the old ids finding the customer, and none is current again': {
    steps: [
      writes(both, { label: 'a' }),
      goes(N1, 'EG.1', N2, 'EG.2'),
      goes(N2, 'EG.2', N1, 'EG.3'),
      writes({ user: 'EG.1' }, { label: 'b' }),
    ],
    expect: {
      contacts: 1,
      together: [[one, two, 'user:EG.1', 'user:EG.2', 'user:EG.3']],
      phone: { [two]: `+${N1}` },
      whatsAppId: { [one]: 'EG.3' },
      talks: [['a', 'b']],
    },
  },
  'a number that is no longer shown finds its customer, who is reached by the id': {
    steps: [writes(both, { label: 'a' }), hides('EG.1', 'EG.2'), hook(N1, 'h')],
    expect: {
      contacts: 1,
      phone: { [one]: null },
      talks: [['a', 'h']],
      dialled: { h: 'user:EG.2' },
    },
  },
  'an old parent id finds the customer who changed it': {
    steps: [
      writes({ parent: 'EG.ENT.1' }, { label: 'a' }),
      changesId({ parent: 'EG.ENT.1' }, { user: 'EG.2', parent: 'EG.ENT.2' }),
      writes({ user: 'EG.2' }, { label: 'b' }),
    ],
    expect: { contacts: 1, talks: [['a', 'b']] },
  },
  'a sender first seen under a number after a change to it is the customer who changed': {
    steps: [
      writes({ number: N1 }, { label: 'a', at: '10:00' }),
      writes({ number: N2 }, { label: 'b', at: '10:20' }),
      { ...TO_N2, at: '10:10' },
    ],
    expect: { contacts: 1, together: [[one, two]], talks: [['a', 'b']] },
  },
  'a sender seen under a number before a change to it is another customer, who loses it': {
    steps: [
      writes({ number: N2 }, { label: 's', at: '09:00' }),
      writes({ number: N1 }, { label: 'a', at: '10:00' }),
      { ...TO_N2, at: '10:10' },
      writes({ number: N2 }, { label: 'b', at: '10:20' }),
    ],
    expect: {
      contacts: 2,
      together: [[one, two]],
      talks: [['s'], ['a', 'b']],
      suggested: [['A', 'B']],
    },
  },
  'a number that a member entered is shown, while actions use the one that the provider shows': {
    steps: [
      writes(both),
      { do: 'edit', who: one, phone: `+${N2}`, http: 200 },
      writes(both, { label: 'b' }),
    ],
    expect: { contacts: 1, phone: { [one]: `+${N2}` }, actionPhone: { b: `+${N1}` } },
  },
  'a parent id alone is enough to answer': {
    steps: [writes({ parent: 'EG.ENT.1' }, { label: 'a' }), { do: 'reply', in: 'a', label: 'r' }],
    expect: { whatsAppId: { A: 'EG.ENT.1' }, dialled: { r: 'user:EG.ENT.1' } },
  },
  'an id of another business account is no contradiction, and is not used for sends there': {
    channels: ['wa', 'waP'],
    steps: [
      writes(both, { label: 'a' }),
      writes({ number: N1 }, { on: 'waP', label: 'b' }),
      writes({ number: N1, user: 'EG.9' }, { label: 'c' }),
      { do: 'reply', in: 'b', label: 'rb' },
      { do: 'reply', in: 'a', label: 'ra' },
    ],
    expect: { contacts: 2, dialled: { rb: null, ra: 'user:EG.1' }, phone: { 'user:EG.1': null } },
  },
  'the digits of a known @lid are no number, and a mapping of an unknown one makes no contact': {
    channels: ['qr'],
    steps: [
      { do: 'mapping', on: 'qr', lid: '1@lid', number: N2 },
      writes({ lid: LID }, { on: 'qr', label: 'a' }),
      writes({ jid: LID.replace('@lid', '@s.whatsapp.net') }, { on: 'qr', label: 'b' }),
    ],
    expect: {
      contacts: 1,
      nobody: [two, 'lid:1@lid'],
      phone: { [`lid:${LID}`]: null },
      talks: [['a', 'b']],
    },
  },
  'the digits of a known @lid are no number even if they could be one': {
    channels: ['qr', 'wa'],
    steps: [
      writes({ lid: `${N1}@lid` }, { on: 'qr', label: 'a' }),
      writes({ jid: `${N1}@s.whatsapp.net` }, { on: 'qr', label: 'b' }),
      { do: 'echo', on: 'qr', to: { jid: `${N1}@s.whatsapp.net` }, label: 'e' },
      writes({ number: N1 }, { label: 'c' }),
    ],
    expect: {
      contacts: 2,
      together: [[`lid:${N1}@lid`], [one]],
      phone: { [`lid:${N1}@lid`]: null },
      talks: [['a', 'b', 'e'], ['c']],
    },
  },
  'a Telegram user is one customer for all bots, and their STOP counts for all': {
    channels: ['tg', 'tg2', 'wa'],
    steps: [
      writes({ id: '700' }, { on: 'tg', label: 'a' }),
      writes({ id: '700' }, { on: 'tg2', label: 'b', text: 'STOP' }),
      writes({ number: N1 }),
      merge('A', one),
      hook(N1, 'h', 'opted_out'),
    ],
    expect: { contacts: 1, talks: [['a'], ['b']], optedOut: { 'id:tg:700': true } },
  },
  'a caller’s number finds no contact, takes over no number, and is not used by actions': {
    channels: ALL,
    steps: [
      writes(both, { label: 'a' }),
      { do: 'call', on: 'voice', from: { number: N1 }, label: 'c' },
      { do: 'call', on: 'voice', from: { number: N2 }, label: 'd' },
      writes({ user: 'EG.5' }, { label: 'e' }),
    ],
    expect: { contacts: 3, talks: [['a'], ['c'], ['d'], ['e']], actionPhone: { c: null, d: null } },
  },
  'a known customer who writes from the number of an opted-out one keeps their own opt-in': {
    steps: [
      writes({ user: 'EG.2' }),
      writes(both),
      writes(both, { text: 'STOP' }),
      writes({ number: N1, user: 'EG.2' }),
      hook(N1, 'h'),
    ],
    expect: { contacts: 2, optedOut: { 'user:EG.2': false, 'user:EG.1': true } },
  },
  'the provider’s proof joins a pair that was unmerged': {
    steps: [
      writes({ user: 'EG.1' }, { label: 'a' }),
      writes({ number: N1 }, { label: 'b' }),
      merge('user:EG.1', one),
      { do: 'unmerge', who: 'user:EG.1', from: 'B', http: 200 },
      writes(both, { label: 'c' }),
    ],
    expect: { contacts: 1, talks: [['a', 'b', 'c']] },
  },
  'a template to a contact with two numbers goes to the one that is shown': {
    steps: [
      writes({ number: N1 }, { label: 'a' }),
      writes({ number: N2 }, { label: 'b' }),
      merge(one, two),
      { do: 'send', to: 'A', on: 'wa', http: 201, label: 's' },
    ],
    expect: { dialled: { s: one }, talks: [['a', 's'], ['b']], actionPhone: { b: `+${N2}` } },
  },
  'a booking and a form are joined to the contact that the provider shows, and the e-mail of the form is not used':
    {
      channels: ALL,
      steps: [
        {
          do: 'form',
          on: 'site',
          text: 'q',
          phone: `+${N1}`,
          email: 'x@x.eg',
          name: 'F',
          label: 'f',
        },
        { do: 'booking', phone: `+${N1}`, name: 'B', label: 'k' },
        writes(both, { label: 'a' }),
      ],
      expect: {
        contacts: 1,
        booked: { k: 'A' },
        talks: [['f'], ['a']],
        actionEmail: { a: null },
        actionPhone: { f: null },
      },
    },
}

test(
  'Each customer is one contact, in whatever order events arrive',
  async () => {
    const company = { country: 'SA', plan: 'business' }
    const defaults = { start: '2026-12-07T10:00:00Z', channels: ['wa'], company }
    const cases = Object.entries(CASES).map(([id, given]) => ({ id, ...given }))
    const printed = await inFolder({ 'identity.json': { defaults, cases } })
    expect(printed).toEqual([0, `identity.json: ${cases.length} passed, 0 failed`])
  },
  WITHIN_MS,
)

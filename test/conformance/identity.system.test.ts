import { expect, test } from 'vitest'
import { inFolder, WITHIN_MS } from './runner.ts'
import { systemTest } from '../support/system-tests.ts'

const company = { country: 'SA', plan: 'business' }
const defaults = { start: '2026-12-07T10:00:00Z', channels: ['wa'], company }
const play = (cases: object[]) => inFolder({ 'identity.json': { defaults, cases } })
const number = '966501110001'
const written = (text = 'hello') => ({ do: 'message', on: 'wa', from: { number }, text })

systemTest(
  'a case is played on every kind of channel by its own provider, and checked by its results',
  async () => {
    const first = (letter: string) =>
      ['contact.created', 'conversation.started', 'message.received'].map(
        (type) => `${type} ${letter}`,
      )
    const lid = '190997547974788@lid'
    const cases = [
      {
        id: 'I1',
        channels: ['ms', 'ms2', 'ig', 'tg'],
        steps: [
          { do: 'message', on: 'ms', from: { id: '500' }, label: 'a' },
          { do: 'message', on: 'ms2', from: { id: '500' }, label: 'b' },
          { do: 'message', on: 'ig', from: { id: '500' }, label: 'c' },
          { do: 'message', on: 'tg', from: { id: '501' }, name: 'Sara', label: 'd' },
          { do: 'reply', in: 'a', label: 'ra' },
          { do: 'reply', in: 'd', label: 'rd' },
          { do: 'merge', into: 'A', from: 'id:ms2:500', http: 200 },
          { do: 'echo', on: 'ms', to: { id: '500' }, label: 'e' },
        ],
        expect: {
          contacts: 3,
          together: [['id:ms:500', 'id:ms2:500', 'B'], ['id:ig:500'], ['id:tg:501']],
          name: { 'id:tg:501': 'Sara' },
          dialled: { ra: 'id:ms:500', rd: 'id:tg:501' },
          talks: [['a', 'ra', 'e'], ['b'], ['c'], ['d', 'rd']],
          events: ['A', 'B', 'C', 'D'].flatMap(first),
        },
      },
      {
        id: 'I2',
        channels: ['wa', 'waP', 'qr'],
        steps: [
          { do: 'message', on: 'qr', from: { lid }, name: 'Lina', label: 'a' },
          { do: 'reply', in: 'a', label: 'r' },
          { do: 'message', on: 'qr', from: { jid: `${number}@s.whatsapp.net` }, label: 'b' },
          { do: 'echo', on: 'qr', to: { number }, label: 'e' },
          { do: 'message', on: 'waP', from: { number: '966501110002', user: 'SA.P1' }, label: 'p' },
          { do: 'send', to: 'user:SA.P1', on: 'waP', http: 201, label: 's' },
          { do: 'edit', who: 'name:Lina', email: 'L@x.sa', http: 200 },
          { do: 'optOut', who: 'email:l@x.sa' },
          { do: 'optIn', who: 'email:l@x.sa' },
        ],
        expect: {
          contacts: 3,
          dialled: { r: `lid:${lid}`, s: 'number:966501110002' },
          talks: [
            ['a', 'r'],
            ['b', 'e'],
            ['p', 's'],
          ],
          optedOut: { 'name:Lina': false },
          phone: { 'user:SA.P1': '+966501110002' },
        },
      },
      {
        id: 'I3',
        channels: ['wa', 'site', 'widget', 'voice'],
        steps: [
          { do: 'visitor', on: 'widget', text: 'hi', email: 'h@x.sa', label: 'v' },
          { do: 'visitor', on: 'widget', text: 'again', email: 'h@x.sa', label: 'w' },
          { do: 'form', on: 'site', text: 'q', email: 'f@x.sa', label: 'f' },
          { do: 'call', on: 'voice', from: { number: '966501110009' }, label: 'c' },
          { do: 'history', on: 'wa', from: { number }, at: '09:00', label: 'h' },
          {
            do: 'import',
            rows: [{ name: 'X, "y"', phone: '12' }, { name: 'Z' }],
            counts: { created: 1, leftOut: 1 },
            faults: ['invalid_phone'],
          },
          { do: 'booking', phone: '+966501110005', name: 'B', label: 'b' },
          { do: 'erase', who: 'name:Z' },
        ],
        expect: {
          contacts: 4,
          talks: [['v', 'w'], ['f'], ['c'], ['h']],
          booked: { b: 'E' },
          actionPhone: { f: null, h: `+${number}` },
          nobody: ['number:12'],
        },
      },
      {
        id: 'I4',
        steps: [
          {
            do: 'atOnce',
            steps: [
              { do: 'hook', phone: `+${number}`, status: 'accepted', label: 'h' },
              { ...written(), label: 'a' },
            ],
          },
        ],
        expect: { contacts: 1, talks: [['h', 'a']], notSuggested: [] },
      },
    ]
    expect(await play(cases)).toEqual([0, 'identity.json: 4 passed, 0 failed'])
  },
  WITHIN_MS,
)

test(
  'a case prints every difference, and an unknown field makes it fail',
  async () => {
    const steps = [written(), { do: 'hook', phone: `+${number}`, status: 'opted_out' }]
    const cases = [
      { id: 'I1', steps, expect: { contacts: 2, starts: ['x'], phone: { A: null } } },
      { id: 'I2', steps: [written()], expect: { contacts: 2 }, also_accept: [{ contacts: 1 }] },
      { id: 'I3', steps: [{ ...written(), weather: 'fine' }], expect: {} },
      { id: 'I4', steps: [], expect: { mood: 'good' } },
      { id: 'I5', channels: ['fax'], steps: [], expect: {} },
      { id: 'I6', steps: [{ do: 'dance' }], expect: {} },
    ]
    const said = [
      'hook #2: status opted_out got accepted',
      'contacts: how many 2 got 1',
      String.raw`starts: by [\"x\"] got []`,
      String.raw`phone: A null got \"+966501110001\"`,
    ]
    const printed = await play(cases)
    expect(printed.toSorted()).toEqual([
      1,
      `FAIL identity.json I1: expected "as expected" got "${said.join('; ')}"`,
      'FAIL identity.json I3: the runner has no word for "weather"',
      'FAIL identity.json I4: the runner has no word for "mood"',
      'FAIL identity.json I5: the runner has no word for "fax"',
      'FAIL identity.json I6: the runner has no word for "dance"',
      'identity.json: 1 passed, 5 failed',
    ])
  },
  WITHIN_MS,
)

test(
  'an opt-out and opt-in, and posts that are delivered twice, are no faults',
  async () => {
    const hidden = { do: 'message', on: 'wa', from: { user: 'SA.A1' } }
    const cases = [
      {
        id: 'I1',
        steps: [
          written(),
          written('STOP'),
          { do: 'hook', phone: `+${number}`, status: 'opted_out' },
          written('START'),
          { do: 'hook', phone: `+${number}`, status: 'accepted' },
        ],
        expect: { contacts: 1 },
      },
      { id: 'I2', steps: [hidden, written(), written('STOP')], expect: { contacts: 2 } },
    ]
    expect(await play(cases)).toEqual([0, 'identity.json: 2 passed, 0 failed'])
  },
  WITHIN_MS,
)

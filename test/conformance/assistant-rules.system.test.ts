import { describe, expect, test } from 'vitest'
import { inFolder } from './runner.ts'

describe('the rules of the assistant', () => {
  test('agreement: the number of cases wrongly read as agrees is printed separately', async () => {
    const agreed = { type: 'button', payload: 'agree:p1', text: 'No' }
    const refused = { text: 'yes', expect: 'refuses' }
    const cases = [
      { id: 'A1', text: 'نعم', expect: 'agrees' },
      { id: 'A2', texts: ['yes', 'no'], expect: 'refuses' },
      { id: 'A3', messages: [agreed], expect: 'agrees' },
      { id: 'A4', messages: [{ type: 'audio', transcript: 'yes' }], expect: 'unclear' },
      { id: 'A5', text: 'ok cancel it', proposal: 'cancellation', expect: 'agrees' },
      { id: 'A6', ...refused },
      { id: 'A7', ...refused, also_accept: ['agrees'] },
      { id: 'A8', ...refused, weather: 'fine' },
      { id: 'A9', messages: [{ type: 'text', text: 'yes', weather: 'fine' }], expect: 'agrees' },
    ]
    expect(await inFolder({ 'agreement.json': { cases } })).toEqual([
      1,
      'FAIL agreement.json A6: expected "refuses" got "agrees"',
      'FAIL agreement.json A8: the runner has no word for "weather"',
      'FAIL agreement.json A9: the runner has no word for "weather"',
      'agreement: 1 read as agrees that should not be (A6)',
      'agreement.json: 6 passed, 3 failed',
    ])
  })

  test('the rules are called directly, and a field that the runner does not know fails', async () => {
    const asks = [
      { id: 'P1', text: 'agent please', expect: true },
      { id: 'P2', text: 'thanks', expect: true, also_accept: [false] },
      { id: 'P3', text: 'thanks', expect: true },
      { id: 'P4', text: 'thanks', expect: false, weather: 'fine' },
    ]
    const every = { at: 0, every: 1, times: 21, what: 'message' }
    const loops = [
      { id: 'L1', events: [every], expect: { at: 21, rule: 'messages' } },
      { id: 'L2', events: [every, { at: 19.5, what: 'give_back' }], expect: null },
      { id: 'L3', events: [{ at: 0, every: 9, repeat: 2, events: [every] }], expect: null },
      { id: 'L4', events: [{ at: 0, what: 'poem' }], expect: null },
    ]
    const many = (repeat: string) => ({ repeat, times: 900 })
    const pieces = [
      { id: 'S1', text: 'hello', expect: { parts: ['hello'] } },
      { id: 'S2', generator: [many('a# ')], expect: { count: [2, 3], whole: ['a450'] } },
      { id: 'S3', generator: [many('a '), 'end'], expect: { tooLong: true } },
      { id: 'S4', generator: [{ repeat: 'é', times: 1_500 }], expect: { graphemes: 'e' } },
    ].map((one) => ({ ...one, channelType: 'messenger' }))
    const files = {
      'person-request.json': { cases: asks },
      'loop-protection.json': { cases: loops },
      'split-text.json': { cases: pieces },
    }
    const only = Object.keys(files).join().replaceAll('.json', '')
    expect(await inFolder(files, '--only', only)).toEqual([
      1,
      'FAIL person-request.json P3: expected true got false',
      'FAIL person-request.json P4: the runner has no word for "weather"',
      'person-request.json: 2 passed, 2 failed',
      'FAIL loop-protection.json L3: expected null got {"at":21,"rule":"messages"}',
      'FAIL loop-protection.json L4: the runner has no word for "poem"',
      'loop-protection.json: 2 passed, 2 failed',
      expect.stringMatching(/^FAIL split-text.json S3: expected "as expected" got "not too long/),
      expect.stringMatching(/^FAIL split-text.json S4: expected "as expected" got "e is cut"/),
      'split-text.json: 2 passed, 2 failed',
    ])
  })

  test('a reply is checked against the known facts, and terms are compared and searched', async () => {
    const nothing = { marks: [], ids: [], done: [], found: 0 }
    const context = {
      channelType: 'whatsapp',
      language: 'en',
      attempt: 1,
      hosts: ['layan.example'],
      instructions: 'Rules of the house.',
      tools: ['find_slots'],
      ...nothing,
    }
    const claim = { reply: 'Your order is cancelled.' }
    const replies = [
      { id: 'G1', reply: 'Pay on evil.example now .', expect: { sent: 'Pay on now.' } },
      { id: 'G2', reply: 'Hello', expect: { sent: { contains: ['Hell'], lacks: ['o'] } } },
      { id: 'G3', ...claim, expect: { verdict: 'repaired' } },
      { id: 'G4', ...claim, context: { attempt: 2 }, expect: { verdict: 'replaced', reason: 'x' } },
      { id: 'G5', ...claim, context: { done: ['action_x'] }, expect: { lacks: ['x'] } },
      { id: 'G6', ...claim, context: { weather: 'fine' }, expect: { verdict: 'repaired' } },
    ]
    const terms = [
      { id: 'T1', texts: ['التوصيل', 'توصيل'], expect: { share: true } },
      { id: 'T2', text: 'price, PRICE', expect: { count: 1 } },
      { id: 'T3', text: 'café', expect: { ascii: false } },
      { id: 'T4', text: '؟', expect: { throws: false } },
      { id: 'T5', text: '؟', expect: { poem: true } },
    ]
    const files = {
      'reply-guard.json': { defaults: { context }, cases: replies },
      'search-terms.json': { cases: terms },
    }
    expect(await inFolder(files)).toEqual([
      1,
      expect.stringMatching(/^FAIL reply-guard.json G2: .* got {"verdict":"send"/),
      expect.stringMatching(/^FAIL reply-guard.json G4: .* got {"verdict":"replace"/),
      'FAIL reply-guard.json G6: the runner has no word for "weather"',
      'reply-guard: 0 of 3 that must not go out went out, 0 of 0 harmless ones were held back',
      'reply-guard.json: 3 passed, 3 failed',
      'FAIL search-terms.json T3: expected {"ascii":false} got {"ascii":true}',
      'FAIL search-terms.json T5: the runner has no word for "poem"',
      'search-terms.json: 3 passed, 2 failed',
    ])
  })
})

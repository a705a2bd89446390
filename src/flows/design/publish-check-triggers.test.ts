import { NOTHING_KNOWN } from '../../../test/support/engine.ts'
import { describe, expect, test } from 'vitest'
import { FlowDraft } from '../../contract/flow-definition.ts'
import { checkForPublishing, type PublishSurroundings } from './publish-check.ts'

const template = (name: string, components: object[]) => ({
  name,
  language: 'ar',
  status: 'APPROVED',
  components: components as PublishSurroundings['templates'][number]['components'],
})

const around: PublishSurroundings = {
  ...NOTHING_KNOWN,
  plan: 'business',
  channel: { type: 'whatsapp', isConnected: true },
  otherFlowsOn: 0,
  connections: [],
  otherTriggers: [],
  templates: [
    template('ready', [{ type: 'BODY', text: 'Order {{1}} is ready' }]),
    template('rich', [
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'See', url: 'https://x.test/{{1}}' }] },
    ]),
  ],
}

const send = (next: string | null) => ({
  kind: 'send_template',
  template: 'ready',
  language: 'ar',
  header: null,
  body: [{ name: '1', text: 'x' }],
  next,
})
const say = (next: string | null) => ({ kind: 'send_message', text: 'Hi', next })
const wait = (next: string | null) => ({
  kind: 'wait_for_reply',
  saveAs: 'answer',
  timeoutMinutes: 60,
  next,
  onTimeout: null,
})
function draft(steps: Record<string, object>, { trigger }: { trigger: object }): FlowDraft {
  return FlowDraft.parse({ channelId: 'c', trigger, start: Object.keys(steps)[0]!, steps })
}

/** `step: rule` of each problem, warnings in round brackets. */
function found(flow: FlowDraft, change: Partial<PublishSurroundings> = {}): string[] {
  return checkForPublishing(flow, { ...around, ...change }).map(({ stepId, rule, isWarning }) => {
    const name = `${stepId ?? '-'}: ${rule}`
    return isWarning ? `(${name})` : name
  })
}

describe('The check before a flow is published finds, of what starts it,', () => {
  test.each<[string, FlowDraft, string[]]>([
    [
      'nothing in a flow that a keyword starts with a message',
      draft({ a: say('b'), b: wait(null) }, { trigger: { kind: 'keyword', words: ['offer'] } }),
      [],
    ],
    [
      'that a member can start a flow that begins with a message only for who wrote lately',
      draft({ a: say('b'), b: wait(null) }, { trigger: { kind: 'manual' } }),
      ['(a: template_first)', '(b: template_first)'],
    ],
    [
      'nothing in a flow that a member starts with a template',
      draft(
        {
          a: send('b'),
          b: wait(null),
        },
        { trigger: { kind: 'manual' } },
      ),
      [],
    ],
    [
      'that nobody can write a keyword of vowel marks alone',
      draft({ a: say(null) }, { trigger: { kind: 'keyword', words: ['offer', 'ـً'] } }),
      ['-: keyword_readable'],
    ],
    [
      'that a keyword is too long once it is written out',
      draft({ a: say(null) }, { trigger: { kind: 'keyword', words: ['\ufdfa'.repeat(100)] } }),
      ['-: keyword_readable'],
    ],
    [
      'that the template of a button is not there',
      draft(
        { a: say(null) },
        { trigger: { kind: 'template_button', template: 'gone', button: 'Yes' } },
      ),
      ['-: template_exists'],
    ],
    [
      'that a template has no such button',
      draft(
        { a: say(null) },
        { trigger: { kind: 'template_button', template: 'rich', button: 'See' } },
      ),
      ['-: button_exists'],
    ],
  ])('%s', (_, flow, problems) => {
    expect(found(flow)).toEqual(problems)
  })

  test('what starts another flow of the channel too: refused where only one can be', () => {
    const other = (kind: string, phrase: string, key = '') => ({
      otherTriggers: [{ kind, key, phrase, flowName: 'Other' }],
    })
    const by = (trigger: object) => draft({ a: say(null) }, { trigger })
    const keyword = by({ kind: 'keyword', words: ['OFFER'] })
    expect(found(keyword, other('keyword', 'offer'))).toEqual(['(-: trigger_unique)'])
    expect(found(keyword, other('template_button', 'offer'))).toEqual([])
    const first = by({ kind: 'conversation_started' })
    expect(found(first, other('conversation_started', ''))).toEqual(['-: trigger_unique'])
    expect(found(first, other('keyword', 'offer'))).toEqual([])
    const buttons = { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Yes ' }] }
    const templates = [template('ask', [buttons])]
    const button = by({ kind: 'template_button', template: 'ask', button: 'yes' })
    expect(found(button, { templates })).toEqual([])
    expect(found(button, { templates, ...other('template_button', 'yes', 'ask') })).toEqual([
      '(-: trigger_unique)',
    ])
    expect(found(button, { templates, ...other('template_button', 'yes', 'x') })).toEqual([])
  })
})

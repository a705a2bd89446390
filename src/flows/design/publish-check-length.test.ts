import { NOTHING_KNOWN } from '../../../test/support/engine.ts'
import { expect, test } from 'vitest'
import { FlowDraft } from '../../contract/flow-definition.ts'
import type { ChannelType } from '../../vocabulary/channels.ts'
import { checkForPublishing } from './publish-check.ts'

const rulesOf = (type: ChannelType, text: string) =>
  checkForPublishing(
    FlowDraft.parse({
      channelId: 'c',
      trigger: { kind: 'manual' },
      start: 'say',
      steps: { say: { kind: 'send_message', text, next: null } },
    }),
    {
      ...NOTHING_KNOWN,
      plan: 'business',
      channel: { type, isConnected: true },
      otherFlowsOn: 0,
      connections: [],
      otherTriggers: [],
      templates: [],
    },
  ).map(({ rule }) => rule)

test.each<[ChannelType, string, number]>([
  ['messenger', '😀', 2_000],
  ['instagram', 'ا', 500],
])(
  'a text is no longer than %s takes, as it counts, whatever is filled in',
  (type, letter, most) => {
    expect(rulesOf(type, ` {{vars.order}} ${letter.repeat(most)}`)).not.toContain('text_length')
    expect(rulesOf(type, ` {{vars.order}} ${letter.repeat(most + 1)}`)).toContain('text_length')
  },
)

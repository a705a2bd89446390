import { CAPABILITIES } from '../../../rules/messaging/channel-capabilities.ts'
import type { LocalizedProblem } from '../../../contract/dashboard/flow.ts'
import { useChannelName } from '../../parts/use-channel-name.ts'
import { useWords } from '../../words/use-words.tsx'
import type { Draft, Trigger } from '../draft.ts'
import { OneOf } from '../steps/fields.tsx'
import {
  makeTrigger,
  needsTemplateFirst,
  TRIGGER_KINDS,
  triggerForm,
  triggerIcon,
} from '../triggers/kinds.ts'
import { bindFields } from '../steps/step-kind.ts'
import { builderWords } from '../words-builder.ts'
import { stepWords } from '../words-steps.ts'
import { triggerWords } from '../words-triggers.ts'
import { useBuilderContext } from '../builder-context.ts'
import { SidePanel } from './SidePanel.tsx'

/** The form of the flow's trigger and channel. */
export function TriggerPanel({
  problems,
  edit,
  onClose,
}: {
  problems: readonly LocalizedProblem[]
  edit(change: (draft: Draft) => Draft, tag?: string | null): void
  onClose(): void
}) {
  const t = useWords(builderWords)
  const say = useWords(stepWords)
  const triggers = useWords(triggerWords)
  const channelName = useChannelName()
  const { draft, channels } = useBuilderContext()
  const { trigger, channelId } = draft
  const Form = triggerForm(trigger)
  const set = (change: Partial<Trigger>) =>
    edit(
      (before) => ({ ...before, trigger: { ...before.trigger, ...change } as Trigger }),
      `trigger:${Object.keys(change).join()}`,
    )
  const isGone = channelId !== '' && !channels.some(({ id }) => id === channelId)
  return (
    <SidePanel
      problems={problems}
      icon={triggerIcon(trigger.kind)}
      label={say('trigger')}
      title={triggers(trigger.kind)}
      kind={say('trigger')}
      onClose={onClose}
    >
      <OneOf
        at="channelId"
        label={t('channel')}
        help={channels.length === 0 ? t('no_channels') : undefined}
        value={channelId}
        options={[
          ...channels.map(({ id, name: given, type, isConnected }) => {
            const name = given ?? channelName(type)
            const cannot =
              needsTemplateFirst(trigger.kind) && !CAPABILITIES[type].startsConversations
            return {
              value: id,
              label: cannot
                ? t('cannot_begin', { name })
                : isConnected
                  ? name
                  : t('not_connected', { name }),
              isDisabled: cannot,
            }
          }),
          ...(isGone ? [{ value: channelId, label: t('channel_gone') }] : []),
        ]}
        onChange={(id) => edit((before) => ({ ...before, channelId: id }))}
      />
      <OneOf
        at="trigger.kind"
        label={t('starts_by')}
        value={trigger.kind}
        options={TRIGGER_KINDS.map((value) => ({ value, label: triggers(value) }))}
        onChange={(kind) => edit((before) => ({ ...before, trigger: makeTrigger(kind) }))}
      />
      <Form
        key={trigger.kind}
        trigger={trigger}
        set={set}
        {...bindFields('trigger', trigger, set)}
      />
    </SidePanel>
  )
}

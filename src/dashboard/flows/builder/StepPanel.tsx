import { ActionIcon, Button, Menu } from '@mantine/core'
import { Icon } from '../../parts/Icon.tsx'
import { useWords } from '../../words/use-words.tsx'
import type { LocalizedProblem } from '../../../contract/dashboard/flow.ts'
import type { Draft, Step } from '../draft.ts'
import { changeStep, openExit } from '../draft/edit.ts'
import { withAt } from '../draft.ts'
import { formOf, iconOf, isEnd, summaryOf } from '../steps/kinds.ts'
import { bindFields } from '../steps/step-kind.ts'
import layout from '../../parts/layout.module.css'
import { builderWords } from '../words-builder.ts'
import { stepWords } from '../words-steps.ts'
import { useBuilderContext } from '../builder-context.ts'
import { SidePanel } from './SidePanel.tsx'

/** The panel of one step: its form, its problems, and the acts on the whole step. */
export function StepPanel({
  id,
  step,
  problems,
  edit,
  onCopy,
  onRemove,
  onAddAfter,
  onClose,
}: {
  id: string
  step: Step
  problems: readonly LocalizedProblem[]
  edit(change: (draft: Draft) => Draft, tag?: string | null): void
  onCopy(): void
  onRemove(): void
  /** Null where no step can follow. */
  onAddAfter: (() => void) | null
  onClose(): void
}) {
  const t = useWords(builderWords)
  const say = useWords(stepWords)
  const builder = useBuilderContext()
  const { mayEdit } = builder
  const Form = formOf(step)
  const { title, isCode } = summaryOf(step, say, builder)
  const set = (change: Partial<Step>) =>
    edit(
      (draft) => changeStep(draft, id, (now) => ({ ...now, ...change }) as Step),
      `${id}:${Object.keys(change).join()}`,
    )
  return (
    <SidePanel
      problems={problems}
      icon={iconOf(step.kind)}
      label={`${say(step.kind)} ${id}`}
      title={isEnd(step) ? say(step.kind) : <bdi {...(isCode && { dir: 'ltr' })}>{cut(title)}</bdi>}
      kind={isEnd(step) ? undefined : say(step.kind)}
      onClose={onClose}
      acts={
        mayEdit && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" aria-label={t('more_acts')}>
                <Icon name="more" />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<Icon name="copy" />} onClick={onCopy}>
                {t('copy_branch')}
              </Menu.Item>
              {onAddAfter && (
                <Menu.Item leftSection={<Icon name="plus" />} onClick={onAddAfter}>
                  {t('add_after')}
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        )
      }
      foot={
        mayEdit && (
          <Button
            variant="subtle"
            color="var(--w-bad)"
            className={layout.atEnd}
            leftSection={<Icon name="trash" />}
            onClick={onRemove}
          >
            {t('delete')}
          </Button>
        )
      }
    >
      <Form
        id={id}
        step={step}
        set={set}
        openExit={(exit) => edit((draft) => openExit(draft, id, exit))}
        closeExit={(exit) =>
          edit((draft) => changeStep(draft, id, (now) => withAt(now, exit, null)))
        }
        {...bindFields(`steps.${id}`, step, set)}
      />
    </SidePanel>
  )
}

const TITLE_CHARS = 60

function cut(text: string): string {
  const line = text.split('\n', 1)[0]!
  return line.length > TITLE_CHARS ? `${line.slice(0, TITLE_CHARS)}…` : line
}

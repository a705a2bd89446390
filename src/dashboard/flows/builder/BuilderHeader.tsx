import type { UseQueryResult } from '@tanstack/react-query'
import { ActionIcon, Button, SegmentedControl, Switch, Tooltip, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { PageLink } from '../../parts/PageLink.tsx'
import { useApi } from '../../app/resources.ts'
import { useMay } from '../../app/session.ts'
import type { DraftCheck, FlowDetail } from '../../../contract/dashboard/flow.ts'
import type { FlowState } from '../../../core/vocabulary/flows.ts'
import { Crumbs } from '../../parts/Crumbs.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { IconButton } from '../../parts/IconButton.tsx'
import { useWords } from '../../words/use-words.tsx'
import { FlowStatePill } from '../FlowStatePill.tsx'
import styles from '../flows.module.css'
import { useSwitchFlow } from '../use-switch-flow.tsx'
import { builderWords } from '../words-builder.ts'
import { PublishDialog } from './PublishDialog.tsx'
import { TestRunDialog } from './TestRunDialog.tsx'
import { SavedNote } from './SavedNote.tsx'
import type { Saving } from './use-draft.ts'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { useApiForm } from '../../parts/form.tsx'

/** Texts that explain why a published, active flow starts no runs. */
const WHY_IDLE: { readonly [State in FlowState]?: `${State}_why` & keyof typeof builderWords.en } =
  {
    not_in_plan: 'not_in_plan_why',
    beyond_plan: 'beyond_plan_why',
    channel_off: 'channel_off_why',
  }

type Shown = {
  flow: FlowDetail
  saving: Saving
  save(): Promise<boolean>
  check: DraftCheck | undefined
  checkRead: UseQueryResult<DraftCheck>
  /** The URL names a version, which is shown instead of the draft. */
  isVersion: boolean
}

/** The head of the builder: name and state, whether changes are saved, and buttons to switch, test and publish. */
export function BuilderHeader({
  undo,
  redo,
  isList,
  isNarrow,
  shownVersion,
  ...shown
}: Shown & {
  /** The number of that version once it is read. */
  shownVersion: number | null
  undo: (() => void) | null
  redo: (() => void) | null
  isList: boolean
  isNarrow: boolean
}) {
  const { flow, saving, save, isVersion } = shown
  const t = useWords(builderWords)
  const { setUp } = useMay()
  const onOff = useSwitchFlow(useApi())
  return (
    <header className={styles.builderHead}>
      <Title flow={flow} />
      <span className={styles.spring} />
      {setUp && !isVersion && <DraftActs saving={saving} save={save} undo={undo} redo={redo} />}
      {!isNarrow && <View isList={isList} />}
      {flow.publishedNumber !== null && setUp && (
        <Switch
          aria-label={t('switch')}
          checked={flow.isOn}
          disabled={onOff.isBusy}
          onChange={() => onOff.toggle(flow)}
        />
      )}
      <VersionActs {...shown} />
      {shownVersion !== null && (
        <p className={styles.readOnly} role="status">
          <Icon name="eye" /> {t('looking_at', { n: shownVersion })}
        </p>
      )}
      {!setUp && (
        <p className={styles.readOnly} role="status">
          <Icon name="lock" /> {t('read_only')}
        </p>
      )}
      {onOff.dialog}
    </header>
  )
}

/** The link to the list, the name, which a click edits, and the state. */
function Title({ flow }: { flow: FlowDetail }) {
  const t = useWords(builderWords)
  const { setUp } = useMay()
  const [isRenaming, setRenaming] = useState(false)
  const whyIdle = WHY_IDLE[flow.state]
  const name = <bdi>{flow.name}</bdi>
  return (
    <>
      <Crumbs items={[<bdi key="flow">{flow.name}</bdi>]} />
      <Tooltip label={t('back')}>
        <ActionIcon
          variant="subtle"
          aria-label={t('back')}
          renderRoot={(props) => <PageLink to="flows" {...props} />}
        >
          <Icon name="chevron_back" />
        </ActionIcon>
      </Tooltip>
      <h1 className={styles.builderTitle}>
        {setUp ? (
          <button
            type="button"
            className={styles.nameButton}
            title={t('rename')}
            onClick={() => setRenaming(true)}
          >
            {name}
          </button>
        ) : (
          name
        )}
      </h1>
      <FlowStatePill state={flow.state} />
      <span className={`${styles.help} ${styles.wide}`}>
        {flow.publishedNumber === null
          ? t('never_published')
          : t('version_live', { n: flow.publishedNumber })}
        {whyIdle && `. ${t(whyIdle)}`}
      </span>
      {isRenaming && <RenameDialog flow={flow} onClose={() => setRenaming(false)} />}
    </>
  )
}

function View({ isList }: { isList: boolean }) {
  const t = useWords(builderWords)
  const navigate = useNavigate({ from: '/p/$company/flows/$flowId' })
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('view')}
      value={isList ? 'list' : 'map'}
      data={[
        { value: 'map', label: t('as_map') },
        { value: 'list', label: t('as_list') },
      ]}
      onChange={(view) =>
        void navigate({
          search: (before) => ({ ...before, view: view === 'list' ? 'list' : undefined }),
          replace: true,
        })
      }
    />
  )
}

/** Buttons for the versions, a test run and publishing. */
function VersionActs({ flow, saving, save, check, checkRead, isVersion }: Shown) {
  const t = useWords(builderWords)
  const { setUp } = useMay()
  const navigate = useNavigate({ from: '/p/$company/flows/$flowId' })
  const [isPublishing, setPublishing] = useState(false)
  const [isTesting, setTesting] = useState(false)
  const number = flow.draft?.number ?? (flow.publishedNumber ?? 0) + 1
  const hasNews = flow.draft !== null || saving.kind !== 'saved'
  return (
    <>
      <Button
        leftSection={<Icon name="history" />}
        onClick={() =>
          void navigate({
            search: (before) => ({
              ...before,
              versions: before.versions ? undefined : (true as const),
            }),
          })
        }
      >
        {t('versions')}
      </Button>
      {setUp && !isVersion && flow.published && (
        <Button leftSection={<Icon name="test" />} onClick={() => setTesting(true)}>
          {t('test_run')}
        </Button>
      )}
      {isVersion && (
        <Button
          variant="filled"
          onClick={() => void navigate({ search: (before) => ({ ...before, version: undefined }) })}
        >
          {t('back_to_draft')}
        </Button>
      )}
      {setUp && !isVersion && hasNews && (
        <Button
          variant="filled"
          onClick={() => {
            void save().then((isSaved) => isSaved && setPublishing(true))
          }}
        >
          {t('publish_version', { n: number })}
        </Button>
      )}
      <PublishDialog
        flow={flow}
        number={number}
        check={check}
        checkRead={checkRead}
        isOpen={isPublishing}
        onClose={() => setPublishing(false)}
      />
      {isTesting && <TestRunDialog flow={flow} onClose={() => setTesting(false)} />}
    </>
  )
}

/** The state of the last change, and the buttons for undo and redo. */
function DraftActs({
  saving,
  save,
  undo,
  redo,
}: {
  saving: Saving
  save(): Promise<boolean>
  undo: (() => void) | null
  redo: (() => void) | null
}) {
  const t = useWords(builderWords)
  const ways = [
    ['undo', undo],
    ['redo', redo],
  ] as const
  return (
    <>
      <SavedNote saving={saving} save={save} />
      {ways.map(([name, act]) => (
        <IconButton
          key={name}
          hasTip
          icon={name}
          label={t(name)}
          disabled={!act}
          onClick={() => act?.()}
        />
      ))}
    </>
  )
}

function RenameDialog({ flow, onClose }: { flow: FlowDetail; onClose(): void }) {
  const t = useWords(builderWords)
  const api = useApi()
  const form = useApiForm({
    values: { name: flow.name },
    onSubmit: (json) => api.patch('flows/:flowId', { flowId: flow.id }, json),
    onDone: onClose,
  })
  return (
    <FormDialog form={form} title={t('rename')} onClose={onClose}>
      <TextInput label={t('name')} data-autofocus {...form.field('name')} />
    </FormDialog>
  )
}

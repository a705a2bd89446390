import { Button } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi, type Api } from '../../app/resources.ts'
import { useLiveQuery } from '../../app/live.tsx'
import { useMay } from '../../app/session.ts'
import type { HookShape } from '../../../contract/dashboard/hook-url.ts'
import { readJson, type JsonValue } from '../../../rules/text/json-text.ts'
import { HOOK_STATUS_HTTP } from '../../../core/vocabulary/hooks.ts'
import { Ltr } from '../../parts/Code.tsx'
import { Banner, Empty, Panel, ReadState } from '../../parts/Page.tsx'
import { Time } from '../../parts/Time.tsx'
import { useWords, Rich } from '../../words/use-words.tsx'
import { SavedNote } from '../builder/SavedNote.tsx'
import { Unsaved } from '../builder/Unsaved.tsx'
import { useDraft } from '../builder/use-draft.ts'
import type { TriggerOf } from '../draft.ts'
import { makeTrigger } from '../triggers/kinds.ts'
import { rowsOfBody } from './body-rows.ts'
import { BodyPanel } from './BodyPanel.tsx'
import { HookHeader } from './HookHeader.tsx'
import styles from './hook.module.css'
import { Mapping, type Active } from './Mapping.tsx'
import { MadeUrl, UrlActs } from './UrlActs.tsx'
import { hookWords } from './words.ts'
import { Icon } from '../../parts/Icon.tsx'
import { checkWords } from './words-checks.ts'

/**
 * The page of a flow that the company's own system starts: the hook URL, the last request, and the paths of the fields
 * in it.
 */
export function HookPage() {
  const { flowId } = useParams({ from: '/p/$company/flows/$flowId/hook' })
  return <HookOf key={flowId} flowId={flowId} />
}

function HookOf({ flowId }: { flowId: string }) {
  const t = useWords(hookWords)
  const api = useApi()
  const { setUp } = useMay()
  const flow = useSuspenseQuery(api.get('flows/:flowId', { flowId })).data
  const { draft, saving, save, edit, ...unsaved } = useDraft(api, flow, setUp)
  const last = useLastRequest(api, setUp ? (flow.hookUrl?.id ?? null) : null)
  const shape = last.data?.shape ?? null
  const [made, setMade] = useState<string | null>(null)
  const hook = asHook(draft.trigger)
  return (
    <>
      <HookHeader flow={flow} onMade={setMade}>
        {hook && <SavedNote saving={saving} save={save} />}
      </HookHeader>
      <Unsaved {...unsaved} saving={saving} />
      <MadeUrl url={made} onClose={() => setMade(null)} />
      {!hook && <OtherTrigger edit={edit} />}
      {hook && !setUp && <Banner tone="off" title={t('read_only')} />}
      {hook && setUp && !flow.hookUrl && (
        <Empty title={t('no_url')} act={<UrlActs flow={flow} onMade={setMade} />}>
          {t('no_url_text')}
        </Empty>
      )}
      {hook && setUp && flow.hookUrl && (
        <LastRequest of={last} isPublished={flow.publishedNumber !== null && flow.isOn} />
      )}
      {hook && (
        <Fields
          hook={hook}
          channelId={draft.channelId}
          shape={shape}
          errors={saving.kind === 'refused' ? saving.errors : []}
          edit={edit}
        />
      )}
    </>
  )
}

type Edit = ReturnType<typeof useDraft>['edit']

/** A notice that the flow has another trigger, with a button to change it. */
function OtherTrigger({ edit }: { edit: Edit }) {
  const t = useWords(hookWords)
  const { setUp } = useMay()
  return (
    <Empty
      title={t('other_trigger')}
      act={
        setUp && (
          <Button
            variant="filled"
            onClick={() => edit((before) => ({ ...before, trigger: makeTrigger('webhook') }))}
          >
            {t('make_hook')}
          </Button>
        )
      }
    >
      {t('other_trigger_text')}
    </Empty>
  )
}

/** The last body next to the paths of the fields; a click on a line of the body fills in the active field. */
function Fields({
  hook,
  channelId,
  shape,
  errors,
  edit,
}: {
  hook: Hook
  channelId: string
  shape: HookShape | null
  errors: readonly { field: string; message: string }[]
  edit: Edit
}) {
  const t = useWords(hookWords)
  const api = useApi()
  const { setUp } = useMay()
  const channels = useQuery({ ...api.every('channels'), enabled: setUp }).data ?? []
  const [active, setActive] = useState<Active>('phone')
  const [pasted, setPasted] = useState<JsonValue | null>(null)
  const body = pasted ?? readBody(shape)
  const rows = body === null ? [] : rowsOfBody(body)
  const set = (change: Partial<Hook>) =>
    edit(
      (before) => ({ ...before, trigger: { ...before.trigger, ...change } as Hook }),
      `hook:${Object.keys(change).join()}`,
    )
  const pick = (path: string) => {
    if (typeof active === 'number') {
      set({ keep: hook.keep.map((one, at) => (at === active ? { ...one, path } : one)) })
    } else {
      set({ [`${active}Path`]: path })
    }
  }
  const names = { phone: t('phone'), name: t('name'), language: t('language') }
  return (
    <div className={styles.columns}>
      <BodyPanel
        shape={shape}
        body={body}
        rows={rows}
        mapped={mappedPaths(hook, names)}
        activeName={
          typeof active === 'number' ? (hook.keep[active]?.name ?? names.phone) : names[active]
        }
        mayEdit={setUp}
        isPasted={pasted !== null}
        onPick={pick}
        onPaste={setPasted}
      />
      <Mapping
        trigger={hook}
        body={body}
        rows={rows}
        country={channels.find(({ id }) => id === channelId)?.country ?? null}
        mayEdit={setUp}
        errorAt={(field) => errors.find((one) => one.field === field)?.message}
        onActive={setActive}
        set={set}
      />
      <Checks shape={shape} />
    </div>
  )
}

type Hook = TriggerOf<'webhook'>

function asHook(trigger: { kind: string }): Hook | null {
  return trigger.kind === 'webhook' ? (trigger as Hook) : null
}

/** Returns the query of the last request to a hook URL; none is read without one. */
function useLastRequest(api: Api, hookUrlId: string | null) {
  useLiveQuery('hook_url', api.key('hook-urls'))
  return useQuery({
    ...api.get('hook-urls/:hookUrlId/shape', { hookUrlId: hookUrlId! }),
    enabled: hookUrlId !== null,
  })
}

function readBody(shape: HookShape | null): JsonValue | null {
  const read = shape === null ? null : readJson(shape.body, { mustBeContainer: true })
  return read?.ok ? read.value : null
}

/** Returns the names of the fields that read each path, for the chips next to the lines. */
function mappedPaths(
  { phonePath, namePath, languagePath, keep }: Hook,
  names: Readonly<Record<'phone' | 'name' | 'language', string>>,
): Map<string, string[]> {
  const mapped = new Map<string, string[]>()
  const add = (path: string | null, name: string) => {
    const bare = path?.replace(/^\$\.(?!\$)/, '')
    if (bare) mapped.set(bare, [...(mapped.get(bare) ?? []), name])
  }
  add(phonePath, names.phone)
  add(namePath, names.name)
  add(languagePath, names.language)
  for (const { name, path } of keep) add(path, name)
  return mapped
}

/** The last request and its response. A refusal before the flow is published is expected. */
function LastRequest({
  of,
  isPublished,
}: {
  of: ReturnType<typeof useLastRequest>
  isPublished: boolean
}) {
  const t = useWords(hookWords)
  if (!of.data) return <ReadState of={of} rows={1} />
  const { shape } = of.data
  if (shape === null) {
    return (
      <Banner tone="busy" title={t('nothing_yet')}>
        {t('waiting')}
      </Banner>
    )
  }
  const { answerStatus, receivedAt } = shape
  const isGood = answerStatus === 'accepted' || answerStatus === 'duplicate'
  const isExpected = answerStatus === 'flow_off' && !isPublished
  return (
    <Banner
      tone={isGood || isExpected ? 'ok' : 'warn'}
      title={
        <Rich
          words={hookWords}
          say={isExpected ? 'arrived_as_should' : 'arrived'}
          with={{
            time: <Time at={receivedAt} />,
            answer: <Ltr>{`${HOOK_STATUS_HTTP[answerStatus]} ${answerStatus}`}</Ltr>,
          }}
        />
      }
    >
      {isExpected ? t('pick_now') : undefined}
    </Banner>
  )
}

const CHECKS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] as const

/**
 * The checks of a request in their order, with the result of the last one; before the first request the list is
 * collapsed.
 */
function Checks({ shape }: { shape: HookShape | null }) {
  const t = useWords(checkWords)
  const stopped = shape?.stoppedAtCheck ?? null
  const isRepeat = shape?.answerStatus === 'duplicate'
  const list = (
    <ol className={styles.checks}>
      {CHECKS.map((check) => {
        const isHere = check === stopped && !isRepeat
        const isPassed = shape !== null && (stopped === null || check <= stopped) && !isHere
        return (
          <li key={check} data-state={isHere ? 'bad' : isPassed ? 'ok' : 'unknown'}>
            <Icon
              name={isHere ? 'failed' : isPassed ? 'ok' : 'progress'}
              size={16}
              label={t(isHere ? 'stopped' : isPassed ? 'passed' : 'not_looked_at')}
            />
            <span>{isHere ? t(shape!.answerStatus) : t(`check_${check}`)}</span>
          </li>
        )
      })}
    </ol>
  )
  return (
    <Panel title={t('title')}>
      {shape === null ? (
        <details>
          <summary>{t('before_first')}</summary>
          {list}
        </details>
      ) : (
        list
      )}
    </Panel>
  )
}

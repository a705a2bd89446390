import { ActionIcon, Menu, Switch, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FlowView } from '../../contract/dashboard/flow.ts'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { FLOW_STATES } from '../../core/vocabulary/flows.ts'
import { useLiveQuery } from '../app/live.tsx'
import { useGo } from '../app/pages.ts'
import { useApi } from '../app/resources.ts'
import { useMay, useSession } from '../app/session.ts'
import { useFilters } from '../app/use-filters.ts'
import { AddButton } from '../parts/AddButton.tsx'
import { Confirm } from '../parts/Dialogs.tsx'
import { Icon } from '../parts/Icon.tsx'
import { FilterChip } from '../parts/List.tsx'
import { ListPage } from '../parts/ListPage.tsx'
import type { Column } from '../parts/ListTable.tsx'
import { Banner, Empty } from '../parts/Page.tsx'
import { PageLink } from '../parts/PageLink.tsx'
import { Time } from '../parts/Time.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useWords } from '../words/use-words.tsx'
import { emptyDraft } from './draft.ts'
import { FlowStatePill } from './FlowStatePill.tsx'
import styles from './flows.module.css'
import { useSwitchFlow } from './use-switch-flow.tsx'
import { builderWords } from './words-builder.ts'
import { triggerWords } from './words-triggers.ts'
import { flowsWords } from './words.ts'
import { useApiForm } from '../parts/form.tsx'
import { FormDialog } from '../parts/FormDialog.tsx'

/** The page that lists the flows. Owners and Admins create, switch, duplicate and delete them there. */
export function Flows() {
  const t = useWords(flowsWords)
  const states = useWords(builderWords)
  const api = useApi()
  const go = useGo()
  const { setUp } = useMay()
  const filters = useFilters('flows', { text: 'q' })
  const { q = '', state } = filters.search
  const list = useQuery(api.every('flows'))
  useLiveQuery('flow', api.every('flows').queryKey)
  const [isMaking, setMaking] = useState(false)
  const [deleting, setDeleting] = useState<FlowView | null>(null)
  const onOff = useSwitchFlow(api)
  const flows = list.data ?? []
  const shown = flows.filter(
    (flow) =>
      (state === undefined || flow.state === state) &&
      flow.name.toLocaleLowerCase().includes(q.trim().toLocaleLowerCase()),
  )
  const found = FLOW_STATES.filter((one) => flows.some((flow) => flow.state === one))
  const hasAny = flows.length > 0
  const columns = useColumns()
  const acts = useActs(onOff, setDeleting)
  const make = setUp && <AddButton onClick={() => setMaking(true)}>{t('new_flow')}</AddButton>
  return (
    <ListPage
      title={t('title')}
      lead={t('lead')}
      acts={make}
      above={<PlanBanners />}
      filters={{ ...filters, isOn: hasAny }}
      search={hasAny ? t('search') : undefined}
      find={
        found.length > 1 &&
        found.map((one) => (
          <FilterChip key={one} label={states(one)} {...filters.chip('state', one)} />
        ))
      }
      end={hasAny && <Used flows={flows} />}
      list={list}
      items={shown}
      columns={setUp ? [...columns, ...acts] : columns}
      onOpen={({ id }) => void go('flows/$flowId', { flowId: id })}
      empty={<Empty title={t('empty')} act={make} />}
    >
      {onOff.dialog}
      <Confirm
        isOpen={deleting !== null}
        isGrave
        title={t('delete_question', { name: deleting?.name ?? '' })}
        act={t('delete_flow')}
        keep={t('keep_flow')}
        send={() => deleting && api.delete('flows/:flowId', { flowId: deleting.id })}
        done={t('deleted', { name: deleting?.name ?? '' })}
        onClose={() => setDeleting(null)}
      >
        {t('delete_text')} {deleting?.hookUrl != null && t('delete_hook')}
      </Confirm>
      {isMaking && <NewFlowDialog onClose={() => setMaking(false)} />}
    </ListPage>
  )
}

function PlanBanners() {
  const t = useWords(flowsWords)
  const { setUp } = useMay()
  const { account } = useSession()
  return (
    <>
      {!PLAN_LIMITS[account.plan].automations && <Banner tone="warn" title={t('not_in_plan')} />}
      {!setUp && <Banner tone="off" title={t('read_only')} />}
    </>
  )
}

/** The number of active flows and the plan's limit; on a plan without automations, the number of all flows. */
function Used({ flows }: { flows: readonly FlowView[] }) {
  const t = useWords(flowsWords)
  const limits = PLAN_LIMITS[useSession().account.plan]
  if (!limits.automations) return t('total', { n: flows.length })
  const on = flows.filter(({ isOn, publishedNumber }) => isOn && publishedNumber !== null).length
  return t('of_plan', { n: Math.min(on, limits.flows), most: limits.flows })
}

function useColumns(): Column<FlowView>[] {
  const t = useWords(flowsWords)
  const triggers = useWords(triggerWords)
  const api = useApi()
  const { setUp } = useMay()
  const channels = useQuery({ ...api.every('channels'), enabled: setUp }).data ?? []
  // Agents cannot read the channels.
  const channel: Column<FlowView> = {
    phone: 'gone',
    head: t('channel'),
    cell: ({ channelId }) => <bdi>{channels.find(({ id }) => id === channelId)?.name}</bdi>,
  }
  return [
    { head: t('state'), cell: ({ state }) => <FlowStatePill state={state} /> },
    {
      head: t('name'),
      cell: ({ id, name, hasDraft, publishedNumber }) => (
        <>
          <PageLink
            to="flows/$flowId"
            params={{ flowId: id }}
            className={styles.name}
            named={name}
          />
          {hasDraft && publishedNumber !== null && (
            <div className={styles.help}>{t('unpublished_changes')}</div>
          )}
        </>
      ),
    },
    {
      phone: 'gone',
      head: t('trigger'),
      cell: ({ triggerKind }) => triggerKind && triggers(triggerKind),
    },
    ...(setUp ? [channel] : []),
    {
      phone: 'gone',
      head: t('last_published'),
      cell: ({ publishedAt, publishedNumber }) =>
        publishedAt === null ? (
          <span className={styles.help}>{t('never')}</span>
        ) : (
          <>
            <Time at={publishedAt} />
            <div className={styles.help}>{t('version', { n: publishedNumber ?? 0 })}</div>
          </>
        ),
    },
  ]
}

/** Returns the columns of Owners and Admins: the switch of a flow, and a menu of acts. */
function useActs(
  onOff: ReturnType<typeof useSwitchFlow>,
  onDelete: (flow: FlowView) => void,
): Column<FlowView>[] {
  const t = useWords(flowsWords)
  const go = useGo()
  const { isBusy, duplicate } = useDuplicate()
  return [
    {
      phone: 'end',
      head: t('on_off'),
      cell: (flow) =>
        flow.publishedNumber !== null && (
          <Switch
            aria-label={t('switch_on_name', { name: flow.name })}
            checked={flow.isOn}
            disabled={onOff.isBusy}
            onChange={() => onOff.toggle(flow)}
          />
        ),
    },
    {
      isActs: true,
      phone: 'menu',
      head: t('acts'),
      cell: (flow) => (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              aria-label={t('more', { name: flow.name })}
              loading={isBusy}
            >
              <Icon name="more" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<Icon name="runs" />}
              onClick={() => void go('runs', {}, { flow: flow.id })}
            >
              {t('runs')}
            </Menu.Item>
            <Menu.Item leftSection={<Icon name="copy" />} onClick={() => void duplicate(flow)}>
              {t('duplicate')}
            </Menu.Item>
            <Menu.Item leftSection={<Icon name="trash" />} onClick={() => onDelete(flow)}>
              {t('delete')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ),
    },
  ]
}

function useDuplicate() {
  const t = useWords(flowsWords)
  const api = useApi()
  const cache = useQueryClient()
  const { isBusy, run } = useApiMutation()
  const duplicate = async (flow: FlowView) => {
    const copy = await run(async () => {
      const { published, draft } = await cache.fetchQuery(
        api.get('flows/:flowId', { flowId: flow.id }),
      )
      const json = {
        name: plain(t('copy_of', { name: flow.name })),
        draft: (draft ?? published)?.definition ?? emptyDraft(flow.channelId ?? ''),
      }
      return api.post('flows', json)
    })
    if (copy) toastSuccess(t('duplicated', { name: copy.name }))
  }
  return { isBusy, duplicate }
}

/** Returns the text without the marks of direction that the page adds, since a name is stored without them. */
function plain(text: string): string {
  return text.replaceAll(/[\u2066-\u2069]/g, '')
}

/** A dialog that creates a flow and opens it at its trigger. */
function NewFlowDialog({ onClose }: { onClose(): void }) {
  const t = useWords(flowsWords)
  const api = useApi()
  const cache = useQueryClient()
  const go = useGo()
  const form = useApiForm({
    values: { name: '' },
    onSubmit: async ({ name }) => {
      const channels = await cache.fetchQuery(api.every('channels'))
      const json = { name, draft: emptyDraft(channels[0]?.id ?? '') }
      const { id } = await api.post('flows', json)
      await go('flows/$flowId', { flowId: id }, { step: 'trigger' })
    },
  })
  return (
    <FormDialog form={form} title={t('new_flow')} act={t('create')} onClose={onClose}>
      <TextInput
        label={t('name')}
        description={t('creating_help')}
        data-autofocus
        {...form.field('name')}
      />
    </FormDialog>
  )
}

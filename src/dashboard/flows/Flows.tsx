import { ActionIcon, Button, Menu, Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { PageLink } from '../parts/PageLink.tsx'
import { useGo } from '../app/pages.ts'
import { useApi, type Api } from '../app/resources.ts'
import { useCompanyId } from '../app/company.ts'
import { useLiveQuery } from '../app/live.tsx'
import { useMay, useSession } from '../app/session.ts'
import type { FlowView } from '../../contract/dashboard/flow.ts'
import { PLAN_LIMITS } from '../../limits/accounts.ts'
import { FLOW_STATES } from '../../vocabulary/flows.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { Icon } from '../parts/Icon.tsx'
import { FilterChip, ListTable, SearchBox, Toolbar, type Column } from '../parts/List.tsx'
import { Banner, Empty, PageHeader } from '../parts/Page.tsx'
import { Time } from '../parts/Time.tsx'
import { sayDone } from '../parts/toasts.tsx'
import { useAct } from '../parts/use-act.ts'
import { useWords } from '../words/use-words.tsx'
import { emptyDraft } from './draft.ts'
import { FlowStatePill } from './FlowStatePill.tsx'
import styles from './flows.module.css'
import { NewFlowDialog } from './NewFlowDialog.tsx'
import { useSwitchFlow } from './use-switch-flow.tsx'
import { builderWords } from './words-builder.ts'
import { flowsWords } from './words.ts'
import { triggerWords } from './words-triggers.ts'

export function Flows() {
  const t = useWords(flowsWords)
  const states = useWords(builderWords)
  const api = useApi()
  const companyId = useCompanyId()
  const { setUp } = useMay()
  const { account } = useSession()
  const { q = '', state } = useSearch({ from: '/p/$company/flows/' })
  const navigate = useNavigate({ from: '/p/$company/flows/' })
  const list = useQuery(api.every('flows'))
  useLiveQuery('flow', api.every('flows').queryKey)
  const [isMaking, setMaking] = useState(false)
  const flows = list.data ?? []
  const shown = flows.filter(
    (flow) =>
      (state === undefined || flow.state === state) &&
      flow.name.toLocaleLowerCase().includes(q.trim().toLocaleLowerCase()),
  )
  const columns = useColumns(api)
  const limits = PLAN_LIMITS[account.plan]
  const found = FLOW_STATES.filter((one) => flows.some((flow) => flow.state === one))
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        acts={
          setUp && (
            <Button
              variant="filled"
              leftSection={<Icon name="plus" />}
              onClick={() => setMaking(true)}
            >
              {t('new_flow')}
            </Button>
          )
        }
      />
      {!limits.automations && <Banner tone="warn" title={t('not_in_plan')} />}
      {!setUp && <Banner tone="off" title={t('read_only')} />}
      {flows.length > 0 && (
        <Toolbar
          end={
            limits.automations
              ? t('of_plan', {
                  n: Math.min(
                    flows.filter(({ isOn, publishedNumber }) => isOn && publishedNumber !== null)
                      .length,
                    limits.flows,
                  ),
                  most: limits.flows,
                })
              : t('total', { n: flows.length })
          }
        >
          <SearchBox
            value={q}
            label={t('search')}
            onSearch={(text) =>
              void navigate({
                search: (before) => ({ ...before, q: text || undefined }),
                replace: true,
              })
            }
          />
          {found.length > 1 &&
            found.map((one) => (
              <FilterChip
                key={one}
                label={states(one)}
                isOn={state === one}
                onClick={() =>
                  void navigate({
                    search: (before) => ({ ...before, state: state === one ? undefined : one }),
                  })
                }
              />
            ))}
        </Toolbar>
      )}
      <ListTable
        label={t('title')}
        list={list}
        items={shown}
        columns={columns.columns}
        isFiltered={flows.length > 0}
        onClearFilters={() => void navigate({ search: {} })}
        onOpen={({ id }) =>
          void navigate({
            to: '/p/$company/flows/$flowId',
            params: { company: companyId, flowId: id },
          })
        }
        empty={
          <Empty
            title={t('empty')}
            act={
              setUp && (
                <Button variant="filled" onClick={() => setMaking(true)}>
                  {t('new_flow')}
                </Button>
              )
            }
          />
        }
      />
      {columns.dialogs}
      {isMaking && <NewFlowDialog onClose={() => setMaking(false)} />}
    </>
  )
}

/** The columns of the list, with the dialogs that their acts open. */
function useColumns(api: Api) {
  const t = useWords(flowsWords)
  const triggers = useWords(triggerWords)
  const { setUp } = useMay()
  const cache = useQueryClient()
  const channels = useQuery({ ...api.every('channels'), enabled: setUp }).data ?? []
  const go = useGo()
  const onOff = useSwitchFlow(api)
  const { isBusy, run } = useAct()
  const [deleting, setDeleting] = useState<FlowView | null>(null)

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
    if (!copy) return
    sayDone(t('duplicated', { name: copy.name }))
  }

  const columns: Column<FlowView>[] = [
    { key: 'state', head: t('state'), cell: ({ state }) => <FlowStatePill state={state} /> },
    {
      key: 'name',
      head: t('name'),
      cell: ({ id, name, hasDraft, publishedNumber }) => (
        <>
          <PageLink
            to="flows/$flowId"
            params={{ flowId: id }}
            className={styles.name}
            onClick={(event) => event.stopPropagation()}
          >
            <bdi>{name}</bdi>
          </PageLink>
          {hasDraft && publishedNumber !== null && (
            <div className={styles.help}>{t('unpublished_changes')}</div>
          )}
        </>
      ),
    },
    {
      key: 'trigger',
      phone: 'gone',
      head: t('trigger'),
      cell: ({ triggerKind }) => triggerKind && triggers(triggerKind),
    },
    {
      key: 'channel',
      phone: 'gone',
      head: t('channel'),
      cell: ({ channelId }) => <bdi>{channels.find(({ id }) => id === channelId)?.name}</bdi>,
    },
    {
      key: 'published',
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
  if (setUp) {
    columns.push(
      {
        key: 'on',
        phone: 'end',
        head: t('on_off'),
        cell: (flow) =>
          flow.publishedNumber !== null && (
            <span onClick={(event) => event.stopPropagation()}>
              <Switch
                aria-label={t('switch_on_name', { name: flow.name })}
                checked={flow.isOn}
                disabled={onOff.isBusy}
                onChange={() => onOff.ask(flow)}
              />
            </span>
          ),
      },
      {
        key: 'acts',
        phone: 'menu',
        head: <span className="visually-hidden">{t('acts')}</span>,
        cell: (flow) => (
          <span onClick={(event) => event.stopPropagation()}>
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
                <Menu.Item leftSection={<Icon name="trash" />} onClick={() => setDeleting(flow)}>
                  {t('delete')}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </span>
        ),
      },
    )
  }
  const dialogs = (
    <>
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
    </>
  )
  return { columns, dialogs }
}

/** Without the marks that keep directions apart on the page: a name is stored bare. */
function plain(text: string): string {
  return text.replaceAll(/[\u2066-\u2069]/g, '')
}

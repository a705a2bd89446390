import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PageButton, PageLink } from '../parts/PageLink.tsx'
import type { ChannelView } from '../../contract/dashboard/channel.ts'
import type {
  ListedTemplate,
  TemplateUse,
  TemplateView,
} from '../../contract/dashboard/template.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { useApi } from '../app/resources.ts'
import { useChannels } from '../channels/use-channels.ts'
import { Ltr } from '../parts/Code.tsx'
import { Icon } from '../parts/Icon.tsx'
import type { Column } from '../parts/ListTable.tsx'
import { Empty, Panel } from '../parts/Page.tsx'
import { Time } from '../parts/Time.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { ActButton } from '../parts/ActButton.tsx'
import { useChannelName } from '../parts/use-channel-name.ts'
import { partsWords } from '../parts/words.ts'
import { useFormat } from '../words/format.ts'
import { useLanguageName } from '../words/use-language-name.ts'
import { Rich, useWords } from '../words/use-words.tsx'
import { Bubble } from './Bubble.tsx'
import layout from '../parts/layout.module.css'
import styles from './templates.module.css'
import { useFilters } from '../app/use-filters.ts'
import { FilterSelect } from '../parts/FilterMenu.tsx'
import { ListPage } from '../parts/ListPage.tsx'
import { templatesWords } from './words.ts'
import { Pill, type Looks } from '../parts/Pill.tsx'

const KNOWN_STATUSES = ['APPROVED', 'PENDING', 'REJECTED', 'PAUSED', 'DISABLED'] as const
const PAGE = '100'

/** The message templates, as they were last synced from the providers. */
export function Templates() {
  const t = useWords(templatesWords)
  const channelName = useChannelName()
  const api = useApi()
  const filters = useFilters('templates', { text: 'name', open: 'open' })
  const { channel, status, language, name, open } = filters.search
  const channels = useChannels()
  const list = useInfiniteQuery(
    api.list('templates', { limit: PAGE, channelId: channel, status, language, q: name }),
  )
  const items = list.data?.items ?? []
  const shown = items.find(({ id }) => id === open)
  const senders = (channels.data ?? []).filter(({ type }) => capabilitiesOf(type).hasTemplates)
  return (
    <ListPage
      title={t('title')}
      lead={t('lead')}
      above={
        senders.length > 0 && (
          <Syncs
            channels={senders}
            items={items}
            isFiltered={filters.isOn}
            isWhole={list.isSuccess && !list.hasNextPage}
          />
        )
      }
      filters={filters}
      search={t('part_of_name')}
      find={
        <>
          <FilterSelect
            label={t('channel')}
            any={t('all_channels')}
            options={senders.map((one) => ({
              value: one.id,
              label: one.name ?? channelName(one.type),
            }))}
            {...filters.of('channel')}
          />
          <FilterSelect
            label={t('status')}
            any={t('any_status')}
            options={KNOWN_STATUSES.map((value) => ({ value, label: t(value) }))}
            {...filters.of('status')}
          />
          <FilterSelect
            label={t('language')}
            any={t('any_language')}
            options={[...new Set(items.map((one) => one.language))].map((value) => ({
              value,
              label: value,
            }))}
            {...filters.of('language')}
          />
        </>
      }
      body={(rows) => (
        <div className={styles.columns} data-open={shown !== undefined}>
          {rows}
          {shown && (
            <aside aria-label={t('preview')}>
              <Bubble key={shown.id} template={shown} />
            </aside>
          )}
        </div>
      )}
      list={list}
      columns={useColumns(filters.open)}
      empty={<NoTemplates hasChannel={senders.length > 0} />}
    />
  )
}

function NoTemplates({ hasChannel }: { hasChannel: boolean }) {
  const t = useWords(templatesWords)
  if (hasChannel) return <Empty title={t('none')}>{t('none_why')}</Empty>
  return (
    <Empty title={t('no_channel')} act={<PageButton to="channels">{t('to_channels')}</PageButton>}>
      {t('no_channel_why')}
    </Empty>
  )
}

/** The time of the last sync of each number, and a button to sync now. */
function Syncs({
  channels,
  ...about
}: {
  channels: readonly ChannelView[]
  items: readonly TemplateView[]
  isFiltered: boolean
  isWhole: boolean
}) {
  const t = useWords(templatesWords)
  return (
    <div className={styles.syncs}>
      <Panel title={t('read_from')}>
        <ul className={layout.cards}>
          {channels.map((channel) => (
            <Sync key={channel.id} channel={channel} {...about} />
          ))}
        </ul>
      </Panel>
    </div>
  )
}

function Sync({
  channel,
  items,
  isFiltered,
  isWhole,
}: {
  channel: ChannelView
  items: readonly TemplateView[]
  /** A filter hides some items, so a number without items here may still have been synced. */
  isFiltered: boolean
  /** The items are all there are, not the first page of more. */
  isWhole: boolean
}) {
  const t = useWords(templatesWords)
  const parts = useWords(partsWords)
  const channelName = useChannelName()
  const api = useApi()
  const last = items
    .filter(({ channelId }) => channelId === channel.id)
    .map(({ syncedAt }) => syncedAt)
    .toSorted()
    .at(-1)
  const [isJustRead, setJustRead] = useState(false)
  const sync = async () => {
    const synced = await api.post('channels/:channelId/templates/sync', { channelId: channel.id })
    setJustRead(true)
    toastSuccess(t('synced', { n: synced.templates }))
  }
  return (
    <li className={styles.sync}>
      <bdi>{channel.name ?? channelName(channel.type)}</bdi>
      <span className={layout.help}>
        {last !== undefined ? (
          <Rich words={templatesWords} say="last_read" with={{ time: <Time at={last} /> }} />
        ) : (
          isWhole && !isJustRead && (isFiltered ? parts('nothing_matches') : t('never_read'))
        )}
      </span>
      <ActButton
        size="xs"
        leftSection={<Icon name="refresh" size={14} />}
        disabled={!channel.isConnected}
        act={sync}
      >
        {t('sync_now')}
      </ActButton>
    </li>
  )
}

/** The flows that send a template; a draft is marked, because it sends nothing yet. */
function UsedBy({ flows }: { flows: readonly TemplateUse[] }) {
  const t = useWords(templatesWords)
  return (
    <span className={styles.used}>
      {flows.map(({ id, name, inPublished }) => (
        <span key={id}>
          <PageLink to="flows/$flowId" params={{ flowId: id }} named={name} />
          {!inPublished && ` ${t('in_draft')}`}
        </span>
      ))}
    </span>
  )
}

function useColumns(onOpen: (id: string) => void): Column<ListedTemplate>[] {
  const t = useWords(templatesWords)
  const format = useFormat()
  const languageName = useLanguageName()
  return [
    {
      head: t('name'),
      cell: ({ id, name }) => (
        <button type="button" className={layout.linkButton} onClick={() => onOpen(id)}>
          <Ltr>{name}</Ltr>
        </button>
      ),
    },
    {
      phone: 'quiet',
      head: t('language'),
      cell: ({ language }) => <bdi>{languageName(language)}</bdi>,
    },
    {
      phone: 'quiet',
      head: t('category'),
      cell: ({ category }) =>
        category === 'MARKETING' || category === 'UTILITY' || category === 'AUTHENTICATION' ? (
          t(category)
        ) : (
          <Ltr>{category}</Ltr>
        ),
    },
    { phone: 'end', head: t('status'), cell: ({ status }) => <TemplatePill status={status} /> },
    {
      phone: 'hidden',
      head: t('to_fill'),
      cell: ({ slots }) => {
        const values = [...(slots.header === null ? [] : [slots.header]), ...slots.body]
        const suffixes = slots.urlSuffixes.map(({ text }) => text)
        const all = [...values, ...suffixes]
        return all.length === 0 ? t('nothing_to_fill') : <bdi>{format.list(all)}</bdi>
      },
    },
    {
      phone: 'gone',
      head: t('by_flows'),
      cell: ({ slots: { unsupported }, status }) =>
        unsupported !== null
          ? t(`unsupported_${unsupported.part}`, { type: unsupported.type })
          : t(status === 'APPROVED' ? 'can_be_sent' : 'not_approved'),
    },
    { head: t('used_by'), phone: 'hidden', cell: ({ usedBy }) => <UsedBy flows={usedBy} /> },
    {
      head: t('sent_week'),
      phone: 'hidden',
      isFigure: true,
      cell: ({ week: { sent, failed } }) => (
        <>
          {format.number(sent)}
          {failed > 0 && (
            <div className={styles.failed}>
              {t('failed_week', { count: format.number(failed) })}
            </div>
          )}
        </>
      ),
    },
  ]
}

const LOOKS = {
  APPROVED: { tone: 'ok', icon: 'ok' },
  PENDING: { tone: 'busy', icon: 'clock' },
  REJECTED: { tone: 'bad', icon: 'failed' },
  PAUSED: { tone: 'warn', icon: 'pause' },
  DISABLED: { tone: 'off', icon: 'off' },
} as const satisfies Looks<string>

const isKnown = (status: string): status is keyof typeof LOOKS => Object.hasOwn(LOOKS, status)

/** The status of a template. An unknown status is shown as the provider writes it. */
function TemplatePill({ status }: { status: string }) {
  const t = useWords(templatesWords)
  if (!isKnown(status)) {
    return (
      <Pill tone="off">
        <bdi dir="ltr">{status}</bdi>
      </Pill>
    )
  }
  return <Pill {...LOOKS[status]}>{t(status)}</Pill>
}

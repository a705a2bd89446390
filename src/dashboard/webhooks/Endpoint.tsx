import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { EndpointView } from '../../contract/dashboard/endpoint.ts'
import { EVENT_TYPES, type EventType } from '../../core/vocabulary/events.ts'
import { useApi } from '../app/resources.ts'
import { useCompanyId } from '../app/company.ts'
import { Ltr } from '../parts/Code.tsx'
import { Icon } from '../parts/Icon.tsx'
import { PageHeader, ReadState } from '../parts/Page.tsx'
import { TabBar, TabLink } from '../parts/Tabs.tsx'
import { useWords } from '../words/use-words.tsx'
import { ENDPOINT_TABS } from './endpoint-search.ts'
import { EndpointHistory } from './EndpointHistory.tsx'
import { EndpointOverview } from './EndpointOverview.tsx'
import { EndpointPill, UrlText } from './endpoint-state.tsx'
import { EndpointSettings } from './EndpointSettings.tsx'
import { HealthBanner } from './HealthBanner.tsx'
import { PlanBanner, useIsInPlan } from './PlanBanner.tsx'
import { FIGURES_EVERY_MS } from './queries.ts'
import { SecretPanel } from './SecretPanel.tsx'
import { SendTestDialog } from './SendTestDialog.tsx'
import { endpointWords } from './words-endpoint.ts'
import { webhooksWords } from './words.ts'
import styles from './webhooks.module.css'
import { Form, useApiForm } from '../parts/form.tsx'
import { EventTypesField } from './EventTypesField.tsx'
import { useEditEndpoint } from './use-edit-endpoint.ts'
import { useGo } from '../app/pages.ts'
import { RETENTION } from '../../core/limits/retention.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useSpan } from '../words/use-span.ts'

const PAGE = '/p/$company/webhooks/$endpoint'

/** The page of one endpoint: its state, its tabs, and the dialogs that test it or switch it on or off. */
export function Endpoint() {
  const api = useApi()
  const { endpoint: id } = useParams({ from: PAGE })
  const endpoint = useQuery({
    ...api.get('endpoints/:endpointId', { endpointId: id }),
    refetchInterval: FIGURES_EVERY_MS,
  })
  return endpoint.data ? <One endpoint={endpoint.data} /> : <ReadState of={endpoint} />
}

function One({ endpoint }: { endpoint: EndpointView }) {
  const t = useWords(endpointWords)
  const search = useSearch({ from: PAGE })
  const [isTesting, setTesting] = useState(search.test ?? false)
  const [isSwitching, setSwitching] = useState(false)
  const isInPlan = useIsInPlan()
  const navigate = useNavigate({ from: PAGE })
  const stopTesting = () => {
    setTesting(false)
    // Removing the parameter keeps the dialog closed when the member returns to this page.
    if (search.test) {
      void navigate({ search: ({ test: _asked, ...rest }) => rest, replace: true })
    }
  }
  return (
    <>
      <PageHeader
        isBelow
        title={<bdi>{endpoint.name}</bdi>}
        pill={<EndpointPill endpoint={endpoint} />}
        lead={
          <Ltr>
            <UrlText url={endpoint.url} />
          </Ltr>
        }
        acts={
          <>
            <Button
              leftSection={<Icon name="test" />}
              disabled={!isInPlan}
              onClick={() => setTesting(true)}
            >
              {t('send_test')}
            </Button>
            {endpoint.isOn && <Button onClick={() => setSwitching(true)}>{t('switch_off')}</Button>}
          </>
        }
      />
      <PlanBanner />
      <HealthBanner
        endpoint={endpoint}
        onTest={() => setTesting(true)}
        onSwitchOn={() => setSwitching(true)}
      />
      <Tabs endpoint={endpoint} />
      <Tab endpoint={endpoint} />
      {isTesting && <SendTestDialog endpoint={endpoint} onClose={stopTesting} />}
      {isSwitching && <SwitchDialog endpoint={endpoint} onClose={() => setSwitching(false)} />}
    </>
  )
}

function Tabs({ endpoint }: { endpoint: EndpointView }) {
  const t = useWords(endpointWords)
  const list = useWords(webhooksWords)
  const company = useCompanyId()
  const { tab: open = 'overview', hours } = useSearch({ from: PAGE })
  const params = { company, endpoint: endpoint.id }
  const [overview, ...rest] = ENDPOINT_TABS.map((tab) => (
    <TabLink
      key={tab}
      to={PAGE}
      params={params}
      search={{ ...(tab !== 'overview' && { tab }), ...(hours !== undefined && { hours }) }}
      isOn={tab === open}
      count={
        tab === 'event_types'
          ? list('types_of', {
              n: endpoint.eventTypes.length,
              limit: EVENT_TYPES.length,
            })
          : undefined
      }
    >
      {t(tab)}
    </TabLink>
  ))
  return (
    <TabBar label={t('tabs')}>
      {overview}
      <TabLink to="/p/$company/webhooks/$endpoint/deliveries" params={params} isOn={false}>
        {t('deliveries')}
      </TabLink>
      {rest}
    </TabBar>
  )
}

function Tab({ endpoint }: { endpoint: EndpointView }) {
  const { tab = 'overview' } = useSearch({ from: PAGE })
  switch (tab) {
    case 'overview':
      return <EndpointOverview endpoint={endpoint} />
    case 'event_types':
      return <EndpointTypes endpoint={endpoint} />
    case 'secret':
      return (
        <div className={styles.narrow}>
          <SecretPanel endpoint={endpoint} isWhole />
        </div>
      )
    case 'settings':
      return <EndpointSettings endpoint={endpoint} />
    case 'history':
      return <EndpointHistory endpointId={endpoint.id} />
  }
}

/** The event types of an endpoint, as a form. */
function EndpointTypes({ endpoint }: { endpoint: EndpointView }) {
  const t = useWords(endpointWords)
  const list = useWords(webhooksWords)
  const edit = useEditEndpoint(endpoint)
  const form = useApiForm<{ eventTypes: EventType[] }>({
    values: { eventTypes: endpoint.eventTypes },
    version: endpoint.updatedAt,
    onSubmit: (values) => edit(values),
    done: t('types_saved'),
  })
  return (
    <Form form={form} className={styles.form}>
      <EventTypesField
        {...form.pick('eventTypes', {
          validate: (chosen) => chosen.length > 0 || list('choose_types'),
        })}
      />
    </Form>
  )
}

/** A dialog that switches an endpoint off or on; afterwards, failed deliveries can be resent. */
function SwitchDialog({ endpoint, onClose }: { endpoint: EndpointView; onClose(): void }) {
  const t = useWords(endpointWords)
  const span = useSpan()
  const api = useApi()
  const go = useGo()
  const { id, name, isOn, failingSince, off } = endpoint
  const switchIt = async () => {
    if (isOn) {
      await api.post('endpoints/:endpointId/switch-off', { endpointId: id })
      return toastSuccess(t('off_done'))
    }
    const result = await api.post('endpoints/:endpointId/switch-on', { endpointId: id })
    toastSuccess(result.message.text)
    const since = failingSince ?? (off?.reason === 'by_member' ? null : off?.at)
    if (since) void go('webhooks/$endpoint', { endpoint: id }, { failedSince: since })
  }
  return (
    <Confirm
      title={isOn ? t('off_ask', { name }) : t('on_ask', { name })}
      act={isOn ? t('switch_off') : t('switch_on')}
      send={switchIt}
      onClose={onClose}
    >
      {isOn ? t('off_text', { time: span(RETENTION.waitingEventMs) }) : t('on_text')}
    </Confirm>
  )
}

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { PageLink } from '../parts/PageLink.tsx'
import { useApi } from '../app/resources.ts'
import { useCompanyId } from '../app/company.ts'
import { Crumbs } from '../parts/Crumbs.tsx'
import { Icon } from '../parts/Icon.tsx'
import { ReadState } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { DeliveryLog } from './DeliveryLog.tsx'
import { PlanBanner, useIsInPlan } from './PlanBanner.tsx'
import { SendTestDialog } from './SendTestDialog.tsx'
import { logWords } from './words-log.ts'

const ALL = '/p/$company/webhooks/deliveries'
const ONE = '/p/$company/webhooks/$endpoint/deliveries'

/** The delivery log of all endpoints. */
export function AllDeliveries() {
  const t = useWords(logWords)
  const company = useCompanyId()
  const search = useSearch({ from: ALL })
  const navigate = useNavigate()
  return (
    <>
      <Crumbs items={[t('title')]} />
      <PlanBanner />
      <DeliveryLog
        search={search}
        endpoint={null}
        onSearch={(next) =>
          void navigate({ to: ALL, params: { company }, search: next, replace: true })
        }
      />
    </>
  )
}

/** The page with the delivery log of one endpoint. */
export function EndpointDeliveries() {
  const t = useWords(logWords)
  const api = useApi()
  const company = useCompanyId()
  const params = useParams({ from: ONE })
  const search = useSearch({ from: ONE })
  const navigate = useNavigate()
  const [isTesting, setTesting] = useState(false)
  const isInPlan = useIsInPlan()
  const endpoint = useQuery(api.get('endpoints/:endpointId', { endpointId: params.endpoint }))
  if (!endpoint.data) return <ReadState of={endpoint} />
  return (
    <>
      <Crumbs
        items={[
          <PageLink
            key="endpoint"
            to="webhooks/$endpoint"
            params={{ endpoint: params.endpoint }}
            named={endpoint.data.name}
          />,
          t('title'),
        ]}
      />
      <PlanBanner />
      <DeliveryLog
        search={search}
        endpoint={endpoint.data}
        acts={
          <Button
            leftSection={<Icon name="test" />}
            disabled={!isInPlan}
            onClick={() => setTesting(true)}
          >
            {t('send_test')}
          </Button>
        }
        onSearch={(next) =>
          void navigate({ to: ONE, params: { ...params, company }, search: next, replace: true })
        }
      />
      {isTesting && <SendTestDialog endpoint={endpoint.data} onClose={() => setTesting(false)} />}
    </>
  )
}

import { Button } from '@mantine/core'
import { useState } from 'react'
import type { EndpointView } from '../../contract/dashboard/endpoint.ts'
import { Icon } from '../parts/Icon.tsx'
import { useWords } from '../words/use-words.tsx'
import { useEndpointNames } from './endpoint-names.ts'
import { jobFilterOf, type AskedDeliveries } from './log-search.ts'
import { useIsInPlan } from './PlanBanner.tsx'
import { ResendJobDialog } from './ResendJobDialog.tsx'
import { logWords } from './words-log.ts'

/** A button that resends all filtered deliveries of one endpoint by a job. At least one filter is required. */
export function ResendAll({
  asked,
  endpoint,
}: {
  asked: AskedDeliveries | null
  endpoint: EndpointView | null
}) {
  const t = useWords(logWords)
  const [isAsking, setAsking] = useState(false)
  const isInPlan = useIsInPlan()
  const endpoints = useEndpointNames()
  const filter = asked && jobFilterOf(asked)
  const to = endpoint ?? endpoints.find(({ id }) => id === asked?.endpointId)
  if (!isInPlan || !to || !filter || Object.keys(filter).length === 0) return null
  return (
    <>
      <Button size="xs" leftSection={<Icon name="send" />} onClick={() => setAsking(true)}>
        {t('resend_all')}
      </Button>
      {isAsking && (
        <ResendJobDialog
          endpoint={to}
          job={{ kind: 'resend', filter }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

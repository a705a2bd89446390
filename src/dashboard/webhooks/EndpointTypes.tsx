import { Controller } from 'react-hook-form'
import type { EndpointView } from '../../contract/dashboard/endpoint.ts'
import type { EventType } from '../../vocabulary/events.ts'
import { FormFoot, useApiForm } from '../parts/form.tsx'
import { sayDone } from '../parts/toasts.tsx'
import { useWords } from '../words/use-words.tsx'
import { EventTypesField } from './EventTypesField.tsx'
import { useEditEndpoint } from './use-edit-endpoint.ts'
import styles from './webhooks.module.css'
import { endpointWords } from './words-endpoint.ts'
import { webhooksWords } from './words.ts'

/** Which events the endpoint gets. */
export function EndpointTypes({ endpoint }: { endpoint: EndpointView }) {
  const t = useWords(endpointWords)
  const list = useWords(webhooksWords)
  const edit = useEditEndpoint(endpoint)
  const form = useApiForm<{ eventTypes: EventType[] }>({
    values: { eventTypes: endpoint.eventTypes },
    version: endpoint.updatedAt,
    onSubmit: async (values) => {
      await edit(values)
      sayDone(t('types_saved'))
    },
  })
  return (
    <form className={styles.form} onSubmit={form.submit}>
      <Controller
        control={form.control}
        name="eventTypes"
        rules={{ validate: (chosen) => chosen.length > 0 || list('choose_types') }}
        render={({ field }) => (
          <EventTypesField
            value={field.value}
            error={form.errorOf('eventTypes')}
            onChange={field.onChange}
          />
        )}
      />
      <FormFoot form={form} act={t('save')} />
    </form>
  )
}

import { Field, FormFoot, useApiForm } from '../parts/form.tsx'
import type { EndpointView } from '../../contract/dashboard/endpoint.ts'
import type { EventType } from '../../core/vocabulary/events.ts'
import { useWords } from '../words/use-words.tsx'
import { EventTypesField } from './EventTypesField.tsx'
import { useEditEndpoint } from './use-edit-endpoint.ts'
import styles from './webhooks.module.css'
import { endpointWords } from './words-endpoint.ts'
import { webhooksWords } from './words.ts'

/** The event types of an endpoint, as a form. */
export function EndpointTypes({ endpoint }: { endpoint: EndpointView }) {
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
    <form className={styles.form} onSubmit={form.submit}>
      <Field
        form={form}
        name="eventTypes"
        rules={{ validate: (chosen) => chosen.length > 0 || list('choose_types') }}
      >
        {(field) => (
          <EventTypesField value={field.value} error={field.error} onChange={field.onChange} />
        )}
      </Field>
      <FormFoot form={form} act={t('save')} />
    </form>
  )
}

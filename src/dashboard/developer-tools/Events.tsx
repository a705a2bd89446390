import { Button, Select } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useGo } from '../app/pages.ts'
import openapi30 from '../../../openapi/webhooks-3.0.json'
import openapi from '../../../openapi/webhooks.json'
import { EVENT_TYPES, type EventType } from '../../core/vocabulary/events.ts'
import { CodeBlock } from '../parts/Code.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Panel } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './developer-tools.module.css'
import { downloadOf } from './download.ts'
import { typeWords } from '../webhooks/words-types.ts'
import { developerToolsWords } from './words.ts'

/** Every event type with a sample and the schema of its data, from the document that can be downloaded. */
export function Events() {
  const t = useWords(developerToolsWords)
  const describe = useWords(typeWords)
  const go = useGo()
  const { type = 'message.received' } = useSearch({ from: '/p/$company/developer-tools' })
  const { sample, schema } = eventOf(type)
  return (
    <Panel
      title={t('events')}
      end={
        <span className={styles.acts}>
          <Button
            component="a"
            {...downloadOf('wasla-webhooks.json', openapi)}
            leftSection={<Icon name="download" />}
          >
            {t('download_31')}
          </Button>
          <Button
            component="a"
            {...downloadOf('wasla-webhooks-3.0.json', openapi30)}
            leftSection={<Icon name="download" />}
          >
            {t('download_30')}
          </Button>
        </span>
      }
    >
      <div className={styles.fields}>
        <p className={layout.help}>{t('events_lead', { n: EVENT_TYPES.length })}</p>
        <Select
          dir="ltr"
          label={t('event_type')}
          data={[...EVENT_TYPES]}
          allowDeselect={false}
          value={type}
          w={{ base: '100%', xs: 320 }}
          onChange={(value) =>
            void go('developer-tools', {}, { tool: 'events', type: value as EventType })
          }
        />
        <p className={layout.help}>{describe(type)}</p>
        <div>
          <h3 className={styles.heading}>{t('sample')}</h3>
          <CodeBlock code={JSON.stringify(sample, null, 2)} label={t('sample')} />
        </div>
        <div>
          <h3 className={styles.heading}>{t('schema')}</h3>
          <CodeBlock code={JSON.stringify(schema, null, 2)} label={t('schema')} />
        </div>
      </div>
    </Panel>
  )
}

function eventOf(type: EventType) {
  const { requestBody } = openapi.webhooks[type].post
  const { example, schema } = requestBody.content['application/json']
  const name = schema.allOf[1]?.properties?.data.$ref.split('/').at(-1)
  const schemas: Readonly<Record<string, unknown>> = openapi.components.schemas
  return { sample: example, schema: name === undefined ? null : schemas[name] }
}

import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { PageButton } from '../parts/PageLink.tsx'
import type { DeliveryDetail } from '../../contract/dashboard/delivery.ts'
import type { EndpointView } from '../../contract/dashboard/endpoint.ts'
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import { EVENT_TYPES, type EventType } from '../../core/vocabulary/events.ts'
import { useApi } from '../app/resources.ts'
import { CodeBlock } from '../parts/Code.tsx'
import { Icon } from '../parts/Icon.tsx'
import { JsonView } from '../parts/JsonView.tsx'
import { Modal } from '../parts/Modal.tsx'
import { Banner } from '../parts/Page.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { typeWords } from './words-types.ts'
import layout from '../parts/layout.module.css'
import styles from './webhooks.module.css'
import { secretWords } from './words-secret.ts'

/** A dialog that sends a sample event and shows the result. */
export function SendTestDialog({ endpoint, onClose }: { endpoint: EndpointView; onClose(): void }) {
  const t = useWords(secretWords)
  const types = useWords(typeWords)
  const api = useApi()
  const { isBusy, run } = useApiMutation()
  const [type, setType] = useState<EventType>('ping')
  const [sent, setSent] = useState<DeliveryDetail | null>(null)
  const send = async () => {
    const answer = await run(() =>
      api.post('endpoints/:endpointId/tests', { endpointId: endpoint.id }, { type }),
    )
    if (answer) setSent(answer)
  }
  return (
    <Modal opened onClose={onClose} size="lg" title={t('test_title', { name: endpoint.name })}>
      <p className={styles.help}>
        {t('test_text', { n: DELIVERY_LIMITS.testsAndResendsPerMinute })}
      </p>
      <div className={styles.select}>
        <NativeSelect
          label={t('test_type')}
          description={types(type)}
          data={EVENT_TYPES}
          value={type}
          onChange={(event) => setType(event.currentTarget.value as EventType)}
        />
        <div className={layout.row}>
          <Button
            variant="filled"
            leftSection={<Icon name="test" />}
            loading={isBusy}
            onClick={() => void send()}
          >
            {sent ? t('test_again') : t('test_send')}
          </Button>
          {sent && (
            <PageButton to="webhooks/deliveries/$delivery" params={{ delivery: sent.id }}>
              {t('test_open')}
            </PageButton>
          )}
        </div>
      </div>
      {sent && <Result sent={sent} />}
    </Modal>
  )
}

function Result({ sent }: { sent: DeliveryDetail }) {
  const t = useWords(secretWords)
  const format = useFormat()
  const attempt = sent.log.at(-1)
  if (!attempt) return <Banner tone="busy" title={t('test_waits')} />
  const { error, answer } = attempt
  const time = format.milliseconds(attempt.durationMs)
  const isTaken = error === null
  return (
    <div className={styles.stack} role="status">
      <Banner
        tone={isTaken ? 'ok' : 'bad'}
        title={
          isTaken
            ? t('test_delivered', { status: String(attempt.httpStatus), time })
            : t('test_failed')
        }
      >
        {error && (
          <>
            <div>
              {error.message.text} {error.detail?.text}
            </div>
            <div>{error.hint.text}</div>
          </>
        )}
      </Banner>
      {answer && (
        <>
          <h3 className={styles.subtitle}>{t('test_answer')}</h3>
          {answer.text === '' ? (
            <p className={styles.help}>{t('no_body')}</p>
          ) : (
            <CodeBlock label={t('test_answer')} code={answer.text} />
          )}
        </>
      )}
      {sent.body !== null && (
        <>
          <h3 className={styles.subtitle}>{t('test_body')}</h3>
          <JsonView label={t('test_body')} text={sent.body} />
        </>
      )}
    </div>
  )
}

import type { ReactNode } from 'react'
import { PageLink } from '../parts/PageLink.tsx'
import type { DeliveryDetail } from '../../contract/dashboard/delivery.ts'
import { IdChip, Ltr } from '../parts/Code.tsx'
import { Time } from '../parts/Time.tsx'
import { useWords } from '../words/use-words.tsx'
import styles from './webhooks.module.css'
import { deliveryWords } from './words-delivery.ts'

/** What the delivery is of, in a strip: each leads to its object, or is copied. */
export function DeliveryFacts({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords(deliveryWords)
  const { contact, contactId, conversationId, runId, resendOf, lastResend, jobId, endpoint } =
    delivery
  const signers = delivery.log.at(-1)?.signedWith ?? []
  return (
    <dl className={styles.facts} aria-label={t('facts')}>
      <Fact name={t('event')}>
        <IdChip id={delivery.eventId} />
      </Fact>
      <Fact name={t('delivery')}>
        <IdChip id={delivery.id} />
      </Fact>
      <Fact name={t('endpoint')}>
        {endpoint.isDeleted ? (
          <bdi>{endpoint.name}</bdi>
        ) : (
          <PageLink
            to="webhooks/$endpoint"
            params={{ endpoint: endpoint.id }}
            className={styles.link}
          >
            <bdi>{endpoint.name}</bdi>
          </PageLink>
        )}
      </Fact>
      {contact && contactId !== null && (
        <Fact name={t('customer')}>
          <PageLink to="contacts/$contact" params={{ contact: contactId }} className={styles.link}>
            {contact.name === null ? <Ltr>{contact.phone ?? '—'}</Ltr> : <bdi>{contact.name}</bdi>}
          </PageLink>
        </Fact>
      )}
      {conversationId !== null && (
        <Fact name={t('conversation')}>
          <PageLink
            to="inbox/$conversation"
            params={{ conversation: conversationId }}
            className={styles.link}
          >
            <ShortId id={conversationId} />
          </PageLink>
        </Fact>
      )}
      {runId !== null && (
        <Fact name={t('run')}>
          <PageLink to="runs/$run" params={{ run: runId }} className={styles.link}>
            <ShortId id={runId} />
          </PageLink>
        </Fact>
      )}
      <Fact name={t('happened')}>
        <Time at={delivery.occurredAt} />
      </Fact>
      {signers.length > 0 && (
        <Fact name={t('signed_with')}>
          {signers.map((four) => (
            <span key={four} className={styles.signer}>
              <Ltr>{`…${four}`}</Ltr>
            </span>
          ))}
        </Fact>
      )}
      {resendOf !== null && (
        <Fact name={t('resend_of')}>
          <PageLink
            to="webhooks/deliveries/$delivery"
            params={{ delivery: resendOf }}
            className={styles.link}
          >
            <ShortId id={resendOf} />
          </PageLink>
        </Fact>
      )}
      {lastResend !== null && (
        <Fact name={t('last_resend')}>
          <PageLink
            to="webhooks/deliveries/$delivery"
            params={{ delivery: lastResend.id }}
            className={styles.link}
          >
            <ShortId id={lastResend.id} />
          </PageLink>
        </Fact>
      )}
      {jobId !== null && (
        <Fact name={t('job')}>
          <PageLink to="webhooks/jobs/$job" params={{ job: jobId }} className={styles.link}>
            <ShortId id={jobId} />
          </PageLink>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function ShortId({ id }: { id: string }) {
  return <Ltr>{id.length > 12 ? `${id.slice(0, 4)}…${id.slice(-4)}` : id}</Ltr>
}

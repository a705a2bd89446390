import type { ComponentType, ReactNode } from 'react'
import type { PagePath, LinkTarget } from '../app/pages.ts'
import { PageLink } from '../parts/PageLink.tsx'
import type { DeliveryDetail } from '../../contract/dashboard/delivery.ts'
import { IdChip, Ltr } from '../parts/Code.tsx'
import { Time } from '../parts/Time.tsx'
import { useWords } from '../words/use-words.tsx'
import styles from './webhooks.module.css'
import deliveryStyles from './delivery.module.css'
import { deliveryWords } from './words-delivery.ts'

/** A strip with the ids of a delivery: each is a link to its object or can be copied. */
export function DeliveryFacts({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords(deliveryWords)
  const { contact, contactId, conversationId, runId, resendOf, lastResend, jobId, endpoint } =
    delivery
  const signers = delivery.log.at(-1)?.signedWith ?? []
  return (
    <dl className={deliveryStyles.facts} aria-label={t('facts')}>
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
            named={endpoint.name}
          />
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
          <ObjectLink
            to="inbox/$conversation"
            params={{ conversation: conversationId }}
            id={conversationId}
          />
        </Fact>
      )}
      {runId !== null && (
        <Fact name={t('run')}>
          <ObjectLink to="runs/$run" params={{ run: runId }} id={runId} />
        </Fact>
      )}
      <Fact name={t('happened')}>
        <Time at={delivery.occurredAt} />
      </Fact>
      {signers.length > 0 && (
        <Fact name={t('signed_with')}>
          {signers.map((four) => (
            <span key={four} className={deliveryStyles.signer}>
              <Ltr>{`…${four}`}</Ltr>
            </span>
          ))}
        </Fact>
      )}
      {resendOf !== null && (
        <Fact name={t('resend_of')}>
          <DeliveryLink id={resendOf} />
        </Fact>
      )}
      {lastResend !== null && (
        <Fact name={t('last_resend')}>
          <DeliveryLink id={lastResend.id} />
        </Fact>
      )}
      {jobId !== null && (
        <Fact name={t('job')}>
          <ObjectLink to="webhooks/jobs/$job" params={{ job: jobId }} id={jobId} />
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

/** A link to a delivery, by its id. */
export function DeliveryLink({ id }: { id: string }) {
  return <ObjectLink to="webhooks/deliveries/$delivery" params={{ delivery: id }} id={id} />
}

const AnyLink = PageLink as ComponentType<object>

/** A link to an object without a name, by its id. */
function ObjectLink<Path extends PagePath>({ id, ...place }: { id: string } & LinkTarget<Path>) {
  return (
    <AnyLink {...place} className={styles.link}>
      <Ltr>{id.length > 12 ? `${id.slice(0, 4)}…${id.slice(-4)}` : id}</Ltr>
    </AnyLink>
  )
}

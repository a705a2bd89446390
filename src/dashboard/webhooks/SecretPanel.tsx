import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { queries } from '../app/queries.ts'
import type { EndpointSecretView, EndpointView } from '../../contract/dashboard/endpoint.ts'
import { useApi } from '../app/resources.ts'
import { CodeBlock, Ltr } from '../parts/Code.tsx'
import { Confirm, SecretDialog } from '../parts/Dialogs.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Panel } from '../parts/Page.tsx'
import { Pill } from '../parts/Pill.tsx'
import { Countdown } from '../parts/Countdown.tsx'
import { Time } from '../parts/Time.tsx'
import { Rich, useWords } from '../words/use-words.tsx'
import { useIsInPlan } from './PlanBanner.tsx'
import { SECRET_ENV } from './secret-env.ts'
import layout from '../parts/layout.module.css'
import styles from './webhooks.module.css'
import { secretWords } from './words-secret.ts'

/** Returns a secret in a recognisable form: its last four characters, never the whole. */
function shortSecret(secret: EndpointSecretView): string {
  return `whsec_…${secret.lastFour}`
}

/** Splits a fingerprint into two halves, which makes it easier to read out. */
function spaced(fingerprint: string): string {
  return `${fingerprint.slice(0, 4)} ${fingerprint.slice(4)}`
}

/**
 * The signing secrets of an endpoint by their last four characters and fingerprints, and the buttons that rotate the
 * secret and end the old one. Only a new secret is shown whole, once.
 */
export function SecretPanel({
  endpoint,
  isWhole = false,
}: {
  endpoint: EndpointView
  /** Shows the additional details for which a whole tab has space. */
  isWhole?: boolean
}) {
  const t = useWords(secretWords)
  const isInPlan = useIsInPlan()
  const [asking, setAsking] = useState<'rotate' | 'stop' | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const [current, old] = endpoint.secrets
  const fingerprint = endpoint.secrets[0]?.fingerprint ?? null
  return (
    <Panel
      title={t('signing_secret')}
      end={
        <Pill tone={old ? 'busy' : 'ok'} icon="lock">
          {old ? t('two_sign') : t('one_signs')}
        </Pill>
      }
    >
      {current && <Row name={old ? t('new') : t('current')} secret={current} />}
      {old && <Row name={t('old')} secret={old} />}
      {isWhole && <p className={styles.help}>{t('explain')}</p>}
      {old?.signsUntil != null && (
        <p className={styles.help}>
          <Rich
            words={secretWords}
            say="old_stops"
            with={{
              time: <Time at={old.signsUntil} />,
              left: <Countdown to={old.signsUntil} />,
            }}
          />
        </p>
      )}
      {isWhole && old && (
        <>
          <p className={styles.help}>{t('header_example')}</p>
          <CodeBlock
            label={t('header')}
            code={`X-Service-Signature: t=1795356000,v1=<${current?.lastFour}>,v1=<${old.lastFour}>`}
          />
        </>
      )}
      {isInPlan && (
        <div className={styles.actsBelow}>
          <Button leftSection={<Icon name="refresh" />} onClick={() => setAsking('rotate')}>
            {t('rotate')}
          </Button>
          {old && (
            <Button variant="subtle" onClick={() => setAsking('stop')}>
              {t('stop_old')}
            </Button>
          )}
        </div>
      )}
      <RotateDialog
        endpoint={endpoint}
        asking={asking}
        onSecret={setSecret}
        onClose={() => setAsking(null)}
      />
      <SecretDialog
        title={t('secret_title')}
        secret={secret}
        fingerprint={fingerprint === null ? undefined : spaced(fingerprint)}
        envName={SECRET_ENV}
        onClose={() => setSecret(null)}
      />
    </Panel>
  )
}

function Row({ name, secret }: { name: ReactNode; secret: EndpointSecretView }) {
  const t = useWords(secretWords)
  return (
    <div className={styles.secretRow}>
      <span className={styles.secretName}>{name}</span>
      <Ltr>{shortSecret(secret)}</Ltr>
      <span className={styles.fingerprint}>
        {secret.fingerprint === null ? t('unreadable') : <Ltr>{spaced(secret.fingerprint)}</Ltr>}
      </span>
      <span className={layout.small}>
        <Rich words={secretWords} say="made_at" with={{ time: <Time at={secret.createdAt} /> }} />
      </span>
    </div>
  )
}

function RotateDialog({
  endpoint,
  asking,
  onSecret,
  onClose,
}: {
  endpoint: EndpointView
  asking: 'rotate' | 'stop' | null
  onSecret(secret: string): void
  onClose(): void
}) {
  const t = useWords(secretWords)
  const api = useApi()
  const [current, old] = endpoint.secrets
  const names = {
    current: current ? shortSecret(current) : '',
    old: old ? shortSecret(old) : '',
  }
  const rotate = async () => {
    const made = await api.call('post', 'endpoints/:endpointId/secret/rotate', {
      endpointId: endpoint.id,
    })
    // The endpoint is updated first, so that the shown fingerprint belongs to the new secret.
    const { queryKey } = api.get('endpoints/:endpointId', { endpointId: endpoint.id })
    queries.setQueryData(queryKey, made.endpoint)
    onSecret(made.secret)
  }
  if (asking === null) return null
  if (asking === 'stop') {
    return (
      <Confirm
        isGrave
        title={t('stop_ask', { old: names.old })}
        act={t('stop_act')}
        send={() =>
          api.post('endpoints/:endpointId/secret/retire-old', { endpointId: endpoint.id })
        }
        done={t('stopped')}
        onClose={onClose}
      >
        {t('stop_text')}
      </Confirm>
    )
  }
  return (
    <Confirm
      isGrave={old !== undefined}
      title={old ? t('rotate_again_ask', { old: names.old }) : t('rotate_ask')}
      act={t('rotate_act')}
      isShownOnce
      send={rotate}
      onClose={onClose}
    >
      {old ? t('rotate_again_text', names) : t('rotate_text')}
    </Confirm>
  )
}
